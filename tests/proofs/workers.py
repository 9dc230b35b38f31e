"""Celery workers on PostgreSQL through every fault of their servers and of each other.

While made-up sites are read, workers are killed and frozen, messages are lost and repeated, broker and
database are restarted, and one worker's clock is an hour ahead. The database is compared with the truth, and
the sites' own log tells whether their limits held.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import asyncpg
from kombu.connection import Connection
from redis import Redis

from larder.sim.request_log import RequestLog
from tests.proofs.deployment import LEASE, TICK, Deployment, command, deployed, kill
from tests.proofs.politeness import Freeze, late_requests, too_fast
from tests.proofs.postgres import empty_database
from tests.proofs.proof import Part, Stage, proof
from tests.proofs.servers import PrivateServer

CLAIM = (
    "Celery workers that read 20 sites on RabbitMQ and on Redis: one killed, one frozen past its lease, one "
    "with its clock an hour ahead, queues purged, Redis flushed, messages repeated, broker and PostgreSQL "
    "restarted. Records equal to the truth, nothing doubled, every site's limit kept in every window, at "
    "most one late request for the freeze, no lane without a worker for longer than a lease and a tick"
)
SITES = 20
LISTINGS = 60
WINDOWS = (2, 5, 10)
MARGIN = 6.0
"""Seconds that a busy machine may add to a lease and a tick: the end of another slice, the start of one."""
LOOK_SECONDS = 0.5
Look = tuple[float, float]
"""When a lane was seen that nobody holds, and since when it waits."""
BETWEEN = 40
"""Requests between two faults."""
KILLED = 0
"""The number of the worker, by the order in which they are started."""


@dataclass(slots=True, kw_only=True)
class Story:
    """What was done to a deployment, and when a server was away."""

    many: Deployment
    faults: list[str] = field(default_factory=list)
    away: list[tuple[float, float]] = field(default_factory=list)
    freezes: list[Freeze] = field(default_factory=list)

    def do(self, name: str, fault: Callable[[], object], *, after: int = BETWEEN) -> None:
        """Wait for so many requests, then do it; sites need not be served meanwhile."""
        self.many.until_requests(after, or_all_read=True)
        began = time.monotonic()
        fault()
        self.away.append((began, time.monotonic()))
        self.faults.append(name)

    def kill_first(self) -> None:
        kill(self.many.processes[KILLED])
        self.many.worker()

    def freeze_leader(self) -> None:
        """Freeze the worker that holds most lanes until others hold some of them, and wake it.

        Where a slow machine comes to it when all sites were read, nobody holds any and none is lost.
        """
        leader = self._leader()
        os.killpg(leader.pid, signal.SIGSTOP)
        self.many.until("others take its lanes", lambda: self._taken_from(leader) or self.many.all_read())
        lost = self._leases()
        woken = time.monotonic()
        os.killpg(leader.pid, signal.SIGCONT)
        self.many.until_requests(BETWEEN // 4, or_all_read=True)
        still = frozenset(site for site, lease in self._leases().items() if lost.get(site) == lease)
        number = self.many.processes.index(leader)
        self.freezes.append(Freeze(name=str(number), woken=woken, over=time.monotonic(), lost=still))

    def _leader(self) -> "subprocess.Popen[bytes]":
        running = [process for process in self.many.processes if process.poll() is None]
        self.many.until("lanes are held", lambda: any(map(self._held_by, running)) or self.many.all_read())
        return max(running, key=lambda process: len(self._held_by(process)))

    def _taken_from(self, leader: "subprocess.Popen[bytes]") -> bool:
        return bool(self._leases()) and not self._held_by(leader)

    def _leases(self) -> dict[str, tuple[str, int]]:
        """The owner and the token of each site's lease that is valid."""
        now = "lease_until > (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
        held = "SELECT domain, lease_owner, lease_token FROM lanes JOIN sites ON id = site_id"
        return {site: (owner, token) for site, owner, token in self.many.ask(f"{held} WHERE {now}")}

    def _held_by(self, process: "subprocess.Popen[bytes]") -> frozenset[str]:
        """The sites whose leases a process of this worker's group has."""
        owners = {site: int(owner.split(":")[1]) for site, (owner, _) in self._leases().items()}
        return frozenset(site for site, pid in owners.items() if _group(pid) == process.pid)


def read_through_faults(
    folder: Path,
    *,
    database: str,
    broker: str,
    sites: int,
    listings: int,
    faults: Callable[[Story], None],
    workers: int = 3,
    windows: Sequence[int] = WINDOWS,
    margin: float = MARGIN,
) -> Part:
    """Read the sites with workers, the last one's clock ahead, and two beats while `faults` happen."""
    with deployed(folder, database=database, broker=broker, sites=sites, listings=listings) as many:
        for _ in range(workers - 1):
            many.worker()
        ahead = clock_ahead(folder)
        many.worker(**ahead)
        for _ in range(2):
            many.start(*command("beat"))
        story = Story(many=many)
        many.until_requests(1)
        with looking(database) as looks:
            faults(story)
            many.until_read()
        many.until_workers_are_ready()
        wrong, request_log = many.wrong(), many.web.request_log()
        killed, *codes = many.end()
        logs = many.logs()
    lanes = {site: request_log.for_host(site) for site in many.web.sites}
    late = [late_requests(freeze, request_log) for freeze in story.freezes]
    wait, allowed = longest_wait(looks, story.away), LEASE + TICK + margin
    broken = [
        *wrong,
        *(found for site, lane in lanes.items() for found in too_fast(site, lane, windows)),
        *(f"{len(visits)} late requests after one freeze" for visits in late if len(visits) > 1),
        *(
            [f"a lane waited {wait:.1f} s for a worker, {allowed:.0f} s are allowed"]
            if wait > allowed
            else []
        ),
        *([f"exit codes {codes}, logs:\n{logs}"] if any(codes) or killed != -signal.SIGKILL else []),
    ]
    figures = {**_figures(story, lanes, wait, late), "clock_ahead": bool(ahead)}
    return Part(figures=figures, broken=broken)


