"""Alerts: one row while it is open, told once in six hours, never lost."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from larder.core.policy.alerting import AlertName
from larder.engine.background import condition_alerts
from larder.store.database import Database
from larder.store.operations.notifications import alerts
from larder.store.queue import jobs as store_jobs
from larder.store.tables import alerts as table
from larder.store.tables import dead_letters, jobs, outbox
from tests.contract import world
from tests.contract.world import DAY, HOUR, MINUTE, NOW, unit_of_work


def trip(conn: Connection, now: datetime, subject: str = "homes") -> bool:
    return alerts.raise_alert(conn, "circuit_tripped", "P3", subject, "5 fetches failed", now=now)


def told(conn: Connection) -> list[tuple[str, datetime]]:
    rows = conn.execute(select(outbox).where(outbox.c.channel.is_(None)).order_by(outbox.c.id))
    return [(row.payload["subject"], row.created_at) for row in rows]


def rows(conn: Connection) -> list[Any]:
    return list(conn.execute(select(table).order_by(table.c.id)))


@unit_of_work
def test_a_repeated_alert_is_one_row_that_counts_and_one_message(conn: Connection) -> None:
    assert [trip(conn, NOW + MINUTE * i) for i in range(100)] == [True] + [False] * 99
    (row,) = rows(conn)
    assert (row.times, row.first_at, row.last_at) == (100, NOW, NOW + MINUTE * 99)
    assert told(conn) == [("homes", NOW)]


@unit_of_work
def test_it_is_told_again_after_six_hours_and_then_more_rarely(conn: Connection) -> None:
    for minute in range(0, 5 * 24 * 60, 10):
        trip(conn, NOW + MINUTE * minute)
    assert [(at - NOW) / HOUR for _, at in told(conn)] == [0, 6, 24, 96]


@unit_of_work
def test_each_subject_is_told_for_itself(conn: Connection) -> None:
    trip(conn, NOW)
    trip(conn, NOW, "cars")
    assert told(conn) == [("homes", NOW), ("cars", NOW)]


@unit_of_work
def test_a_resolved_alert_that_comes_back_is_a_new_one_but_not_told_within_six_hours(
    conn: Connection,
) -> None:
    trip(conn, NOW)
    assert alerts.resolve(conn, "circuit_tripped", "homes", now=NOW + HOUR)
    assert not alerts.resolve(conn, "circuit_tripped", "homes", now=NOW + HOUR)
    assert trip(conn, NOW + 2 * HOUR)
    assert [(row.times, row.resolved_at) for row in rows(conn)] == [(1, NOW + HOUR), (1, None)]
    assert told(conn) == [("homes", NOW)]


@unit_of_work
def test_what_was_kept_quiet_and_still_holds_is_told_when_its_time_comes(conn: Connection) -> None:
    trip(conn, NOW)
    alerts.resolve(conn, "circuit_tripped", "homes", now=NOW + HOUR)
    trip(conn, NOW + 2 * HOUR)
    assert alerts.send_reminders(conn, now=NOW + 6 * HOUR - MINUTE) == 0
    assert alerts.send_reminders(conn, now=NOW + 6 * HOUR) == 1
    assert alerts.send_reminders(conn, now=NOW + 7 * HOUR) == 0
    assert alerts.send_reminders(conn, now=NOW + 70 * DAY) == 0
    assert told(conn) == [("homes", NOW), ("homes", NOW + 6 * HOUR)]


@unit_of_work
def test_what_was_kept_quiet_and_passed_is_not_told(conn: Connection) -> None:
    for hour in (0, 2):
        trip(conn, NOW + hour * HOUR)
        alerts.resolve(conn, "circuit_tripped", "homes", now=NOW + hour * HOUR + MINUTE)
    assert alerts.send_reminders(conn, now=NOW + 6 * HOUR) == 0
    assert told(conn) == [("homes", NOW)]


async def test_an_alert_and_its_message_are_written_with_what_caused_them_or_not_at_all(
    database: Database,
) -> None:
    def fails(conn: Connection) -> None:
        trip(conn, NOW)
        raise RuntimeError("the page could not be written")

    with pytest.raises(RuntimeError):
        await database.run(fails)
    assert await database.run(rows) == []
    assert await database.run(told) == []


@unit_of_work
def test_the_message_of_a_hostile_page_fits(conn: Connection) -> None:
    alerts.raise_alert(
        conn, "run_failed", "P3", "homes", "\0\ud800 " + "x" * 10_000, now=NOW, details={"a": "\0"}
    )
    (row,) = rows(conn)
    assert len(row.message) <= alerts.MAX_MESSAGE_LENGTH


# -- conditions that no single event shows -----------------------------------------------------------------


def bury(conn: Connection, many: int, at: datetime) -> None:
    letter = {"stage": "fetch", "category": "network", "type": "timeout", "created_at": at}
    conn.execute(insert(dead_letters), [letter] * many)


def still_open(conn: Connection) -> list[str]:
    return [row.name for row in rows(conn) if row.resolved_at is None]


@unit_of_work
def test_more_than_25_dead_letters_in_24_hours_are_told(conn: Connection) -> None:
    bury(conn, 25, NOW)
    condition_alerts.check_conditions(conn, now=NOW + HOUR)
    assert still_open(conn) == []
    bury(conn, 1, NOW + HOUR)
    condition_alerts.check_conditions(conn, now=NOW + HOUR)
    assert still_open(conn) == [AlertName.DEAD_LETTERS]
    assert rows(conn)[0].message == "26 dead letters within 24 hours; mostly fetch timeout (26)"
    condition_alerts.check_conditions(conn, now=NOW + DAY - MINUTE)
    assert still_open(conn) == [AlertName.DEAD_LETTERS]
    condition_alerts.check_conditions(conn, now=NOW + DAY)
    assert still_open(conn) == []


@unit_of_work
def test_thousands_of_dead_letters_are_not_counted_one_by_one(conn: Connection) -> None:
    bury(conn, 2_000, NOW)
    condition_alerts.check_conditions(conn, now=NOW)
    assert rows(conn)[0].message.startswith("at least 500 dead letters within 24 hours")


@unit_of_work
def test_more_than_100_jobs_that_were_put_aside_are_told(conn: Connection) -> None:
    source_id = world.source(conn)
    run_id = world.run(conn, source_id)
    world.enqueue(conn, run_id, [f"http://homes.test/{n}" for n in range(101)], source_id=source_id)
    first = jobs.c.url == "http://homes.test/0"
    conn.execute(jobs.update().where(~first).values(status="stale", updated_at=NOW))
    condition_alerts.check_conditions(conn, now=NOW)
    assert still_open(conn) == []
    conn.execute(jobs.update().where(first).values(status="stale", updated_at=NOW))
    condition_alerts.check_conditions(conn, now=NOW)
    assert still_open(conn) == [AlertName.STALE_JOBS]
    conn.execute(jobs.update().where(first).values(status="pending"))
    condition_alerts.check_conditions(conn, now=NOW + MINUTE)
    assert still_open(conn) == []


@unit_of_work
def test_jobs_of_runs_that_ended_early_are_not_stale(conn: Connection) -> None:
    source_id = world.source(conn)
    run_id = world.run(conn, source_id)
    world.enqueue(conn, run_id, [f"http://homes.test/{n}" for n in range(101)], source_id=source_id)
    store_jobs.abandon(conn, run_id, now=NOW)
    condition_alerts.check_conditions(conn, now=NOW)
    assert still_open(conn) == []
