"""A pool of worker processes that parse pages, each page within a deadline of CPU seconds.

A worker that exceeds its time or memory is killed and replaced, and its task ends in `ParseAborted`; other
tasks and the event loop never wait for it. Nothing is started before the first task.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from larder.core.errors import ParseAborted, Unusable
from larder.core.model.outcome import FailReason
from larder.core.plurals import noun
from larder.engine.parse_workers.fork_server import ForkServer, WorkerDied, WorkerProcess
from larder.engine.parse_workers.messages import ReplyKind, WorkerSetup, dump_task, load_reply

log = logging.getLogger("larder.parse")

T = TypeVar("T")

RECYCLE_AFTER = 5_000
"""Pages after which a worker is replaced, so that no leak grows for ever."""
STARTS = 3
"""Attempts to start a worker."""
RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLimits:
    """How many workers there are, and what a page may cost."""

    workers: int
    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    recycle_after: int = RECYCLE_AFTER


@dataclass(slots=True, kw_only=True)
class ParsePool:
    """Runs tasks in worker processes."""

    limits: PoolLimits
    preload: Sequence[str] = ()
    adapters_dir: Path | None = None
    concurrent = True
    _server: ForkServer | None = None
    _slots: dict[int, WorkerProcess | None] = field(default_factory=dict)
    """By number, idle places and their workers; None: not started."""
    _room: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._room = asyncio.Semaphore(self.limits.workers)
        self._slots = dict.fromkeys(range(self.limits.workers))

    async def run(self, task: Callable[[], T], *, pages: int = 1, affinity: int = 0) -> T:
        """Run a task in a worker; errors of the task are raised here."""
        message = dump_task(task)
        async with self._room:
            number = self._choose(affinity)
            worker = self._idle_worker(number)
            try:
                worker = worker or await self._start()
                kind, reply = await self._call(worker, message, pages)
            except BaseException:
                if worker is not None:
                    worker.kill()
                worker = None
                raise
            finally:
                self._slots[number] = worker
            self._recycle(number, kind)
        result: T = self._result(kind, reply)
        return result

    def _choose(self, affinity: int) -> int:
        """An idle place: the preferred one, else one whose worker is running, else any."""
        preferred = affinity % self.limits.workers
        if preferred in self._slots:
            return preferred
        return max(self._slots, key=lambda number: self._slots[number] is not None)

    def _idle_worker(self, number: int) -> WorkerProcess | None:
        """Take the place; None: its worker is not started, or ended while it was idle."""
        worker = self._slots.pop(number)
        if worker is not None and worker.ended:
            worker.close()
            return None
        return worker

    async def _start(self) -> WorkerProcess:
        for attempt in range(1, STARTS + 1):
            try:
                return await self._fork_server().fork()
            except Unusable:
                if attempt == STARTS:
                    raise
                log.warning("a parse worker did not start; trying again", exc_info=True)
                await asyncio.sleep(RETRY_SECONDS * attempt)
        raise AssertionError("unreachable")

    def _fork_server(self) -> ForkServer:
        if self._server is not None and not self._server.alive:
            self._server.close()
            self._server = None
        if self._server is None:
            self._server = ForkServer(
                WorkerSetup(
                    path=list(sys.path),
                    preload=self.preload,
                    adapters_dir=self.adapters_dir,
                    memory_bytes=self.limits.memory_bytes,
                )
            )
        return self._server

    def warm_up(self) -> None:
        """Start the fork server, which imports while the caller does something else."""
        self._fork_server()

    async def _call(self, worker: WorkerProcess, message: bytes, pages: int) -> tuple[ReplyKind, bytes]:
        limits = self.limits
        worker.pages += pages
        try:
            async with asyncio.timeout(limits.wall_seconds * pages):
                return await worker.call(message, cpu_seconds=limits.cpu_seconds * pages)
        except TimeoutError:
            raise self._too_slow(_seconds(limits.wall_seconds * pages), "WALL_SECONDS") from None
        except WorkerDied as died:
            if _ran_out_of_time(died.trace):
                limit_text = _seconds(limits.cpu_seconds * pages, "CPU second")
                raise self._too_slow(limit_text, "SECONDS", died.trace) from None
            raise _crashed("it crashed the process that read it", died.trace) from None

    @staticmethod
    def _too_slow(limit_text: str, setting: str, trace: str = "") -> ParseAborted:
        log.warning("parsing a page took more than %s: ended", limit_text)
        return ParseAborted(
            f"reading the page took more than {limit_text}",
            reason=FailReason.PARSE_TIMEOUT,
            hint=f"if the page needs more, raise LARDER_PARSE_{setting}",
            trace=trace,
        )

    def _recycle(self, number: int, kind: ReplyKind) -> None:
        worker = self._slots[number]
        spent = worker is not None and worker.pages >= self.limits.recycle_after
        if worker is not None and (spent or kind is ReplyKind.OUT_OF_MEMORY):
            worker.close()
            self._slots[number] = None

    def _result(self, kind: ReplyKind, reply: bytes) -> Any:
        if kind is ReplyKind.OUT_OF_MEMORY:
            limit = self.limits.memory_bytes // 1024**2
            raise _crashed(f"it needs more than {limit} MB of memory", "")
        result = load_reply(reply)
        if kind is ReplyKind.ERROR:
            raise result
        return result

    async def close(self) -> None:
        """End all workers."""
        for number, worker in self._slots.items():
            if worker is not None:
                worker.close()
                self._slots[number] = None
        if self._server is not None:
            self._server.close()
            self._server = None


def _seconds(amount: float, unit: str = "second") -> str:
    return f"{amount:g} {noun(amount, unit)}"


def _ran_out_of_time(trace: str) -> bool:
    return bool(trace) and not trace.startswith("Fatal Python error")


def _crashed(reason: str, trace: str) -> ParseAborted:
    log.warning("a page was not read: %s", reason)
    return ParseAborted(
        f"the page was not read: {reason}",
        reason=FailReason.PARSE_CRASHED,
        hint="if the page needs more, raise LARDER_PARSE_MEMORY_MB",
        trace=trace,
    )
