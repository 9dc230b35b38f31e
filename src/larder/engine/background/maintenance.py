"""Daily maintenance at 3:00: deletes what is old, tidies the database, audits the dataset.

One process does it: a claim in the database decides which. It runs beside the driver in short units of work
and can be cut off at any of them; the claim is returned then, and the next start repeats it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from larder.core.policy.alerting import AlertName
from larder.core.policy.scheduling.cadence import MAINTENANCE_AT, daily_at
from larder.core.ports import Clock
from larder.engine.background_task import BackgroundTask
from larder.store.database import Connection, Database
from larder.store.dataset import integrity, verifications
from larder.store.operations import archiving, cleanup, key_values
from larder.store.operations.cleanup import BatchDelete
from larder.store.operations.notifications import alerts, outbox_cleanup
from larder.store.pages.retention import RetentionResult
from larder.store.queue import sources

log = logging.getLogger("larder.maintenance")

DAY = timedelta(days=1)
CLAIM, LAST = "maintenance_claimed", "data_audit"
DATASET = "dataset"
LAPSE_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long finished work is kept."""

    jobs: timedelta = timedelta(days=30)
    """Finished jobs and their items."""
    errors: timedelta = timedelta(days=90)
    """Errors and closed dead letters."""
    changes: timedelta = timedelta(days=365)
    inactive_records: timedelta | None = timedelta(days=365)
    """The time until inactive records are archived; None: never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResult:
    """Violated invariants, and the rates of the last day."""

    wrong: Mapping[str, int]
    rates: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceResult:
    """Counts of one maintenance round."""

    pages: RetentionResult
    jobs: int
    errors: int
    dead_letters: int
    changes: int
    messages: int
    lapsed: int
    """Records that nobody confirmed for too long."""
    archived: int
    """Records that were inactive for too long."""
    placed: int
    """Events that were geocoded."""
    audit: AuditResult


async def maintain(
    database: Database,
    clock: Clock,
    retention: Retention,
    *,
    sweep_pages: Callable[[], Awaitable[RetentionResult]],
    place_events: Callable[[], Awaitable[int]] | None = None,
) -> MaintenanceResult:
    """Run all maintenance jobs."""
    now = clock.now()
    lapsed = await _lapse(database, now=now)
    pages = await sweep_pages()
    jobs = await _in_batches(database, cleanup.delete_old_jobs, now - retention.jobs)
    errors = await _in_batches(database, cleanup.delete_old_errors, now - retention.errors)
    letters = await _in_batches(database, cleanup.delete_old_dead_letters, now - retention.errors)
    changes = await _in_batches(database, cleanup.delete_old_changes, now - retention.changes)
    max_age = retention.inactive_records
    archived = await _in_batches(database, archiving.archive_records, now - max_age) if max_age else 0
    messages = await database.run(outbox_cleanup.delete_sent, now=now)
    placed = await place_events() if place_events else 0
    for statement in await database.run(cleanup.maintenance_statements):
        await database.run(cleanup.run_statement, statement)
    return MaintenanceResult(
        pages=pages,
        jobs=jobs,
        errors=errors,
        dead_letters=letters,
        changes=changes,
        messages=messages,
        lapsed=lapsed,
        archived=archived,
        placed=placed,
        audit=await audit(database, now=now),
    )


async def _lapse(database: Database, *, now: datetime) -> int:
    """Deactivate records that nobody confirmed for too long, also of sources whose checks cannot run."""
    total = 0
    for source in await database.run(sources.list_sources):
        while batch := await database.run(verifications.lapse_records, source.id, now=now, limit=LAPSE_BATCH):
            total += len(batch)
    return total


async def _in_batches(database: Database, walk: BatchDelete, before: datetime) -> int:
    deleted, after = 0, 0
    while True:
        batch = await database.run(walk, before=before, after=after)
        if batch.looked_to is None:
            return deleted
        deleted, after = deleted + batch.deleted, batch.looked_to


async def audit(database: Database, *, now: datetime) -> AuditResult:
    """Audit the dataset; alert on violations."""
    counted = {
        name: await database.run(integrity.count_violations, name, since=now - DAY)
        for name in integrity.violation_kinds()
    }
    result = AuditResult(
        wrong={name: count for name, count in counted.items() if count},
        rates=await database.run(integrity.run_rates, since=now - DAY),
    )
    await database.run(_alert, result, now=now)
    return result


def _alert(conn: Connection, result: AuditResult, *, now: datetime) -> None:
    key_values.write(conn, LAST, {"wrong": dict(result.wrong), "rates": dict(result.rates)}, now=now)
    name = AlertName.DATA_AUDIT
    if not result.wrong:
        alerts.resolve(conn, name, DATASET, now=now)
        return
    message = "; ".join(f"{count} {violation}" for violation, count in result.wrong.items())
    alerts.raise_alert(conn, name, name.severity, DATASET, message, now=now, details=result.wrong)


@dataclass(slots=True, kw_only=True)
class NightlyMaintenance(BackgroundTask):
    """Starts maintenance once a day, in a background task."""

    database: Database
    clock: Clock
    work: Callable[[], Awaitable[MaintenanceResult]]
    tz: str = "UTC"
    at: time = MAINTENANCE_AT
    _asked: datetime | None = None
    """The night that was last claimed or found claimed."""

    async def on_tick(self) -> None:
        """Start maintenance if it is due and no other process has claimed it."""
        now = self.clock.now()
        night = daily_at(self.at, self.tz, now - DAY)
        if night > now or night == self._asked or self.running:
            return
        self._asked = night
        if await self.database.run(cleanup.claim, CLAIM, since=night, now=now):
            await BackgroundTask.on_tick(self)

    async def done(self) -> None:
        """Wait for the maintenance that was started."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def end(self) -> None:
        """Stop; the next start repeats unfinished maintenance."""
        if self.running:
            await BackgroundTask.end(self)
            await self.database.run(cleanup.release, CLAIM)

    async def round(self) -> None:
        """Run the maintenance that was claimed."""
        done = await self.work()
        log.info("maintenance: %d pages and %d jobs deleted", done.pages.pages, done.jobs)
