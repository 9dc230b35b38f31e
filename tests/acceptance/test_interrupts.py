"""Ctrl-C and SIGTERM end every command quietly: one line, no traceback, nothing left behind."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

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


@asynccontextmanager
async def freezing(broker: str) -> AsyncIterator[tuple[str, Callable[[], Awaitable[None]]]]:
    """The broker's address by way of a forwarder, and a function that stops its answers."""
    parts, frozen, asked = urlsplit(broker), asyncio.Event(), asyncio.Event()

    async def forward(source: asyncio.StreamReader, target: asyncio.StreamWriter, *, answers: bool) -> None:
        while some := await source.read(65_536):
            if answers and frozen.is_set():
                continue
            if frozen.is_set():
                asked.set()
            target.write(some)
        target.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(parts.hostname, parts.port)
        with suppress(ConnectionError):
            await asyncio.gather(forward(reader, back, answers=False), forward(there, writer, answers=True))

    async def freeze() -> None:
        frozen.set()
        await asyncio.wait_for(asked.wait(), PATIENCE)

    server = await asyncio.start_server(connect, HOST, 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.port}", f":{port}"))), freeze


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
async def test_l11_beat_ends_while_its_broker_does_not_answer(
    tmp_path: Path, fresh_postgres: str, rabbitmq_url: str, number: signal.Signals
) -> None:
    async with freezing(rabbitmq_url) as (broker, freeze):
        env = {"LARDER_DATABASE": fresh_postgres, "LARDER_BROKER": broker}
        shell = Shell(folder=tmp_path, env=env | {"LARDER_QUEUE_PREFIX": f"{uuid4().hex[:8]}."})
        await shell("init")
        beat = await shell.start("beat", "--json")
        await line_with(beat, b"beat is up")
        await freeze()
        code, _, err = await ended(beat, (number,))
    assert (code, "Traceback" in err) == (0, False)
