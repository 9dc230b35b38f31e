"""Opens the weekly scouts and drives open ones, beside the driver."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from larder.core.model.run import Trigger
from larder.core.policy.scheduling.cadence import SCOUT_AT, SUNDAY, weekly_at
from larder.core.ports import Clock
from larder.engine.background.scout.scout import SILENT_AFTER, Scout
from larder.engine.background_task import BackgroundTask
from larder.runs.scout import ScoutState
from larder.store.database import Connection, Database
from larder.store.operations import key_values
from larder.store.operations.notifications import outbox
from larder.store.operations.scout import runs
from larder.store.operations.scout.runs import RunningScout

log = logging.getLogger("larder.scout")

WEEK = timedelta(days=7)
LAST = "scout_weekly"
"""The key under which the time of the last weekly scouts is stored."""


@dataclass(slots=True, kw_only=True)
class ScoutTask(BackgroundTask):
    """Drives scouts in a background task; without an API key none is opened automatically."""

    database: Database
    clock: Clock
    regions: Sequence[str]
    places: int
    tz: str
    has_key: Callable[[], Awaitable[bool]]
    opened: Callable[[], AbstractAsyncContextManager[Scout]]
    _ready: Sequence[RunningScout] = ()
    _weekly_at: datetime | None = None
    """The earliest time of the next weekly scout."""

    async def on_tick(self) -> None:
        """Start a round, if a scout is due or waits to be driven."""
        now = self.clock.now()
        if self.running:
            return
        if self.regions and (self._weekly_at is None or now >= self._weekly_at):
            await self._open_weekly(now)
        self._ready = await self.database.run(runs.list_ready, silent_since=now - SILENT_AFTER, now=now)
        if self._ready:
            await BackgroundTask.on_tick(self)

    async def round(self) -> None:
        """Drive every scout that is ready, until it ends or must wait."""
        async with self.opened() as scout:
            for run in self._ready:
                await scout.drive(run.id)

    async def _open_weekly(self, now: datetime) -> None:
        if await self.has_key():
            await self.database.run(open_weekly, self.regions, self.places, tz=self.tz, now=now)
        else:
            log.debug("no API key of the search provider: no weekly scout")
        self._weekly_at = min(weekly_at(SUNDAY, SCOUT_AT, self.tz, now), now + timedelta(hours=1))


def open_weekly(conn: Connection, regions: Sequence[str], limit: int, *, tz: str, now: datetime) -> list[int]:
    """Open the scouts of a week, once for all processes; the first week begins on the next Sunday."""
    if not outbox.try_lock(conn, LAST):
        return []
    last = key_values.read(conn, LAST)
    due_at = weekly_at(SUNDAY, SCOUT_AT, tz, now - WEEK)
    if last is not None and datetime.fromisoformat(last) >= due_at:
        return []
    key_values.write(conn, LAST, now.isoformat(), now=now)
    if last is None:
        return []
    running = {run.region for run in runs.list_running(conn)}
    return [
        runs.open_run(conn, region, ScoutState(most=limit).to_json(), trigger=Trigger.SCHEDULED, now=now)
        for region in regions
        if region not in running
    ]
