"""Once a day: what is old goes unless somebody needs it, and what must not be is told."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Table, insert, select, text, update

from larder.engine.background import maintenance
from larder.engine.background.maintenance import MaintenanceResult, NightlyMaintenance, Retention, maintain
from larder.engine.clock import VirtualClock
from larder.store.database import Database
from larder.store.operations import cleanup, key_values
from larder.store.pages.retention import RetentionResult
from larder.store.tables import alerts, changes, dead_letters, errors, items, jobs, quarantine, runs, sources
from tests.contract import world
from tests.contract.world import DAY, HOUR, NOW, Pages, staged, unit_of_work

OLD, YOUNG = NOW - 100 * DAY, NOW - DAY


async def no_pages() -> RetentionResult:
    return RetentionResult(pages=3)


async def done(database: Database, *, at: datetime = NOW) -> MaintenanceResult:
    return await maintain(database, VirtualClock(at), Retention(), sweep_pages=no_pages)


def add(conn: Connection, table: Table, **values: Any) -> None:
    conn.execute(insert(table).values(values))


def job(conn: Connection, url: str, *, status: str = "done", at: datetime = OLD) -> int:
    """A job that ended then, with one dropped item."""
    world.enqueue(conn, 1, [url])
    job_id: int = conn.scalars(select(jobs.c.id).where(jobs.c.url == url)).one()
    finished = None if status == "stale" else at
    conn.execute(
        update(jobs).where(jobs.c.id == job_id).values(status=status, finished_at=finished, updated_at=at)
    )
    row = {"job_id": job_id, "run_id": 1, "source_id": 1, "position": 0, "fields": {}, "outcome": "dropped"}
    add(conn, items, **row, observed_at=at)
    return job_id


def letter(conn: Connection, status: str, *, job_id: int | None = None) -> None:
    row = {"job_id": job_id, "stage": "fetch", "category": "network", "type": "timeout", "status": status}
    add(conn, dead_letters, **row, created_at=OLD, resolved_at=None if job_id else OLD)


def a_house(conn: Connection) -> None:
    source_id = world.source(conn)
    world.run(conn, source_id)
    conn.execute(update(runs).values(status="completed", finished_at=OLD))
    needed, waits = job(conn, "a letter", status="dead"), job(conn, "an item")
    letter(conn, "pending", job_id=needed)
    row = {"source_id": 1, "job_id": waits, "reason": "zero_price", "item": {}, "observed_at": OLD}
    add(conn, quarantine, **row, created_at=OLD)
    for status in ("done", "stale", "dead"):
        job(conn, f"old {status}", status=status)
    job(conn, "young", at=YOUNG)
    letter(conn, "discarded")
    for at in (OLD, YOUNG):
        add(conn, errors, at=at, category="network", type="timeout")
        add(conn, changes, at=at - 300 * DAY, record_id=1, source_id=1, change="new")


async def test_what_is_old_goes_and_what_somebody_needs_stays(database: Database) -> None:
    await database.run(a_house)
    did = await done(database)
    assert (did.pages.pages, did.jobs, did.errors, did.dead_letters, did.changes) == (3, 3, 1, 1, 1)

    def left(conn: Connection) -> tuple[set[str], int]:
        kept = set(conn.scalars(select(jobs.c.url)))
        return kept, len(conn.execute(select(items)).all())

    assert await database.run(left) == ({"a letter", "an item", "young"}, 3)
    again = await done(database)
    assert (again.jobs, again.errors, again.dead_letters, again.changes) == (0, 0, 0, 0)


async def test_records_lapse_also_where_no_check_can_run(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "LAPSE_BATCH", 2)

    def two_sources(conn: Connection) -> None:
        for name in ("homes", "flats"):
            source_id = world.source(conn, name, domain=f"{name}.test")
            for number, hours in enumerate((51, 60, 49)):
                pages = Pages(conn, source_id)
                pages.keep(pages.page(staged(number), at=NOW - hours * HOUR))
        conn.execute(update(sources).values(enabled=False))

    await database.run(two_sources)
    assert (await done(database)).lapsed == 4

    def states(conn: Connection) -> list[tuple[Any, ...]]:
        counted = "SELECT active, verification, count(*) FROM records GROUP BY 1, 2 ORDER BY 1"
        return [tuple(row) for row in conn.execute(text(counted))]

    assert await database.run(states) == [(0, "lapsed", 4), (1, None, 2)]
    assert (await done(database)).lapsed == 0


@unit_of_work
def test_jobs_of_an_open_run_stay(conn: Connection) -> None:
    a_house(conn)
    conn.execute(update(runs).values(status="running"))
    assert cleanup.delete_old_jobs(conn, before=NOW).deleted == 0


@unit_of_work
def test_a_walk_goes_on_where_it_was(conn: Connection) -> None:
    a_house(conn)
    first = cleanup.delete_old_jobs(conn, before=NOW - 2 * DAY, limit=3)
    assert first == cleanup.BatchResult(deleted=1, looked_to=3)
    assert cleanup.delete_old_jobs(conn, before=NOW - 2 * DAY, after=3, limit=3).deleted == 2
    assert cleanup.delete_old_jobs(conn, before=NOW - 2 * DAY, after=6) == cleanup.BatchResult()


async def test_what_must_not_be_is_told_until_it_is_put_right(database: Database) -> None:
    await database.run(lambda conn: world.source(conn, "homes"))
    assert (await done(database)).audit.wrong == {}
    await database.run(lambda conn: conn.execute(update(sources).values(site_id=None)))
    wrong = {"sources that run without a site": 1}
    assert (await done(database)).audit.wrong == wrong

    def told(conn: Connection) -> list[Any]:
        return list(conn.execute(select(alerts.c.name, alerts.c.details, alerts.c.resolved_at)).one())

    assert await database.run(told) == ["data_audit", wrong, None]
    assert (await database.run(key_values.read, maintenance.LAST))["wrong"] == wrong
    await database.run(lambda conn: conn.execute(text("UPDATE sources SET site_id = 1")))
    await done(database, at=NOW + HOUR)
    assert (await database.run(told))[2] == NOW + HOUR


async def test_the_rates_of_the_last_day(database: Database) -> None:
    def two_runs(conn: Connection) -> None:
        counts = {"attempted": 10, "failed": 4, "extracted": 100, "dropped": 5, "quarantined": 1}
        world.run(conn, world.source(conn))
        conn.execute(update(runs).values(status="partial", finished_at=YOUNG + HOUR, **counts))

    await database.run(two_runs)
    rates = (await done(database)).audit.rates
    assert rates == {"failure_rate": 0.4, "drop_rate": 0.05, "quarantine_rate": 0.01}


# -- once a night ------------------------------------------------------------------------------------------


class Work:
    """Counts, or never ends."""

    def __init__(self, *, endless: bool = False) -> None:
        self.begun, self._endless = 0, endless

    async def __call__(self) -> MaintenanceResult:
        self.begun += 1
        if self._endless:
            await asyncio.Event().wait()
        raise RuntimeError("not this time")


def a_night(database: Database, clock: VirtualClock, work: Work, *, tz: str = "UTC") -> NightlyMaintenance:
    return NightlyMaintenance(database=database, clock=clock, work=work, tz=tz)


async def test_it_is_done_once_a_night_by_one_of_many(database: Database) -> None:
    clock, work = VirtualClock(datetime(2026, 1, 5, 2, 59, tzinfo=UTC)), Work()
    nights = [a_night(database, clock, work) for _ in range(3)]
    begun = []
    for at in (0, 2, 3, 24 * 60):
        clock.advance(datetime(2026, 1, 5, 2, 59, tzinfo=UTC) + timedelta(minutes=at))
        for night in nights:
            await night.on_tick()
            await night.done()
        begun.append(work.begun)
    assert begun == [1, 2, 2, 2]


async def test_three_o_clock_is_that_of_the_deployment(database: Database) -> None:
    clock, work = VirtualClock(datetime(2026, 7, 5, 0, 30, tzinfo=UTC)), Work()
    night = a_night(database, clock, work, tz="Europe/Vienna")
    await night.on_tick()
    await night.done()
    clock.advance(datetime(2026, 7, 5, 1, 0, tzinfo=UTC))
    await night.on_tick()
    await night.done()
    assert work.begun == 2


async def test_what_is_cut_off_is_for_whoever_starts_next(database: Database) -> None:
    clock, endless, work = VirtualClock(NOW), Work(endless=True), Work()
    cut = a_night(database, clock, endless)
    await cut.on_tick()
    await asyncio.sleep(0)
    await a_night(database, clock, work).on_tick()
    assert (endless.begun, work.begun) == (1, 0)
    await cut.end()
    following = a_night(database, clock, work)
    await following.on_tick()
    await following.done()
    assert work.begun == 1


async def test_a_failure_is_logged_and_harms_nobody(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    night = a_night(database, VirtualClock(NOW), Work())
    await night.on_tick()
    await night.done()
    assert "NightlyMaintenance failed" in caplog.text
