"""A made-up site on this machine, and a real `larder` process that reads it."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.server import SimServer

PATIENCE = 100
START = datetime(2026, 1, 5, tzinfo=UTC)
HOST = "127.0.0.1"


@dataclass(kw_only=True)
class Shell:
    """Runs `larder …` in a folder, with quick ticks."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    async def start(self, *args: str) -> asyncio.subprocess.Process:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
        quick = {"LARDER_TICK_SECONDS": "0.2", "LARDER_STAGGER_SECONDS": "0", "LARDER_LISTEN": "127.0.0.1:0"}
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "larder", *args),
            cwd=self.folder,
            env={**kept, **quick, **self.env},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def __call__(self, *args: str, code: int = 0) -> str:
        """The output of a command that ends with that code."""
        process = await self.start(*args)
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert process.returncode == code, err.decode()
        return out.decode()

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


@pytest.fixture
async def larder(tmp_path: Path) -> Shell:
    """A new Larder."""
    shell = Shell(folder=tmp_path)
    await shell("init")
    return shell


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
