"""A deployment on PostgreSQL as the processes of its commands, on made-up sites at loopback addresses.

Its commands are those of the compose file. Each process is a group of its own, so that it can be killed and
frozen with its children.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import yaml
from kombu.connection import Connection
from sqlalchemy import Connection as Conn

from larder.app import open_app
from larder.celery.config import QUEUES, make_celery
from larder.celery.sending import send_task
from larder.settings import Settings
from larder.store.queue import sources
from tests.proofs.books import Books
from tests.proofs.plans import listings_of, only_discovery
from tests.proofs.processes import MadeUpWeb

COMPOSE = Path(__file__).resolve().parents[2] / "compose.yaml"
PATIENCE = 240
STEP = 0.25
POLLS = 3_000
SPACING_MS = 200
AT_ONCE = 2
LEASE = 4
TICK = 2


@dataclass(slots=True, kw_only=True)
class Deployment:
    """Its web, its settings and its processes."""

    web: MadeUpWeb
    env: dict[str, str]
    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    workers: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return self.web.folder

    @property
    def database(self) -> str:
        return self.env["LARDER_DATABASE"]

    def start(self, *command: str, module: str = "larder", **env: str) -> "subprocess.Popen[bytes]":
        """Start `larder COMMAND`; its output goes to a file, and sites know it by its number."""
        number = len(self.processes)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
        contact = {"LARDER_CONTACT": f"https://larder.example/{number}"}
        with (self.folder / f"{number}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *command],
                cwd=self.folder,
                env={**kept, **self.env, **contact, **env},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def worker(self, **env: str) -> "subprocess.Popen[bytes]":
        name = f"w{len(self.processes)}@test"
        process = self.start(*command("worker"), "--concurrency", "1", "--name", name, **env)
        self.workers.append(process)
        return process

    def driver(self, drivers: int) -> "subprocess.Popen[bytes]":
        """One of so many drivers of `larder up`."""
        return self.start("--drivers", str(drivers), module="larder.cli.up.driver_process")

    def purge_queues(self) -> None:
        """Lose every message that waits."""
        with Connection(self.env["LARDER_BROKER"]) as broker, broker.channel() as channel:  # type: ignore[no-untyped-call]
            for queue in QUEUES:
                channel.queue_purge(self.env["LARDER_QUEUE_PREFIX"] + queue)

    def repeat_messages(self, times: int = 3) -> None:
        """Send every message that there is, again and again."""
        celery = make_celery(self._settings())
        try:
            for task in ("drive", "dispatch", "verify", "maintain"):
                for _ in range(times):
                    send_task(celery, f"larder.{task}")
        finally:
            celery.close()

    def _settings(self) -> Settings:
        given = {name.removeprefix("LARDER_").lower(): value for name, value in self.env.items()}
        return Settings(**given)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        return asyncio.run(_ask(self.database, query))

    def requests(self) -> int:
        return len(self.web.request_log().requests)

    def until(self, what: str, met: Callable[[], bool]) -> None:
        """Until then; the process that was started last must live to see it."""
        for _ in range(POLLS):
            if met():
                return
            with suppress(subprocess.TimeoutExpired):
                code = self.processes[-1].wait(STEP)
                raise AssertionError(f"{what}: a process ended with {code}\n{self.logs()}")
        raise AssertionError(f"{what}: not within {POLLS} looks\n{self.logs()}")

    def until_requests(self, more: int, *, or_all_read: bool = False) -> None:
        """Until the sites were asked so many times more, or until there is nothing left to ask for."""
        wanted = self.requests() + more
        self.until(f"{more} requests", lambda: self.requests() >= wanted or (or_all_read and self.all_read()))

    def until_read(self) -> None:
        """Until the first run of each source has ended."""
        self.until("runs end", self.all_read)

    def until_workers_are_ready(self) -> None:
        """Until those that live have started: before that, a signal to end is no orderly end."""
        for worker in self.workers:
            self.until("a worker is ready", partial(self._is_ready, worker))

    def _is_ready(self, worker: "subprocess.Popen[bytes]") -> bool:
        said = (str(line.get("event", "")) for line in self.log(worker))
        return worker.poll() is not None or any(event.endswith(" ready.") for event in said)

    def all_read(self) -> bool:
        """Has the first run of each source ended?"""
        ended = "SELECT count(DISTINCT source_id) FROM runs WHERE status = 'completed'"
        return bool(self.ask(ended)[0][0] == len(self.web.sites))

    def wrong(self) -> list[str]:
        """Everything in the database that differs from the truth, is doubled or is not finished."""
        truths = {site: self.web.truth(site) for site in self.web.sites}
        return Books.read(self.database).wrong(truths, bodies=self.folder / "larder-data" / "pages")

    def log(self, process: "subprocess.Popen[bytes]") -> list[dict[str, Any]]:
        """The lines of a process that logs JSON."""
        path = self.folder / f"{self.processes.index(process)}.log"
        return [json.loads(line) for line in path.read_text().splitlines() if _is_whole(line)]

    def logs(self) -> str:
        return "\n".join(
            f"== {log.name}\n{log.read_text(errors='replace')[-3_000:]}"
            for log in sorted(self.folder.glob("*.log"))
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


def _is_whole(line: str) -> bool:
    return line.startswith("{") and line.endswith("}")


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
    """A process with all of its children, at once."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def deployed(
    folder: Path, *, database: str, broker: str = "", sites: int, listings: int
) -> Iterator[Deployment]:
    """A source for each of so many sites; nothing is started yet but the sites."""
    names = [f"127.77.0.{number}" for number in range(1, sites + 1)]
    env = {
        "LARDER_DATABASE": database,
        "LARDER_BROKER": broker,
        "LARDER_QUEUE_PREFIX": f"{uuid4().hex[:8]}.",
        "LARDER_LISTEN": "127.0.0.1:0",
        "LARDER_STAGGER_SECONDS": "0",
        "LARDER_SLICE_SECONDS": "3",
        "LARDER_LEASE_SECONDS": str(LEASE),
        "LARDER_PARSE_WORKERS": "1",
        "LARDER_TICK_SECONDS": str(TICK),
    }
    with MadeUpWeb(folder=folder, sites=names, listings=listings) as web:
        deployment = Deployment(web=web, env=env)
        asyncio.run(_declare(deployment))
        try:
            yield deployment
        finally:
            for process in deployment.processes:
                kill(process)


async def _declare(deployment: Deployment) -> None:
    async with open_app(deployment._settings(), upgrade=True) as app:
        for site in deployment.web.sites:
            await app.run(_declare_site, site, port=deployment.web.port)


def _declare_site(conn: Conn, site: str, *, port: int) -> None:
    """The site with its limits, whose terms were reviewed, and a source that is due."""
    now = datetime.now(UTC)
    limits = {"local": 1, "spacing_ms": SPACING_MS, "at_once": AT_ONCE, "terms_reviewed_at": now}
    sources.ensure_site(conn, site, limits, now=now)
    only_discovery(conn, listings_of(site, url=f"http://{site}:{port}/listings"), now=now)
