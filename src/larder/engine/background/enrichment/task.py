"""Runs enrichment beside the driver, every few minutes, in one process at a time."""

import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime

from larder.core.policy.enrichment import EVERY
from larder.core.ports import Clock
from larder.engine.background.enrichment.enrich import Enricher
from larder.engine.background_task import BackgroundTask
from larder.store.database import Database
from larder.store.operations import cleanup

log = logging.getLogger("larder.enrichment")

CLAIM = "enrichment_claimed"


@dataclass(slots=True, kw_only=True)
class EnrichmentTask(BackgroundTask):
    """Starts a round if none was started for some minutes."""

    database: Database
    clock: Clock
    opened: Callable[[], AbstractAsyncContextManager[Enricher]]
    _next: datetime | None = None

    async def on_tick(self) -> None:
        """Start a round if it is due and no other process has started one."""
        now = self.clock.now()
        if self.running or (self._next is not None and now < self._next):
            return
        self._next = now + EVERY
        if await self.database.run(cleanup.claim, CLAIM, since=now - EVERY / 2, now=now):
            await BackgroundTask.on_tick(self)

    async def round(self) -> None:
        """Run one round."""
        async with self.opened() as enricher:
            done = await enricher.round()
        if done.asked:
            log.info("enriched: %d of %d items", done.dated + done.categorized, done.asked)
