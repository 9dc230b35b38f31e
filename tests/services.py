"""Where the services of the tests are, and what to do if one is not there.

The rule: outside CI a missing service skips the tests that need it; in CI it is an error, because a suite
that quietly tests less is worse than one that fails. Whoever runs the suite may name a service in
`LARDER_TEST_…`; otherwise it is started on first use, and keeps running until `scripts/services stop`.
"""

import contextlib
import os
import random
import shlex
import shutil
import socket
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
SERVICES = ROOT / "scripts" / "services"


def url_of(service: str) -> str:
    """The address of a running service: named by the environment, or started now."""
    named = os.environ.get(variable(service))
    return named or start(service)


def start(service: str) -> str:
    started = subprocess.run([SERVICES, "start", service], capture_output=True, text=True, check=False)
    if started.returncode:
        missing(service, started.stderr.strip())
    exports = subprocess.run([SERVICES, "env", service], capture_output=True, text=True, check=True).stdout
    return parse_exports(exports)[variable(service)]


def program(name: str) -> str:
    """A program that a test runs itself; Debian keeps some where only root looks."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    return path or missing(name, f"{name} is not installed")


def missing(service: str, reason: str) -> NoReturn:
    """Skip, or fail in CI; does not return."""
    message = f"{service} is not to be had: {reason}"
    if os.environ.get("CI") == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def parse_exports(lines: str) -> dict[str, str]:
    """`export NAME=value` lines as a shell would read them."""
    words = [word for word in shlex.split(lines) if word != "export"]
    return dict(word.split("=", 1) for word in words)


def variable(service: str) -> str:
    return f"LARDER_TEST_{service.upper()}"


def free_port() -> int:
    """As `scripts/processes.py` chooses one, which runs where nothing of ours can be imported yet."""
    while True:
        port = random.randint(15_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
