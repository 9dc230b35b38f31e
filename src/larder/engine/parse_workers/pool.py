"""A pool of worker processes that parse pages, each page within a deadline of CPU seconds.

A worker that exceeds its time or memory is killed and replaced, and its task ends in `ParseAborted`; other
tasks and the event loop never wait for it. Nothing is started before the first task. Tasks of one page that
have to wait go to a worker several at once; if it fails at them, each is run once more by itself.
"""

import asyncio
import logging
import sys
from collections import deque
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
"""Pages after which a worker is replaced, so that no leak grows without bound."""
MAX_BATCH = 8
MAX_BATCH_BYTES = 4_000_000
"""Maximum bytes of the tasks given to a worker at once.

Waking both processes for each costs a third of a page.
"""
STARTS = 3
"""Attempts to start a worker."""
RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLimits:
    """The number of workers, and the limits of a page."""

    workers: int
    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    recycle_after: int = RECYCLE_AFTER


class _FailedAtSeveral(Exception):
    """A worker ended while it had several tasks, so the one that failed is unknown."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Waiting:
    """A task, and the reply to it."""

    message: bytes
    pages: int
    affinity: int
    reply: asyncio.Future[tuple[ReplyKind, bytes]]
    is_alone: bool = False
    """Whether it was among several tasks on which a worker failed."""

    @property
    def may_share(self) -> bool:
        """Whether a worker may be given other tasks with it."""
        return self.pages == 1 and not self.is_alone


@dataclass(slots=True, kw_only=True)
class ParsePool:
    """Runs tasks in worker processes."""

    limits: PoolLimits
    preload: Sequence[str] = ()
    adapters_dir: Path | None = None
    concurrent = True
    _server: ForkServer | None = None
    _slots: dict[int, WorkerProcess | None] = field(default_factory=dict)
    """Idle slots with their workers, by number; None: not started."""
    _queue: deque["_Waiting"] = field(default_factory=deque)
    _jobs: dict[asyncio.Task[None], list["_Waiting"]] = field(default_factory=dict)
    """The tasks that are running."""

    def __post_init__(self) -> None:
        self._slots = dict.fromkeys(range(self.limits.workers))

    async def run(self, task: Callable[[], T], *, pages: int = 1, affinity: int = 0) -> T:
        """Run a task in a worker; errors of the task are raised here."""
        reply = asyncio.get_running_loop().create_future()
        waiting = _Waiting(message=dump_task(task), pages=pages, affinity=affinity, reply=reply)
        self._queue.append(waiting)
        self._dispatch()
        try:
            kind, message = await reply
        except asyncio.CancelledError:
            self._abandon(waiting)
            raise
        result: T = self._result(kind, message)
        return result

    def _dispatch(self) -> None:
        """Give waiting tasks to idle workers."""
        while self._slots and self._queue:
            batch = self._next_batch()
            number = self._choose(batch[0].affinity)
            job = asyncio.create_task(self._work(number, self._idle_worker(number), batch))
            self._jobs[job] = batch
            job.add_done_callback(self._jobs.pop)

    def _next_batch(self) -> list["_Waiting"]:
        """The next task, and of the small ones behind it this worker's share."""
        batch = [self._queue.popleft()]
        share = min(-(-(len(self._queue) + 1) // self.limits.workers), MAX_BATCH)
        size = len(batch[0].message)
        while self._queue and len(batch) < share and batch[0].may_share and self._queue[0].may_share:
            size += len(self._queue[0].message)
            if size > MAX_BATCH_BYTES:
                break
            batch.append(self._queue.popleft())
        return batch

    def _abandon(self, waiting: "_Waiting") -> None:
        """Nobody waits for the task any more; a worker without other tasks is killed."""
        if waiting in self._queue:
            self._queue.remove(waiting)
        for job, batch in self._jobs.items():
            if waiting in batch and all(each.reply.done() for each in batch):
                job.cancel()

    async def _work(self, number: int, worker: WorkerProcess | None, batch: list["_Waiting"]) -> None:
        """Run tasks in one worker; where it fails at several, those without a reply are run one by one."""
        try:
            worker = worker or await self._start()
            kind = await self._call(worker, batch)
        except BaseException as error:
            if worker is not None:
                worker.kill()
            worker = None
            self._failed(batch, error)
            if not isinstance(error, Exception):
                raise
        else:
            worker = self._kept(worker, kind)
        finally:
            self._slots[number] = worker
            self._dispatch()

    def _failed(self, batch: Sequence["_Waiting"], error: BaseException) -> None:
        for each in reversed([each for each in batch if not each.reply.done()]):
            if isinstance(error, _FailedAtSeveral):
                each.is_alone = True
                self._queue.appendleft(each)
            elif isinstance(error, Exception):
                each.reply.set_exception(error)
            else:
                each.reply.cancel()

    def _choose(self, affinity: int) -> int:
        """An idle slot: the preferred one, else one whose worker is running, else any."""
        preferred = affinity % self.limits.workers
        if preferred in self._slots:
            return preferred
        return max(self._slots, key=lambda number: self._slots[number] is not None)

    def _idle_worker(self, number: int) -> WorkerProcess | None:
        """Take the slot; None: its worker is not started, or ended while it was idle."""
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

    def _fork_server(self, *, events: bool = False) -> ForkServer:
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
                    compiles_patterns=events,
                )
            )
        return self._server

    def warm_up(self, *, events: bool = False) -> None:
        """Start the fork server, which imports while the caller does something else."""
        self._fork_server(events=events)

    async def _call(self, worker: WorkerProcess, batch: Sequence["_Waiting"]) -> ReplyKind:
        """Run tasks; the kind of the last reply."""
        limits, pages = self.limits, sum(each.pages for each in batch)
        worker.pages += pages
        try:
            async with asyncio.timeout(limits.wall_seconds * pages):
                worker.send([each.message for each in batch], cpu_seconds=limits.cpu_seconds * batch[0].pages)
                for each in batch:
                    answer = await worker.receive()
                    if not each.reply.done():
                        each.reply.set_result(answer)
                return answer[0]
        except TimeoutError:
            if len(batch) > 1:
                raise _FailedAtSeveral from None
            raise self._too_slow(_seconds(limits.wall_seconds * pages), "WALL_SECONDS") from None
        except WorkerDied as died:
            if len(batch) > 1:
                raise _FailedAtSeveral from None
            if _ran_out_of_time(died.trace):
                limit_text = _seconds(limits.cpu_seconds * batch[0].pages, "CPU second")
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

    def _kept(self, worker: WorkerProcess, kind: ReplyKind) -> WorkerProcess | None:
        """The worker; None if it has read its pages, or lacks memory."""
        if worker.pages < self.limits.recycle_after and kind is not ReplyKind.OUT_OF_MEMORY:
            return worker
        worker.close()
        return None

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
        while self._queue:
            self._queue.popleft().reply.cancel()
        for job in list(self._jobs):
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
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
