"""Commits parsed pages in batches; a page that the database rejects costs no other."""

from collections.abc import Sequence
from dataclasses import dataclass

from larder.core.ports import Clock
from larder.engine.commit.batch import commit_batch
from larder.engine.commit.reject_rows import without_rejected_rows
from larder.engine.processing.process_page import rejected_by_database
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import ProcessedPage, Worker
from larder.stages.persist import SKIPPED
from larder.store.database import Database
from larder.store.database.write_errors import database_fault, is_unavailable


@dataclass(slots=True, kw_only=True)
class DriverTotals:
    """Counts of a driver since it started."""

    pages: int = 0
    jobs: int = 0
    inserted: int = 0
    runs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCommits:
    """Commits pages of one worker and adds up the changes."""

    database: Database
    clock: Clock
    worker: Worker
    dispatcher: DispatchSettings
    totals: DriverTotals

    async def commit(self, processed: Sequence[ProcessedPage]) -> None:
        """Commit a batch. If it fails, commit page by page, so that one bad page costs no other."""
        try:
            await self._commit_all(processed)
        except Exception as error:
            if is_unavailable(error):
                raise
            if len(processed) > 1:
                for page in processed:
                    await self.commit([page])
            else:
                await self._commit_rejected(processed[0], error)

    async def _commit_rejected(self, page: ProcessedPage, error: Exception) -> None:
        """Commit a page without its rejected rows; if that fails, as a dead letter."""
        if database_fault(error) in SKIPPED and page.staged:
            now = self.clock.now()
            page = await self.database.run(without_rejected_rows, page, self.dispatcher.adapters, now=now)
            try:
                await self._commit_all([page])
            except Exception as again:
                if is_unavailable(again):
                    raise
                error = again
            else:
                return
        await self._commit_all([rejected_by_database(page, error)])

    async def _commit_all(self, processed: Sequence[ProcessedPage]) -> None:
        now = self.clock.now()
        done = await self.database.run(
            commit_batch, self.worker, processed, self.dispatcher.adapters, now=now
        )
        self.totals.jobs += done.jobs
        self.totals.inserted += done.inserted
        self.totals.runs += len(done.finished_runs)
