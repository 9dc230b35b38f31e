"""Parses stored pages beside the driver's loop, so that a slow page delays no other.

Parsed pages wait for others, so that one transaction commits many: until half of the jobs in flight are
ready, or nothing more is being parsed, at most a tenth of a second. If the runner parses in this process,
each page is parsed at once and in order.
"""

import asyncio
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass, field

from structlog.contextvars import bound_contextvars

from larder.core.ports import ParseRunner
from larder.engine.processing.process_page import process_page
from larder.engine.work_items import FetchedWork, ProcessedPage
from larder.sdk.adapter import Adapters

MAX_WAIT = 0.1
"""Maximum seconds that a page waits."""


@dataclass(slots=True, kw_only=True)
class ParseTasks:
    """Pages that are being parsed, and those that are ready."""

    runner: ParseRunner
    on_ready: Callable[[], None]
    """Called when pages can be taken."""
    under_way: Sized = ()
    """All work of the driver, of which these pages are a part."""
    _timer: asyncio.TimerHandle | None = None
    _due: bool = False
    _tasks: set[asyncio.Task[ProcessedPage]] = field(default_factory=set)
    _ready: list[ProcessedPage] = field(default_factory=list)
    _error: BaseException | None = None

    @property
    def running(self) -> int:
        """How many pages are being parsed."""
        return len(self._tasks)

    async def start(self, pages: Sequence[FetchedWork], adapters: Adapters) -> None:
        """Start parsing these pages; `take` returns them."""
        for page in pages:
            if not self.runner.concurrent:
                self._ready.append(await self.parse(page, adapters))
                self._due = True
                continue
            task = asyncio.create_task(self.parse(page, adapters))
            self._tasks.add(task)
            task.add_done_callback(self._finish)

    async def parse(self, page: FetchedWork, adapters: Adapters) -> ProcessedPage:
        """Parse one page and wait for it; log lines meanwhile have its run, source and job."""
        job, source = page.work.job, page.work.source
        with bound_contextvars(run=job.run_id, source=source.slug, job=job.id):
            return await process_page(page, adapters[source.adapter], self.runner)

    def take(self) -> list[ProcessedPage]:
        """The ready pages, unless they wait for others; raises if the runner itself failed."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if not self._due:
            return []
        self._stop_waiting()
        ready, self._ready = self._ready, []
        return ready

    async def cancel_all(self) -> None:
        """Stop parsing: every page is stored and can be parsed again."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)
        self._stop_waiting()
        self._ready.clear()
        self._error = None

    def _finish(self, task: asyncio.Task[ProcessedPage]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            self._error = error
        else:
            self._ready.append(task.result())
        if self._error or not self._tasks or 2 * len(self._ready) >= len(self.under_way):
            self._end_wait()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(MAX_WAIT, self._end_wait)

    def _end_wait(self) -> None:
        self._due = True
        self.on_ready()

    def _stop_waiting(self) -> None:
        self._due = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
