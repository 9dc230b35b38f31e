"""The daily summary, gathered on both databases from what happened since the last."""

import asyncio
from datetime import datetime, time, timedelta

import pytest
from sqlalchemy import Connection, insert, select

from larder.core.model.run import RunKind, RunStatus
from larder.core.policy.delivery import Delivered
from larder.engine.background.notifications import Notifier, queue_summary
from larder.engine.clock import VirtualClock
from larder.stages.notify import summary
from larder.stages.notify.summary import SummarySchedule
from larder.store.database import Database
from larder.store.operations.notifications import alerts
from larder.store.operations.notifications.outbox import Message
from larder.store.queue import runs
from larder.store.tables import dead_letters, outbox
from larder.store.tables import runs as runs_table
from tests.contract import world
from tests.contract.world import DAY, HOUR, MINUTE, NOW, unit_of_work

SUMMARY_SCHEDULE = SummarySchedule(at=time(7), tz="Europe/Amsterdam")


def ended(
    conn: Connection, source_id: int, at: datetime, status: RunStatus = RunStatus.COMPLETED, **counts: int
) -> int:
    run_id = world.run(conn, source_id, RunKind.DISCOVERY, now=at - MINUTE)
    error = "the index is empty" if status is RunStatus.FAILED else None
    runs.close(conn, run_id, status, now=at, error=error)
    conn.execute(runs_table.update().where(runs_table.c.id == run_id).values(**{"inserted": 0, **counts}))
    return run_id


def told(conn: Connection) -> list[dict[str, object]]:
    return [row.payload for row in conn.execute(select(outbox).where(outbox.c.topic == "summary"))]


@unit_of_work
def test_a_summary_adds_up_what_ended_since_the_last_one(conn: Connection) -> None:
    homes, cars = world.source(conn), world.source(conn, "cars", domain="cars.test")
    summary.send(conn, SUMMARY_SCHEDULE, now=NOW)
    ended(conn, homes, NOW, inserted=1_000)
    ended(conn, homes, NOW + HOUR, inserted=3, updated=2, unchanged=90, dropped=1, failed=0)
    failed = ended(conn, cars, NOW + 2 * HOUR, RunStatus.FAILED, inserted=0, failed=4)
    world.run(conn, homes, now=NOW + 2 * HOUR)
    alerts.raise_alert(conn, "circuit_tripped", "P3", "cars", "5 fetches failed", now=NOW + 2 * HOUR)
    conn.execute(
        insert(dead_letters),
        [{"stage": "fetch", "category": "network", "type": "timeout", "created_at": NOW + HOUR}] * 2,
    )
    got = summary.send(conn, SUMMARY_SCHEDULE, now=NOW + 3 * HOUR)
    assert (got.runs, got.sources, got.statuses) == (2, 2, {"completed": 1, "failed": 1})
    assert got.totals == {"inserted": 3, "updated": 2, "skipped": 91, "errors": 4}
    assert (got.circuits_tripped, got.dead_letters_added) == (["cars"], 2)
    assert got.alerts_open == ["P3 circuit_tripped cars"]
    assert got.listed[0].id == failed
    assert got.since == "2026-01-05T01:00:00+01:00"
    again = summary.send(conn, SUMMARY_SCHEDULE, now=NOW + 4 * HOUR)
    assert (again.runs, again.dead_letters_added, again.circuits_tripped) == (0, 0, [])


@unit_of_work
def test_it_reads_as_text(conn: Connection) -> None:
    homes = world.source(conn)
    summary.send(conn, SUMMARY_SCHEDULE, now=NOW)
    run_id = ended(conn, homes, NOW + HOUR, RunStatus.FAILED, inserted=3, failed=2)
    summary.send(conn, SUMMARY_SCHEDULE, now=NOW + 2 * HOUR)
    heading, lines = summary.summary_text(told(conn)[1])
    assert heading == "Summary of 05 Jan 01:00 to 05 Jan 03:00"
    assert lines == [
        "1 run over 1 source: 1 failed",
        "inserted 3 · updated 0 · skipped 0 · errors 2",
        "circuits tripped: 0",
        "dead letters added: 0",
        "alerts open: 0",
        f"run {run_id} discovery of homes 01:59–02:00 failed (the index is empty): "
        "3 inserted, 0 updated, 0 skipped, 2 errors",
    ]


