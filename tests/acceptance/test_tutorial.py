"""The first lesson, followed to the letter: every line after a `$` is given to a shell as it stands.

Only the port is another one, as 8080 may be taken, and `larder up` listens where there is room.
"""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.acceptance.conftest import HOST, PATIENCE

LESSON = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "first-source.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
STEP = re.compile(r"^\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).+\n)*)", re.MULTILINE)
SITE, UP = "python -m larder.sim.server", "larder up"
"""What runs until it is stopped: the site, in a terminal of its own, and Larder, until Ctrl-C."""


def steps() -> list[tuple[str, list[str]]]:
    """Each command with the lines that the lesson shows below it."""
    text = "".join(BLOCK.findall(LESSON.read_text()))
    return [(step["command"], step["shown"].splitlines()) for step in STEP.finditer(text)]


class Terminal:
    """Gives commands to a shell, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
        path = f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}"
        quick = {"LARDER_TICK_SECONDS": "0.2", "LARDER_STAGGER_SECONDS": "0", "LARDER_LISTEN": f"{HOST}:0"}
        self.folder, self.env, self.port = folder, {**kept, **quick, "PATH": path, "COLUMNS": "100"}, _free()

    async def start(self, command: str) -> asyncio.subprocess.Process:
        """As it is typed, but for the port; in place of the shell, so that its exit code is told."""
        return await asyncio.create_subprocess_shell(
            "exec " + re.sub(r"\b8080\b", str(self.port), command),
            cwd=self.folder,
            env=self.env,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )

    async def __call__(self, command: str) -> list[str]:
        """The lines of a command that ends well."""
        process = await self.start(command)
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert process.returncode == 0, f"{command}: {err.decode()}"
        return [line.rstrip() for line in out.decode().splitlines()]

    @asynccontextmanager
    async def running(self, command: str, word: bytes) -> AsyncIterator[None]:
        """A command that has said this word; at the end Ctrl-C, after which it must end well."""
        process = await self.start(command)
        try:
            await asyncio.wait_for(_until(process, word), PATIENCE)
            yield
            os.killpg(process.pid, signal.SIGINT)
            _, err = await asyncio.wait_for(process.communicate(), PATIENCE)
            assert (process.returncode, b"Traceback" in err) == (0, False), err.decode()
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.communicate()


def _free() -> int:
    with socket.create_server((HOST, 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


async def _until(process: asyncio.subprocess.Process, word: bytes) -> None:
    assert process.stdout is not None
    async for line in process.stdout:
        if word in line:
            return
    raise AssertionError(f"it ended without {word.decode()}")


@pytest.mark.timeout(300)
async def test_every_step_shows_what_the_lesson_says(tmp_path: Path) -> None:
    terminal, (first, *others) = Terminal(tmp_path), steps()
    assert first[0].startswith(SITE)
    done = 1
    async with terminal.running(first[0], b'"port"'):
        for command, shown in others:
            if command == UP:
                async with terminal.running(command, b"event=up"):
                    lines: list[str] = []
            else:
                lines = await terminal(command)
            assert [line for line in shown if line not in lines] == [], command
            done += 1
    assert done == len(steps())


def test_the_lesson_has_its_steps() -> None:
    commands = [command for command, _ in steps()]
    assert commands[1] == "larder init"
    assert {"larder up", "larder run start homes", "larder why homes", "larder status"} <= set(commands)
    assert len(commands) == LESSON.read_text().count("\n$ "), "none is left out"