def longest_wait(looks: Sequence[Look], away: Sequence[tuple[float, float]]) -> float:
    """How long a lane with work was without a worker, without the time in which a fault went on."""
    return max((at - since - _overlap((since, at), away) for at, since in looks), default=0.0)


_SERVER_AWAY = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""The last one: the connection broke between two parts of a statement."""


@contextmanager
def looking(database: str) -> Iterator[list[Look]]:
    """Look at the lanes while the block lasts; for each lane that waits, when it was seen and since when."""
    looks: list[Look] = []
    over = Event()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            with suppress(OSError, *_SERVER_AWAY):
                waited = asyncio.run(_waiting(database))
                looks.extend((time.monotonic(), time.monotonic() - float(each)) for each in waited)

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield looks
    finally:
        over.set()
        thread.join()


async def _waiting(database: str) -> list[float]:
    """For each lane that is due and that nobody holds: seconds since its last lease began or it was due."""
    now = "(extract(epoch FROM clock_timestamp()) * 1000000)"
    since = f"greatest(next_at, coalesce(lease_until, 0) - {LEASE} * 1000000)"
    free = f"next_at > 0 AND next_at <= {now} AND (lease_until IS NULL OR lease_until <= {now})"
    connection = await asyncpg.connect(database, timeout=5)
    try:
        found = await connection.fetch(f"SELECT ({now} - {since}) / 1000000 FROM lanes WHERE {free}")
        return [row[0] for row in found]
    finally:
        await connection.close()


def _overlap(gap: tuple[float, float], away: Sequence[tuple[float, float]]) -> float:
    return sum(max(0.0, min(gap[1], end) - max(gap[0], begin)) for begin, end in away)


def clock_ahead(folder: Path) -> dict[str, str]:
    """The environment of a process whose clock is an hour ahead; none where there is no C compiler."""
    compiler, library = shutil.which("cc"), folder / "clock_ahead.so"
    if compiler is None:
        return {}
    source = Path(__file__).with_name("clock_ahead.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library)}


def _group(pid: int) -> int:
    with suppress(ProcessLookupError):
        return os.getpgid(pid)
    return 0


def _figures(
    story: Story, lanes: Mapping[str, RequestLog], wait: float, late: Sequence[Sequence[Any]]
) -> dict[str, Any]:
    requests = sum(len(lane.requests) for lane in lanes.values())
    return {
        "sites": len(lanes),
        "requests": requests,
        "pages_asked_for_again": sum(
            times - 1
            for lane in lanes.values()
            for times in lane.fetched_twice(containing="/listing").values()
        ),
        "faults": len(story.faults),
        "done": ", ".join(story.faults),
        "late_requests": sum(map(len, late)),
        "lane_without_worker_seconds_most": round(wait, 1),
    }


# -- the long form -----------------------------------------------------------------------------------------


def every_fault(broker: PrivateServer, postgres: PrivateServer, *, redis: bool) -> Callable[[Story], None]:
    """All of them, one after the other."""

    def faults(story: Story) -> None:
        story.do("worker killed", story.kill_first)
        story.do("queues purged", story.many.purge_queues)
        if redis:
            story.do("Redis flushed", lambda: Redis.from_url(broker.url).flushall())
        story.do("messages repeated", story.many.repeat_messages)
        story.do("worker frozen past its lease", story.freeze_leader)
        story.do("broker restarted", lambda: broker.restart(_broker_answers))
        story.many.until_workers_are_ready()  # one that still starts would end without its database
        story.do("PostgreSQL restarted", lambda: postgres.restart(_postgres_answers))
        story.do("messages repeated", story.many.repeat_messages)

    return faults


def _broker_answers(url: str) -> bool:
    with suppress(OSError, Exception), Connection(url, connect_timeout=2) as broker:  # type: ignore[no-untyped-call]
        broker.ensure_connection(max_retries=1, interval_start=0)
        return True
    return False


def _postgres_answers(url: str) -> bool:
    with suppress(OSError, asyncpg.PostgresError):
        asyncio.run(_connect(url))
        return True
    return False


async def _connect(url: str) -> None:
    await (await asyncpg.connect(url)).close()


def _all_of_it(stage: Stage, broker_name: str) -> Part:
    with (
        PrivateServer("postgres") as postgres,
        PrivateServer(broker_name) as broker,
        empty_database(postgres.url) as database,
    ):
        return read_through_faults(
            stage.folder,
            database=database,
            broker=broker.url,
            sites=SITES,
            listings=LISTINGS,
            faults=every_fault(broker, postgres, redis=broker_name == "redis"),
        )


@proof("workers", CLAIM, seed=7, part="rabbitmq")
def on_rabbitmq(stage: Stage) -> Part:
    return _all_of_it(stage, "rabbitmq")


@proof("workers", CLAIM, seed=7, part="redis")
def on_redis(stage: Stage) -> Part:
    return _all_of_it(stage, "redis")