@unit_of_work
def test_a_long_day_is_listed_in_part_the_trouble_first_and_counted_in_full(conn: Connection) -> None:
    homes = world.source(conn)
    summary.send(conn, SUMMARY_SCHEDULE, now=NOW)
    failed = ended(conn, homes, NOW + MINUTE, RunStatus.FAILED)
    for minute in range(2, 102):
        ended(conn, homes, NOW + MINUTE * minute, inserted=1)
    got = summary.send(conn, SUMMARY_SCHEDULE, now=NOW + DAY)
    assert (got.runs, got.totals["inserted"], len(got.listed)) == (101, 100, summary.RUNS_LISTED)
    assert got.listed[0].id == failed
    assert summary.summary_text(told(conn)[1])[1][-1] == "… and 61 more"


@unit_of_work
def test_the_first_one_looks_back_a_day(conn: Connection) -> None:
    homes = world.source(conn)
    ended(conn, homes, NOW - DAY - MINUTE)
    ended(conn, homes, NOW - HOUR)
    assert summary.send(conn, SUMMARY_SCHEDULE, now=NOW).runs == 1


@pytest.mark.parametrize(
    "beats", [timedelta(minutes=5), timedelta(hours=3)], ids=["always up", "now and then"]
)
@unit_of_work
def test_one_goes_out_each_morning_and_a_missed_one_later(conn: Connection, beats: timedelta) -> None:
    now = NOW
    while now < NOW + 2 * DAY:
        queue_summary(conn, SUMMARY_SCHEDULE, ["ops"], now=now)
        now += beats
    sent = list(conn.scalars(select(outbox.c.created_at).where(outbox.c.topic == "summary")))
    assert [at - beats < NOW + 6 * HOUR + n * DAY <= at for n, at in enumerate(sent)] == [True, True]


async def test_two_machines_send_one(postgres: Database) -> None:
    await postgres.run(queue_summary, SUMMARY_SCHEDULE, ["ops"], now=NOW)
    later = NOW + DAY
    await asyncio.gather(
        *(postgres.run(queue_summary, SUMMARY_SCHEDULE, ["ops"], now=later) for _ in range(5))
    )
    assert len(await postgres.run(told)) == 1


def test_it_is_due_at_seven() -> None:
    assert SummarySchedule().next(NOW) == NOW + 7 * HOUR
    assert SUMMARY_SCHEDULE.next(NOW) == NOW + 6 * HOUR


@unit_of_work
def test_l10_24_a_summary_that_lies_ahead_of_now_does_not_put_off_the_next(conn: Connection) -> None:
    summary.send_if_due(conn, SUMMARY_SCHEDULE, now=NOW + 30 * DAY)
    assert not summary.send_if_due(conn, SUMMARY_SCHEDULE, now=NOW)
    assert summary.send_if_due(conn, SUMMARY_SCHEDULE, now=SUMMARY_SCHEDULE.next(NOW) + MINUTE)
    assert len(told(conn)) == 1


async def test_l10_24_the_notifier_asks_again_after_a_clock_was_set_back(database: Database) -> None:
    async def send(_: Message) -> Delivered:
        return Delivered()

    notifier = Notifier(
        database=database,
        clock=VirtualClock(NOW + 30 * DAY),
        minimums={},
        send=send,
        summary_schedule=SUMMARY_SCHEDULE,
    )
    await notifier.round()
    notifier.clock = VirtualClock(NOW)
    await notifier.round()
    assert max(notifier._conditions_at, notifier._watch_at) <= NOW + HOUR
    notifier.clock = VirtualClock(SUMMARY_SCHEDULE.next(NOW) + MINUTE)
    await notifier.round()
    assert len(await database.run(told)) == 1
