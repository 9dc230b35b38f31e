"""A made-up site on this machine, and real `larder` processes that read it.

Tests that ask for `larder` run on SQLite. Those marked `every_engine` run on all four engines, and
`LARDER_TEST_ENGINE=postgresql|rabbitmq|redis` runs all of them, and nothing else, on that one.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import pytest
from sqlalchemy import Connection, text

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.server import SimServer
from larder.store.database import open_database
from tests import preloaded

T = TypeVar("T")

PATIENCE = 200
START = datetime(2026, 1, 5, tzinfo=UTC)
HOST = "127.0.0.1"
DATA = "larder-data"


ENGINES = ("sqlite", "postgresql", "rabbitmq", "redis")
"""Local on SQLite, local on PostgreSQL, and Celery on each of its brokers and PostgreSQL."""
CHOSEN = os.environ.get("LARDER_TEST_ENGINE", "")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames and (
        CHOSEN or metafunc.definition.get_closest_marker("every_engine")
    ):
        metafunc.parametrize("engine", [CHOSEN] if CHOSEN else ENGINES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With an engine chosen, only what depends on it is left."""
    if CHOSEN:
        items[:] = [item for item in items if "engine" in getattr(item, "fixturenames", ())]


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.fixture
def engine_env(engine: str, request: pytest.FixtureRequest) -> dict[str, str]:
    """The settings of a deployment on this engine."""
    if engine == "sqlite":
        return {}
    local = {"LARDER_DATABASE": request.getfixturevalue("fresh_postgres")}
    if engine == "postgresql":
        return local
    broker = request.getfixturevalue(f"{engine}_url")
    slices = {"LARDER_SLICE_SECONDS": "2", "LARDER_QUEUE_PREFIX": f"{uuid4().hex[:8]}."}
    return {**local, **slices, "LARDER_BROKER": broker}


@dataclass(kw_only=True)
class Shell:
    """Runs `larder …` in a folder, with quick ticks; with a broker, `up` leaves the work to a worker."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    beside: list[asyncio.subprocess.Process] = field(default_factory=list)

    @property
    def database(self) -> str:
        return self.env.get("LARDER_DATABASE") or f"sqlite:///{self.folder / DATA / 'larder.db'}"

    async def start(self, *args: str) -> asyncio.subprocess.Process:
        if args[0] != "up" or "LARDER_BROKER" not in self.env:
            return await self._start(*args)
        if not self.beside:
            self.beside = [
                await self._start(
                    "worker", "--concurrency", "2", "--name", f"{uuid4().hex}@test", quiet=True
                ),
                await self._start("beat", quiet=True),
            ]
        return await self._start("up", "--no-drive", *args[1:])

    async def end_beside(self) -> list[int]:
        """End worker and beat; their exit codes."""
        for process in self.beside:
            process.terminate()
        return [await asyncio.wait_for(process.wait(), PATIENCE) for process in self.beside]

    async def execute(self, statement: str, rows: list[dict[str, Any]]) -> None:
        """Write rows by hand."""

        def write(conn: Connection) -> None:
            conn.execute(text(statement), rows)

        await self._by_hand(write)

    async def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Read rows by hand."""
        return await self._by_hand(lambda conn: [tuple(row) for row in conn.execute(text(query))])

    async def _by_hand(self, work: Callable[[Connection], T]) -> T:
        database = open_database(self.database)
        try:
            return await database.run(work)
        finally:
            await database.close()

    @property
    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
        quick = {"LARDER_TICK_SECONDS": "0.2", "LARDER_STAGGER_SECONDS": "0", "LARDER_LISTEN": "127.0.0.1:0"}
        return {**kept, **quick, **self.env}

    async def _start(self, *args: str, quiet: bool = False) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "larder", *args),
            cwd=self.folder,
            env=self._environment,
            stdout=sys.stderr if quiet else asyncio.subprocess.PIPE,
            stderr=sys.stderr if quiet else asyncio.subprocess.PIPE,
        )

    async def __call__(self, *args: str, code: int = 0) -> str:
        """The output of a command that ends with that code."""
        ended = await asyncio.to_thread(
            preloaded.run, *args, folder=self.folder, env=self._environment, max_wait=PATIENCE
        )
        assert ended.code == code, ended.err
        return ended.out

    async def json(self, *args: str) -> Any:
        """Its one document."""
        return json.loads(await self(*args, "--json"))


@dataclass(kw_only=True)
class Up:
    """A `larder up` that is being read."""

    process: asyncio.subprocess.Process

    async def until(self, event: str, **facts: Any) -> dict[str, Any]:
        """Read on to the line that says this."""
        return await asyncio.wait_for(self._until(event, facts), PATIENCE)

    async def _until(self, event: str, facts: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            said: dict[str, Any] = json.loads(line)
            if said["event"] == event and facts.items() <= said.items():
                return said
        raise AssertionError(f"it ended without {event} {facts}: {await self._complaint()}")

    async def _complaint(self) -> str:
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Ask it to end; its exit code."""
        self.process.send_signal(number)
        await self.until("down")
        return await asyncio.wait_for(self.process.wait(), PATIENCE)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a new Larder on SQLite."""
    shell = Shell(folder=tmp_path_factory.mktemp("made"))
    asyncio.run(shell("init"))
    return shell.folder / DATA


@pytest.fixture
async def larder(tmp_path: Path, engine_env: dict[str, str], made_once: Path) -> AsyncIterator[Shell]:
    """A new Larder."""
    shell = Shell(folder=tmp_path, env=engine_env)
    if engine_env:
        await shell("init")
    else:
        shutil.copytree(made_once, tmp_path / DATA)
    yield shell
    codes = await shell.end_beside()
    assert not any(codes), codes


@pytest.fixture
async def up(larder: Shell) -> AsyncIterator[Up]:
    """The same, at work."""
    process = await larder.start("up", "--json")
    running = Up(process=process)
    await running.until("up")
    yield running
    if process.returncode is None:
        process.kill()
        await process.communicate()


@pytest.fixture
async def web() -> AsyncIterator[SimServer]:
    """A small site at an address of this machine."""
    truth = ClassifiedsTruth(seed=1, start=START, stock=30)
    async with SimServer([ClassifiedsSite(name=HOST, classifieds=truth, per_page=10)], start=START) as server:
        yield server
