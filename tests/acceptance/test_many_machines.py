"""The how-to of PostgreSQL and many machines: its commands are given to a shell as they stand there.

Only the addresses of its servers are others: those of real servers on this machine. Installing is left out;
containers and PgBouncer have tests of their own.
"""

import asyncio
import json
import re
import signal
import tomllib
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from larder.sim.server import SimServer
from tests.acceptance.conftest import HOST, PATIENCE
from tests.acceptance.terminal import DOCS, Terminal, steps
from tests.integration.store import s3

PAGE = (DOCS / "how-to" / "many-machines.md").read_text()
EXPORT = re.compile(r"export (?P<name>\w+)=(?P<value>.+)")
PARTS = re.compile(r"^\| `(larder [^`]+)` \|", re.MULTILINE)
LOCAL = "postgresql://larder:PASSWORD@localhost/larder"
SAYS = {"larder beat": b"beat is up", "larder worker": b"ready", "larder up --no-drive": b"event=up"}
"""What each part prints when it is at work."""
SECRET = re.compile(r"`(python -c .+?)`")


def section(heading: str) -> str:
    """The text below a heading of the page."""
    _, _, rest = PAGE.partition(f"## {heading}\n")
    assert rest, heading
    return rest.partition("\n## ")[0]


class Deployer:
    """Types the commands of a section; servers have the addresses of this machine."""

    def __init__(self, folder: Path, addresses: dict[str, str]) -> None:
        self.terminal, self.addresses = Terminal(folder), addresses
        self.terminal.env |= {"LARDER_SLICE_SECONDS": "2", "LARDER_QUEUE_PREFIX": f"{uuid4().hex[:8]}."}

    def _here(self, text: str) -> str:
        for written, here in self.addresses.items():
            text = text.replace(written, here)
        assert ".internal" not in text, text
        return text

    async def follow(self, heading: str) -> list[str]:
        """Do what a section says; the commands that were done."""
        commands = [command for command, _ in steps(section(heading))]
        for command in commands:
            await self._do(self._here(command))
        return commands

    async def _do(self, command: str) -> None:
        if exported := EXPORT.fullmatch(command):
            self.terminal.env[exported["name"]] = exported["value"].strip('"')
        elif command == "larder up":
            async with self.terminal.running(command, b"event=up"):
                pass
        elif command.startswith("pip install"):
            _check_extras(command)
        else:
            await self.terminal(command)

    async def until_records(self, count: int) -> None:
        """Ask `larder status` until it counts so many."""

        async def wait() -> int:
            while True:
                if (found := await self._count()) >= count:
                    return found
                await asyncio.sleep(0.5)  # each question is a process, which slows down what is waited for

        assert await asyncio.wait_for(wait(), PATIENCE) == count

    async def _count(self) -> int:
        status: dict[str, int] = json.loads("".join(await self.terminal("larder status --json")))
        return status["records"]

    async def add_source(self, web: SimServer) -> None:
        """A site of this machine, reviewed, without a pause between requests."""
        await self.terminal(f"larder site set {HOST} --local --spacing 1ms")
        await self.terminal(
            f"larder source add http://{HOST}:{web.port}/listings --kind listing --terms-reviewed"
        )


def _check_extras(command: str) -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["project"]
    named = re.search(r"larder\[(.+)\]", command)
    assert named is not None, command
    assert set(named[1].split(",")) <= project["optional-dependencies"].keys()


@pytest.fixture
def bucket(tmp_path: Path) -> Iterator[s3.Server]:
    with s3.rclone(tmp_path / "bucket") as server:
        yield server


async def test_one_machine_on_postgresql(tmp_path: Path, fresh_postgres: str) -> None:
    deployer = Deployer(tmp_path, {LOCAL: fresh_postgres})
    done = await deployer.follow("One machine")
    assert done[-2:] == ["larder init", "larder up"]


async def test_moving_from_sqlite(tmp_path: Path, fresh_postgres: str, web: SimServer) -> None:
    deployer = Deployer(tmp_path, {LOCAL: fresh_postgres})
    await deployer.terminal("larder init")
    await deployer.add_source(web)
    await deployer.terminal("larder tick --budget 60s")
    await deployer.until_records(30)
    await deployer.follow("Move from SQLite")
    assert deployer.terminal.env["LARDER_DATABASE"] == fresh_postgres
    await deployer.until_records(30)


async def test_many_machines(
    tmp_path: Path, fresh_postgres: str, rabbitmq_url: str, bucket: s3.Server, web: SimServer
) -> None:
    addresses = {
        "postgresql://larder:PASSWORD@db.internal/larder": fresh_postgres,
        "amqp://larder:PASSWORD@queue.internal:5672//": rabbitmq_url,
        "s3://larder-pages": f"s3://{bucket.bucket}",
    }
    deployer, text = Deployer(tmp_path, addresses), section("Many machines")
    (made,) = await deployer.terminal(SECRET.findall(text)[0])
    deployer.addresses["LARDER_SECRET_KEY=…"] = f"LARDER_SECRET_KEY={made}"
    deployer.terminal.env |= {
        "LARDER_PAGES_ENDPOINT": bucket.endpoint,
        "LARDER_PAGES_ACCESS_KEY": s3.KEY,
        "LARDER_PAGES_SECRET": s3.SECRET,
    }
    done = await deployer.follow("Many machines")
    assert done[-2:] == ["larder init", "larder doctor"]
    await deployer.add_source(web)
    commands = PARTS.findall(text)
    assert commands == ["larder beat", "larder worker", "larder up --no-drive"]
    async with AsyncExitStack() as running:
        for command in commands:
            await running.enter_async_context(
                deployer.terminal.running(command, SAYS[command], ended_by=signal.SIGTERM)
            )
        await deployer.until_records(30)


async def test_upgrading(tmp_path: Path, fresh_postgres: str) -> None:
    deployer = Deployer(tmp_path, {})
    deployer.terminal.env["LARDER_DATABASE"] = fresh_postgres
    await deployer.terminal("larder init")
    assert await deployer.follow("Upgrade") != []
    assert (tmp_path / "larder.dump").stat().st_size > 0
