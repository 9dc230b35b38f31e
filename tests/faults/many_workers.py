"""A deployment of several Celery workers on PostgreSQL, as processes, on sites at loopback addresses."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import yaml
from kombu.connection import Connection

from larder.celery.config import QUEUES
from larder.sim.shapes import SHAPES, Shape
from larder.sim.shapes.server import ShapeServer, serving
from tests.unit.cli.conftest import Shell

COMPOSE = Path(__file__).resolve().parents[2] / "compose.yaml"
PATIENCE = 240
STEP = 0.1
POLLS = 2_400


@dataclass(slots=True, kw_only=True)
class Deployment:
    """Its sites and its processes; each worker is a process group of its own."""

    shell: Shell
    database: str
    sites: dict[str, ShapeServer]
    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def start(self, *command: str, **env: str) -> "subprocess.Popen[bytes]":
        log = (self.shell.folder / f"{command[0]}-{len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", "larder", *command],
                cwd=self.shell.folder,
                env={**self.shell.environment(), **env},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def worker(self, **env: str) -> "subprocess.Popen[bytes]":
        name = f"w{len(self.processes)}@test"
        return self.start(*command("worker"), "--concurrency", "1", "--name", name, **env)

    def purge_queues(self) -> None:
        """Lose every message that waits."""
        env = self.shell.env
        with Connection(env["LARDER_BROKER"]) as broker, broker.channel() as channel:  # type: ignore[no-untyped-call]
            for queue in QUEUES:
                channel.queue_purge(env["LARDER_QUEUE_PREFIX"] + queue)

    def requests(self) -> int:
        return sum(sum(site.asked.values()) for site in self.sites.values())

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        return asyncio.run(_ask(self.database, query))

    def until(self, what: str, met: Callable[[], bool]) -> None:
        """Until then; the process that was started last must live to see it."""
        for _ in range(POLLS):
            if met():
                return
            with suppress(subprocess.TimeoutExpired):
                code = self.processes[-1].wait(STEP)
                raise AssertionError(f"{what}: a process ended with {code}\n{self.logs()}")
        raise AssertionError(f"{what}: not within {POLLS} looks\n{self.logs()}")

    def until_read(self) -> None:
        """Until the first run of each source has ended."""
        ended = "SELECT count(DISTINCT source_id) FROM runs WHERE kind = 'discovery' AND status = 'completed'"
        self.until("runs end", lambda: self.ask(ended)[0][0] == len(self.sites))

    def log(self, process: "subprocess.Popen[bytes]") -> list[dict[str, Any]]:
        """The lines of a process that logs JSON."""
        number = self.processes.index(process)
        (path,) = self.shell.folder.glob(f"*-{number}.log")
        return [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]

    def logs(self) -> str:
        return "\n".join(
            f"== {log.name}\n{log.read_text(errors='replace')[-3_000:]}"
            for log in sorted(self.shell.folder.glob("*.log"))
        )

    def end(self) -> list[int]:
        """End all in good order; their exit codes."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        try:
            return [process.wait(PATIENCE) for process in self.processes]
        finally:
            for process in self.processes:
                kill(process)


def command(service: str) -> list[str]:
    """How the compose file starts a service, after `larder`."""
    larder, *words = yaml.safe_load(COMPOSE.read_text())["services"][service]["command"]
    assert larder == "larder"
    return list(words)


async def _ask(database: str, query: str) -> list[tuple[Any, ...]]:
    connection = await asyncpg.connect(database)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


def kill(process: "subprocess.Popen[bytes]") -> None:
    """A worker with all of its children, at once."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def deployed(folder: Path, *, database: str, broker: str = "", shapes: Sequence[str]) -> Iterator[Deployment]:
    """Sources of these shapes, each on an address of its own; no worker is started yet."""
    env = {
        "LARDER_DATABASE": database,
        "LARDER_BROKER": broker,
        "LARDER_QUEUE_PREFIX": f"{uuid4().hex[:8]}.",
        "LARDER_STAGGER_SECONDS": "0",
        "LARDER_SLICE_SECONDS": "3",
        "LARDER_LEASE_SECONDS": "4",
        "LARDER_PARSE_WORKERS": "1",
        "LARDER_TICK_SECONDS": "1",
    }
    shell = Shell(folder=folder, env=env)
    assert shell("init").code == 0
    with ExitStack() as stack:
        sites = {
            name: stack.enter_context(serving(SHAPES[name], f"127.0.0.{number}"))
            for number, name in enumerate(shapes, 2)
        }
        for name, site in sites.items():
            add(shell, name, site, SHAPES[name])
        deployment = Deployment(shell=shell, database=database, sites=sites)
        try:
            yield deployment
        finally:
            for process in deployment.processes:
                kill(process)


def add(shell: Shell, name: str, site: ShapeServer, shape: Shape) -> None:
    added = shell(
        "source", "add", site.address, "--kind", shape.kind, "--slug", name, "--terms-reviewed", "--local"
    )
    assert added.code == 0, added.err
    host = str(site.server_address[0])
    assert shell("site", "set", host, "--spacing", "100ms").code == 0


def wrong(deployment: Deployment) -> list[str]:
    """What differs from the sites' truth, and pages that were fetched more often than a kill explains."""
    found: list[str] = []
    rows = "count(*), count(DISTINCT records.url) FROM records JOIN sources ON sources.id = source_id"
    query = f"SELECT slug, {rows}"
    counts = {slug: (rows, urls) for slug, rows, urls in deployment.ask(f"{query} GROUP BY slug")}
    for name, site in deployment.sites.items():
        wanted = len(site.shape.things)
        if counts.get(name) != (wanted, wanted):
            found.append(f"{name}: {counts.get(name)} records and addresses, there are {wanted}")
    return found
