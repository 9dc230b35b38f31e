"""A real server of one's own, which may be restarted: those of the tests serve others too."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from tests.proofs.postgres import SERVICES

PATIENCE = 60.0
STEP = 0.05


class PrivateServer:
    """A service of `scripts/services` in a folder of its own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._folder = TemporaryDirectory(prefix="larder-")
        self._successor: subprocess.Popen[bytes] | None = None
        self.url = ""

    def __enter__(self) -> Self:
        self._services("start")
        self.url = self._state()["url"]
        self._pid = int(self._state()["processes"][0][0])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._successor is not None:
            self._successor.kill()
            self._successor.wait()
        self._services("stop")
        self._folder.cleanup()

    def restart(self, answers: Callable[[str], bool]) -> None:
        """End it and start it again with the same command, in the same folder, at the same address."""
        again = _started_as(self._pid)
        os.kill(self._pid, signal.SIGINT if self._name == "postgres" else signal.SIGTERM)
        _within(lambda: not _alive(self._pid) or self._ended())
        self._successor = subprocess.Popen(**again, start_new_session=True)
        self._pid = self._successor.pid
        _within(lambda: answers(self.url))

    def _ended(self) -> bool:
        return self._successor is not None and self._successor.poll() is not None

    def _services(self, command: str) -> None:
        env = {**os.environ, "LARDER_SERVICES_DIR": self._folder.name}
        subprocess.run([SERVICES, command, self._name], check=True, env=env, stdout=subprocess.DEVNULL)

    def _state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads((Path(self._folder.name) / "state.json").read_text())
        return state[self._name]  # type: ignore[no-any-return]


def _started_as(pid: int) -> dict[str, Any]:
    """What starts the same process again."""
    process = Path(f"/proc/{pid}")
    program = (process / "exe").readlink()
    words = process.joinpath("cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    if program.name.startswith("redis"):  # it writes its address over its command line
        words = [b"redis-server", b"redis.conf"]
    env = dict(
        entry.split(b"=", 1) for entry in process.joinpath("environ").read_bytes().split(b"\0") if entry
    )
    owner = process.stat()
    user = {"user": owner.st_uid, "group": owner.st_gid} if owner.st_uid != os.geteuid() else {}
    folder = (process / "cwd").readlink()
    return {
        "args": words,
        "executable": program,
        "env": env,
        "cwd": folder,
        "stdin": subprocess.DEVNULL,
        "stdout": (folder / "service.log").open("ab"),
        "stderr": subprocess.STDOUT,
        **user,
    }


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def _within(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"a server did not end or start within {PATIENCE:.0f} s")
        time.sleep(STEP)
