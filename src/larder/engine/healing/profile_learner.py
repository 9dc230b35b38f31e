"""Learns the site profile of a source from the pages of its run, unless a person chose a reading.

It sends no request: it reads the stored pages of the run. If the profile is applied, they are read again with
it, so that the records of the first run are right already. A failure is logged and remembered.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from larder.core.model.site_profile import SiteProfile
from larder.engine.healing.ended_run_task import EndedRunTask
from larder.engine.healing.learn_after_runs import LearningRun, next_run, store_failed, store_learned
from larder.engine.healing.stored_samples import LearningPages, open_learning_pages
from larder.engine.processing.learn_profile import learn_profile
from larder.engine.quality.replay import Replay
from larder.store.operations import profile_learning
from larder.store.pages.archive import PageScope

log = logging.getLogger("larder.learning")

MAX_SOURCES = 20
"""Profiles that are learned when a driver has nothing else to do."""


@dataclass(slots=True, kw_only=True)
class ProfileLearner(EndedRunTask):
    """Learns from one ended run in each round."""

    async def round(self, until: datetime | None = None) -> bool:
        """Continue an interrupted replay, else learn from the next run; False: there was neither."""
        waiting = await self.database.run(profile_learning.claim_replay, now=self.clock.now())
        if waiting is not None:
            await self._replay(waiting, until)
            return True
        run = await self.database.run(next_run, self.adapters, now=self.clock.now())
        if run is not None and await self._learn(run):
            await self._replay(run.run_id, until)
        return run is not None

    async def finish(self, until: datetime | None = None) -> None:
        """Learn from all ended runs, at most until then."""
        if self._task is not None:
            await asyncio.wait({self._task})
        try:
            for _ in range(MAX_SOURCES):
                if self._over(until) or not await self.round(until):
                    return
        except Exception:
            log.exception("learning was interrupted; the next tick continues it")

    async def _learn(self, run: LearningRun) -> bool:
        """Learn and store; True if the run's pages are to be read again."""
        try:
            profile = await self.profile(run)
            return await self.database.run(store_learned, run, profile, self.adapters, now=self.clock.now())
        except Exception as error:
            log.exception(
                "no site profile could be learned", extra={"run": run.run_id, "source": run.source.slug}
            )
            await self.database.run(store_failed, run, type(error).__name__, now=self.clock.now())
            return False

    async def pages(self, run: LearningRun) -> LearningPages | None:
        """The run's pages, if there are enough for a proof."""
        adapter = self.adapters[run.source.adapter]
        pages = await open_learning_pages(self.blobs, self.runner, run.fetched, run.source, adapter)
        return pages if pages is not None and pages.enough else None

    async def profile(self, run: LearningRun) -> SiteProfile | None:
        """The profile learned from the run's pages; None: no field would be read better."""
        source, adapter = run.source, self.adapters[run.source.adapter]
        pages = await self.pages(run)
        if pages is None:
            return None
        task = partial(
            learn_profile,
            source,
            adapter,
            pages.index,
            pages.details,
            now=self.clock.now(),
            proposed=run.proposed,
            only_better=True,
        )
        return await self.runner.run(task, pages=1 + len(pages.details))

    async def _replay(self, run_id: int, until: datetime | None) -> None:
        """Read the run's pages again, in batches; unread ones wait for the next round."""
        replay = Replay(
            database=self.database,
            blobs=self.blobs,
            adapters=self.adapters,
            runner=self.runner,
            scope=PageScope(run_id=run_id),
            apply=True,
            now=self.clock.now(),
        )
        try:
            async for seen in replay.walk():
                if self._over(until) and not seen.ended:
                    await self.database.run(profile_learning.release_replay, run_id)
                    return
            log.info("pages read again with the learned profile", extra={"run": run_id})
        except Exception:
            message = "pages are not read again; the next run reads them with the profile"
            log.exception(message, extra={"run": run_id})
        await self.database.run(profile_learning.end_replay, run_id)

    def _over(self, until: datetime | None) -> bool:
        return until is not None and self.clock.now() >= until
