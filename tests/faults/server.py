"""A PostgreSQL server of one's own that can be taken away and brought back, with all it knows."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.services import free_port, missing

_OPTIONS = "-c fsync=off -c max_connections=40 -c listen_addresses=127.0.0.1"


class PrivateServer:
    """A cluster in a folder; started and stopped by the test that holds it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.running = False
        self.own(folder)
        self._call(
            "initdb", "--pgdata", str(folder / "cluster"), "--auth=trust", "--username=larder", "--no-sync"
        )

    @property
    def url(self) -> str:
        return f"postgresql://larder@127.0.0.1:{self.port}/postgres"

    def own(self, folder: Path) -> None:
        """Give a folder to the server's user."""
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")

    def start(self) -> None:
        options = f"{_OPTIONS} -p {self.port} -k {self.folder}"
        log = str(self.folder / "log")
        self._call("pg_ctl", "start", "-w", "-D", str(self.folder / "cluster"), "-o", options, "-l", log)
        self.running = True

    def stop(self) -> None:
        """As an administrator would: whoever is connected is told, and cut off."""
        self._call("pg_ctl", "stop", "-w", "-m", "fast", "-D", str(self.folder / "cluster"))
        self.running = False

    def _call(self, program: str, *arguments: str) -> None:
        command = [_program(program), *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            **_account(),
        )
        if done.returncode:
            missing("a PostgreSQL server of one's own", done.stderr.decode(errors="replace").strip())


@contextmanager
def private_server() -> Iterator[PrivateServer]:
    """Started; gone afterwards, with its folder (not pytest's: that one lets nobody else in)."""
    with TemporaryDirectory(prefix="larder-server-") as folder:
        server = PrivateServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            if server.running:
                server.stop()


def _program(name: str) -> str:
    packaged = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda p: float(p.parts[-3]))
    found = str(packaged[-1]) if packaged else shutil.which(name)
    if not found:
        missing("PostgreSQL", f"there is no {name}")
    return str(found)


def _account() -> dict[str, Any]:
    """The server refuses to run as root."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
