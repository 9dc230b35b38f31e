"""Parses pages on which workers died before, one at a time and beside the driver's loop.

An interruption is counted before each, so that a page that ends its worker again is recognized. Leases are
renewed meanwhile, however long the page takes.
"""

from collections import deque
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from larder.engine.work_items import FetchedWork
from larder.engine.worker.parse_tasks import ParseTasks
from larder.sdk.adapter import SiteAdapter
from larder.store.database import Database
from larder.store.queue import jobs


@dataclass(slots=True, kw_only=True)
class SuspectPages:
    """Stored pages that wait, and the one that is being parsed."""

    parse_tasks: ParseTasks
    _waiting: deque[FetchedWork] = field(default_factory=deque)
    _current: int | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, pages: Sequence[FetchedWork]) -> list[FetchedWork]:
        """Keep the suspects among these pages; returns the others."""
        self._waiting.extend(page for page in pages if page.work.job.suspect)
        return [page for page in pages if not page.work.job.suspect]

    async def start_next(
        self, database: Database, under_way: Container[int], adapters: Mapping[str, SiteAdapter]
    ) -> bool:
        """Start the next one unless one is being parsed; whether it was started."""
        if not self._waiting or self._current in under_way:
            return False
        page = self._waiting.popleft()
        self._current = page.work.job.id
        await database.run(jobs.touch, page.work.job.id)
        await self.parse_tasks.start([page], adapters)
        return True

    def clear(self) -> None:
        """Forget all: their pages are stored and can be parsed again."""
        self._waiting.clear()
