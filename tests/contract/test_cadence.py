"""When verifications come, what goes stale, who is told of a scheduler that backs off; on both databases."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, text

from larder import adapters
from larder.core.model.run import RunKind, RunStatus, Trigger
from larder.core.policy.scheduling.backpressure import Backoff, QueueLimits
from larder.core.policy.trust.yields import NO_YIELD
from larder.engine.scheduling import dispatch, open_runs, stale_runs
from larder.engine.scheduling.backpressure import back_off
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database.statement import json_value
from larder.store.queue import runs, schedules
from larder.store.tables.columns import moment
from tests.contract.world import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    Pages,
    enqueue,
    one,
    rows,
    run,
    source,
    staged,
    unit_of_work,
)

ALL = frozenset(RunKind)
HOW = DispatchSettings(
    adapters={adapter.id: adapter for adapter in adapters.known()},
    chance=Random(0),
    strict=False,
    stagger=timedelta(0),
    kinds=ALL,
)


def planned(conn: Connection, kind: RunKind = RunKind.VERIFICATION, **values: Any) -> int:
    """A source with one schedule, due now."""
    source_id = source(conn, **values)
    row = {"s": source_id, "k": kind, "at": 0}
    conn.execute(text("INSERT INTO schedules (source_id, kind, next_at) VALUES (:s, :k, :at)"), row)
    return source_id


def seen(conn: Connection, source_id: int, number: int, *, ago: timedelta) -> None:
    pages = Pages(conn, source_id)
    pages.keep(pages.page(staged(number), at=NOW - ago))


def verify(conn: Connection, *, at: timedelta = timedelta(0)) -> tuple[str, float]:
    """A tick that opens a verification: its trigger, and in how many hours the next one is due."""
    (run_id,) = dispatch.tick(conn, HOW, now=NOW + at).opened
    (row,) = rows(conn, "SELECT next_at FROM schedules")
    ((trigger, status),) = rows(conn, "SELECT trigger, status FROM runs WHERE id = :id", id=run_id)
    if status == "running":
        state = runs.load(conn, [run_id])[run_id].state
        memory = {"checked_all_at": state["checked_all_at"], "undecided_in_a_row": 0}
        schedules.save_memory(conn, 1, RunKind.VERIFICATION, memory)
        runs.close(conn, run_id, RunStatus.COMPLETED, now=NOW + at)
    return trigger, (moment(row[0]) - NOW - at) / HOUR


@unit_of_work
def test_a_verification_comes_every_six_hours_where_nothing_fades(conn: Connection) -> None:
    planned(conn)
    assert verify(conn) == ("scheduled", 6)
    assert verify(conn, at=6 * HOUR) == ("scheduled", 6)


@unit_of_work
def test_sooner_when_a_record_falls_below_the_line_but_hourly_at_most(conn: Connection) -> None:
    homes = planned(conn)
    seen(conn, homes, 1, ago=28 * HOUR)
    assert verify(conn) == ("scheduled", 2.5), "at 30.5 hours it is below forty"
    seen(conn, homes, 2, ago=29 * HOUR + 50 * MINUTE - 2.5 * HOUR)
    assert verify(conn, at=2.5 * HOUR) == ("recheck", 1), "forty minutes are too soon"


@unit_of_work
def test_rechecks_do_not_put_off_the_run_that_takes_all(conn: Connection) -> None:
    homes = planned(conn)
    for number in range(40):
        seen(conn, homes, number, ago=30 * HOUR - number * 20 * MINUTE)
    at, told = timedelta(0), []
    for _ in range(8):
        trigger, hours = verify(conn, at=at)
        told.append(trigger)
        at += hours * HOUR
    assert told == ["scheduled", *["recheck"] * 5, "scheduled", "recheck"]


@unit_of_work
def test_a_source_may_have_its_own_beat(conn: Connection) -> None:
    planned(conn, policy={"verification_every": 7200})
    assert verify(conn) == ("scheduled", 2)
    assert verify(conn, at=2 * HOUR) == ("scheduled", 2)


@unit_of_work
def test_by_hand_all_candidates_are_taken(conn: Connection) -> None:
    homes = planned(conn)
    seen(conn, homes, 1, ago=25 * HOUR)
    verify(conn)
    (row,) = schedules.list_by_source(conn, homes)
    run_id = open_runs.open_run(conn, row, HOW, trigger=Trigger.MANUAL, now=NOW + HOUR)
    assert runs.load(conn, [run_id])[run_id].state["everything"] is True


@unit_of_work
def test_a_run_that_went_quiet_tells_the_next_how_far_it_came(conn: Connection) -> None:
    """A sweep that nobody drives any more is ended, and its place is kept."""
    homes = planned(conn, RunKind.SWEEP)
    (run_id,) = dispatch.tick(conn, HOW, now=NOW).opened
    state = dict(runs.load(conn, [run_id])[run_id].state)
    state.update(page=31, last_page=30)
    walked = runs.Progress(run_id=run_id, state=state, settled=False, open_jobs=0, counts={}, drift=NO_YIELD)
    runs.advance(conn, [walked], now=NOW)
    conn.execute(text("UPDATE jobs SET status = 'done'"))
    stale_runs.end_stale_runs(conn, now=NOW + 31 * MINUTE)
    assert rows(conn, "SELECT status, error_code FROM runs") == [("failed", "stalled")]
    memory = json_value(one(conn, "SELECT memory FROM schedules WHERE source_id = :id", id=homes))
    assert memory["last_page"] == 30


@unit_of_work
def test_jobs_that_nobody_took_for_a_day_are_put_aside_by_the_tick(conn: Connection) -> None:
    homes = planned(conn)
    first = run(conn, homes, RunKind.DISCOVERY, now=NOW - 2 * DAY)
    enqueue(conn, first, ["old"], now=NOW - 25 * HOUR)
    enqueue(conn, first, ["young"], now=NOW - 23 * HOUR)
    dispatch.tick(conn, HOW, now=NOW)
    assert rows(conn, "SELECT url, status FROM jobs WHERE run_id = :r ORDER BY id", r=first) == [
        ("old", "stale"),
        ("young", "pending"),
    ]


@pytest.mark.parametrize(
    ("since", "told"),
    [pytest.param(30 * MINUTE, False, id="half an hour"), pytest.param(31 * MINUTE, True, id="longer")],
)
@unit_of_work
def test_a_scheduler_that_backs_off_for_long_is_told(conn: Connection, since: timedelta, told: bool) -> None:
    planned(conn)
    before = Backoff(pause=20 * MINUTE, until=NOW + MINUTE, since=NOW - since)
    back_off(conn, before, accepted=0, rejected=0, now=NOW)
    alerts = rows(conn, "SELECT name FROM alerts WHERE name = 'scheduler_backing_off'")
    assert bool(alerts) is told
    back_off(conn, before, accepted=3, rejected=0, now=NOW)
    assert rows(conn, "SELECT id FROM alerts WHERE resolved_at IS NULL") == []


def test_the_limits_of_the_queue() -> None:
    assert (QueueLimits().per_site, QueueLimits().in_all) == (1_000, 10_000)


@unit_of_work
def test_a_watch_with_nothing_due_opens_no_run_and_is_looked_at_a_minute_later(conn: Connection) -> None:
    shop = planned(conn, RunKind.MONITOR, plan="monitor")
    assert dispatch.tick(conn, HOW, now=NOW).opened == []
    assert moment(one(conn, "SELECT next_at FROM schedules")) == NOW + MINUTE
    due = {"s": shop, "url": "https://shop.test/1", "due": 0}
    added = "INSERT INTO targets (source_id, url, canonical_url, next_due_at) VALUES (:s, :url, :url, :due)"
    conn.execute(text(added), due)
    assert len(dispatch.tick(conn, HOW, now=NOW + MINUTE).opened) == 1
    assert rows(conn, "SELECT kind, open_jobs FROM runs") == [("monitor", 1)]
