"""Processes, ports and folders that belong to one service alone.

The rule: a process is signalled only while its start time matches what was recorded, so that no heir to its
number is ever hit; and a folder is one that the service's user, and nobody else, can use.
"""

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

SOCKET_ROOM = 80  # characters of a folder that leave room for a unix socket's name within the system's 107


class Process(NamedTuple):
    """The leader of a session, told from a later process of the same number by when it started."""

    pid: int
    started: int


def stat_of(pid: int) -> list[str] | None:
    """/proc/PID/stat from its third field on (state, parent, group, session …); None once it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else fields


def started(pid: int) -> int | None:
    fields = stat_of(pid)
    return int(fields[19]) if fields else None


def session_of(leader: Process) -> list[int]:
    """The living processes of the leader's session, none if its number now belongs to somebody else."""
    if started(leader.pid) not in {leader.started, None}:
        return []
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if (fields := stat_of(pid)) and int(fields[3]) == leader.pid]


def alive(process: Process) -> bool:
    return started(process.pid) == process.started


def account(user: str | None) -> dict[str, Any]:
    """What subprocess needs to run something as this user; None is the present one."""
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}


def spawn(command: list[str | Path], folder: Path, *, user: str | None = None, **environment: str) -> Process:
    """Start a command in a session of its own, with its output in the service's log."""
    surroundings = {**os.environ, **environment}
    with log_of(folder).open("ab") as log:
        pid = subprocess.Popen(
            command,
            cwd=folder,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            **account(user),
        ).pid
    return Process(pid, started(pid) or 0)


def end(leader: Process, ending: signal.Signals) -> None:
    """Ask the session to end, wait until it has, and insist if it does not."""
    if alive(leader):
        os.kill(leader.pid, ending)
    if not within(10, lambda: not session_of(leader)):
        for pid in session_of(leader):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def free_port() -> int:
    """A port below the range that outgoing connections draw theirs from: none of them can snatch it."""
    while True:
        port = random.randint(15_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def answers(port: int, question: bytes, *answer: bytes) -> bool:
    """Does what listens there speak the protocol it should?"""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(question)
            return connection.recv(16).startswith(answer)
    except OSError:
        return False


def private_folder(preferred: Path, owner: str | None = None) -> Path:
    """An empty folder for `owner` alone: the preferred one, or a temporary one if that will not do."""
    shutil.rmtree(preferred, ignore_errors=True)
    preferred.mkdir(mode=0o700)
    if handed_over(preferred, owner) and len(str(preferred)) <= SOCKET_ROOM:
        return preferred
    preferred.rmdir()
    elsewhere = Path(tempfile.mkdtemp(prefix=f"larder-{preferred.name}-"))
    handed_over(elsewhere, owner)
    return elsewhere


def handed_over(folder: Path, owner: str | None) -> bool:
    """Give the folder to its owner; False if one of its parents is closed to him."""
    if owner:
        shutil.chown(folder, owner)
    return subprocess.run(["test", "-w", folder], check=False, cwd="/", **account(owner)).returncode == 0


def log_of(folder: Path) -> Path:
    return folder / "service.log"
