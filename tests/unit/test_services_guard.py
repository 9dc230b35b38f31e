"""No test reaches the outside, and one that tries fails even if the code under test hides it."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import is_local
from tests.services import ROOT

STEALTHY = """
import asyncio, contextlib, socket

def test_blocking():
    with contextlib.suppress(OSError):
        socket.create_connection(("192.0.2.1", 80))

async def test_asyncio():
    with contextlib.suppress(OSError):
        await asyncio.open_connection("192.0.2.1", 80)

def test_connect_ex():
    with socket.socket() as own, contextlib.suppress(OSError):
        own.connect_ex(("192.0.2.1", 80))
"""


def test_a_swallowed_refusal_still_fails_the_test(tmp_path: Path) -> None:
    stealthy = tmp_path / "test_stealthy.py"
    stealthy.write_text(STEALTHY)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    told = subprocess.run(
        [*command, f"--rootdir={tmp_path}", "-o", "asyncio_mode=auto", stealthy],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 passed, 3 errors" in told.stdout
    account, _, _ = told.stdout.partition("short test summary info")
    assert account.count("connected to the outside: [('192.0.2.1', 80)]") == 3


async def test_loopback_is_open() -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("address", "local"),
    [
        pytest.param(("127.0.0.1", 80), True, id="loopback"),
        pytest.param(("127.8.8.8", 80), True, id="all of 127/8"),
        pytest.param(("::1", 80, 0, 0), True, id="IPv6 loopback"),
        pytest.param(("localhost", 80), True, id="localhost"),
        pytest.param("/run/some.sock", True, id="unix socket"),
        pytest.param(("10.0.0.1", 80), False, id="private is outside too"),
        pytest.param(("169.254.169.254", 80), False, id="metadata"),
        pytest.param(("fe80::1%eth0", 80, 0, 2), False, id="link-local with a zone"),
        pytest.param(("0.0.0.0", 80), False, id="unspecified"),
        pytest.param(("example.com", 80), False, id="a name"),
    ],
)
def test_what_counts_as_this_machine(address: object, local: bool) -> None:
    assert is_local(address) is local
