"""A real server of one's own, which may be restarted: those of the tests serve others too."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from tests.proofs.postgres import SERVICES

PATIENCE = 60.0
STEP = 0.05
POLLS = 1_200


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
        _end(self._pid, signal.SIGINT if self._name == "postgres" else signal.SIGTERM)
        self._successor = successor = subprocess.Popen(**again, start_new_session=True)
        self._pid = successor.pid
        for _ in range(POLLS):
            if answers(self.url):
                return
            with suppress(subprocess.TimeoutExpired):
                raise RuntimeError(f"{self._name} ended with {successor.wait(STEP)} when it was restarted")
        raise RuntimeError(f"{self._name} does not answer after its restart")

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


def _end(pid: int, by: signal.Signals) -> None:
    """Send it the signal, and wait until it has ended."""
    process = os.pidfd_open(pid)
    try:
        os.kill(pid, by)
        if not select.select([process], [], [], PATIENCE)[0]:
            raise RuntimeError(f"a server did not end within {PATIENCE:.0f} s")
    finally:
        os.close(process)
