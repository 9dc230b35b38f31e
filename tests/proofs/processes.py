"""The processes of a proof: the made-up web, and drivers that may be killed or frozen at any moment."""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.request_log import LoggedRequest, RequestLog

ROOT = Path(__file__).resolve().parents[2]
START = datetime(2026, 1, 5, tzinfo=UTC)
PATIENCE = 60
"""Seconds that a process may take to end when it is told to."""


class Process:
    """A Python process that says one line when it is ready."""

    def __init__(self, module: str, arguments: Sequence[str], *, errors: Path) -> None:
        self._errors = errors.open("a")
        self._popen = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def alive(self) -> bool:
        return self._popen.poll() is None

    def ready(self) -> str:
        """Its first line; empty where it ended without one."""
        return self._popen.stdout.readline() if self._popen.stdout else ""

    def ends_within(self, seconds: float) -> bool:
        """Let it live for so long; whether it came to its end by itself."""
        try:
            self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def send(self, number: signal.Signals) -> None:
        self._popen.send_signal(number)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it, whatever state it is in; its exit code."""
        if self.alive:
            self.send(number)
            self.send(signal.SIGCONT)
        try:
            code = self._popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            code = self._popen.wait()
        if self._popen.stdout:
            self._popen.stdout.close()
        self._errors.close()
        return code


@dataclass(slots=True, kw_only=True)
class MadeUpWeb:
    """Made-up sites served by a process of their own, whose time stands still: the truth does not move."""

    folder: Path
    sites: Sequence[str]
    listings: int
    seed: int = 7
    port: int = 0
    _process: Process | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        names = [word for site in self.sites for word in ("--site", site)]
        world = ["--stock", str(self.listings), "--seed", str(self.seed), "--start", START.isoformat()]
        self._process = Process(
            "larder.sim.server",
            [*names, *world, "--speed", "0", "--log", str(self._log)],
            errors=self.folder / "web.err",
        )
        self.port = json.loads(self._process.ready())["port"]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.end()

    @property
    def _log(self) -> Path:
        return self.folder / "visits.jsonl"

    def request_log(self) -> RequestLog:
        """All visits so far."""
        return RequestLog.read(self._log)

    def truth(self, site: str) -> dict[str, Listing]:
        """What is on a site, by platform id."""
        seed = self.seed + list(self.sites).index(site)
        return dict(ClassifiedsTruth(seed=seed, start=START, stock=self.listings).live(START))


def driver(
    web: MadeUpWeb,
    *,
    database: str = "",
    spacing_ms: int = 0,
    at_once: int = 32,
    lease: float = 30,
    name: str = "driver",
    forever: bool = False,
) -> Process:
    """A driver of that web; where no database is named, on SQLite in the web's folder."""
    sites = [word for site in web.sites for word in ("--site", site)]
    manners = ["--spacing-ms", str(spacing_ms), "--at-once", str(at_once), "--lease", str(lease)]
    place = ["--data", str(web.folder / "larder"), "--database", database, "--port", str(web.port)]
    rest = ["--name", name, *(["--forever"] if forever else [])]
    arguments = [*place, *sites, *manners, *rest]
    return Process("tests.proofs.drive", arguments, errors=web.folder / f"{name}.err")


def driver_of(visit: LoggedRequest) -> str:
    """The driver that a visit's user agent names."""
    return visit.agent.rstrip(")").rsplit("/", 1)[-1]
