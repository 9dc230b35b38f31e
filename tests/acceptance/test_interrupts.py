"""Ctrl-C and SIGTERM end every command quietly: one line, no traceback, nothing left behind."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.acceptance.conftest import HOST, PATIENCE, Shell

Signals = tuple[signal.Signals, ...]
SIGNALS = [
    pytest.param((signal.SIGINT,), id="Ctrl-C"),
    pytest.param((signal.SIGTERM,), id="SIGTERM"),
    pytest.param((signal.SIGINT, signal.SIGINT), id="Ctrl-C twice"),
]


async def ended(process: asyncio.subprocess.Process, signals: Signals) -> tuple[int | None, str, str]:
    """Its exit code, and what it printed after the signals."""
    for number in signals:
        process.send_signal(number)
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, out.decode(), err.decode()


async def line_with(process: asyncio.subprocess.Process, words: bytes) -> None:
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        async for line in process.stdout:
            if words in line:
                return
    raise AssertionError(f"it ended without {words!r}")


@pytest.mark.parametrize("signals", SIGNALS)
async def test_l10_17_the_demo_ends_quietly(tmp_path: Path, signals: Signals) -> None:
    shell = Shell(folder=tmp_path, env={"TMPDIR": str(tmp_path)})
    process = await shell.start("demo")
    await line_with(process, b"Larder is at")
    code, out, err = await ended(process, signals)
    assert code == 0
    assert "Traceback" not in err + out
    assert len(err.splitlines()) <= 1
    assert "Done." in out or err.startswith("stopped by")
    assert not list(tmp_path.glob("larder-demo-*"))  # noqa: ASYNC240 - an empty folder is quickly read


@pytest.mark.parametrize("signals", SIGNALS)
async def test_l10_17_up_ends_quietly(larder: Shell, signals: Signals) -> None:
    process = await larder.start("up")
    await line_with(process, b"event=up")
    code, out, err = await ended(process, signals)
    assert code == 0
    assert "Traceback" not in err + out
    assert "event=down" in out or err.startswith("stopped by")


@asynccontextmanager
async def silent_server() -> AsyncIterator[tuple[int, Callable[[], Awaitable[bool]]]]:
    """Accepts connections and answers nothing; gives its port, and a wait for the first request."""
    asked = asyncio.Event()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        asked.set()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hold, HOST, 0)
    async with server:
        yield server.sockets[0].getsockname()[1], asked.wait


@pytest.mark.parametrize(
    ("number", "code", "name"),
    [(signal.SIGINT, 130, "Ctrl-C"), (signal.SIGTERM, 143, "SIGTERM")],
)
async def test_l10_17_a_command_that_waits_for_a_site_ends_with_one_line(
    larder: Shell, number: signal.Signals, code: int, name: str
) -> None:
    async with silent_server() as (port, asked):
        await larder("site", "set", HOST, "--local")
        process = await larder.start("fetch", f"http://{HOST}:{port}/page")
        await asyncio.wait_for(asked(), PATIENCE)
        assert await ended(process, (number,)) == (code, "", f"error: stopped by {name}\n")


async def test_l10_17_a_run_that_is_waited_for_says_how_it_continues(larder: Shell) -> None:
    async with silent_server() as (port, asked):
        url = f"http://{HOST}:{port}/listings"
        await larder(
            "source", "add", url, "--kind", "listing", "--slug", "homes", "--terms-reviewed", "--local"
        )
        process = await larder.start("run", "start", "homes", "--json")
        await asyncio.wait_for(asked(), PATIENCE)
        code, out, err = await ended(process, (signal.SIGINT,))
    assert (code, out) == (130, "")
    assert err == "error: stopped by Ctrl-C: run 1 has not ended; it continues with: larder up\n"
