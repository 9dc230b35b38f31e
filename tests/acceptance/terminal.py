"""Gives the commands of a page of the documentation to a shell, as they stand there."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.acceptance.conftest import HOST, PATIENCE

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
STEP = re.compile(r"^\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).+\n)*)", re.MULTILINE)


def steps(text: str) -> list[tuple[str, list[str]]]:
    """Each command of a page or of a part of it, with the lines that are shown below it."""
    blocks = "".join(BLOCK.findall(text))
    return [(step["command"], step["shown"].splitlines()) for step in STEP.finditer(blocks)]


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
    async def running(
        self, command: str, word: bytes, *, ended_by: signal.Signals = signal.SIGINT
    ) -> AsyncIterator[None]:
        """A command that has said this word; at the end Ctrl-C or SIGTERM, after which it must end well."""
        process = await self.start(command)
        try:
            await asyncio.wait_for(_until(process, word), PATIENCE)
            yield
            (os.killpg if ended_by is signal.SIGINT else os.kill)(process.pid, ended_by)
            _, err = await asyncio.wait_for(process.communicate(), PATIENCE)
            assert (process.returncode, b"Traceback" in err) == (0, False), f"{command}: {err.decode()}"
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
