"""Rows that the database will not take, on the real driver: they are left out, and all else goes on."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from larder.core.model.item import Extracted, Item
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.store.queue import sources
from tests.integration.engine.harness import MINUTE, START, Harness, failed, small_site

SECOND = timedelta(seconds=1)


def showing(*titles: str) -> Extracted:
    items = tuple(
        Item(fields={"title": title, "url": f"http://homes.test/listing/{n}", "platform_id": str(n)})
        for n, title in enumerate(titles)
    )
    return Extracted(items=items, last=True)


def make_harness(*titles: str) -> Harness:
    """A site whose index shows these titles; their own pages add nothing."""
    harness = Harness(site=small_site(), html=False)
    harness.add_source()

    def answer(work: Work, at: datetime) -> Fetched:
        page = showing(*titles) if work.job.request.number else Extracted()
        return failed(work, at, FetchOutcome.OK, status=200, payload=page)

    harness.answers = answer
    return harness


def test_a_doubled_row_is_skipped_and_costs_no_other() -> None:
    harness = make_harness("One", "Two", "Three", "Two", "Four")
    harness.do(
        lambda conn: conn.exec_driver_sql("CREATE UNIQUE INDEX of_a_title ON records (source_id, title)")
    )
    harness.run(START + 20 * MINUTE)
    assert harness.ask("SELECT title FROM records ORDER BY id") == [("One",), ("Two",), ("Three",), ("Four",)]
    assert harness.ask("SELECT status, failed, inserted FROM runs") == [("completed", 0, 4)]
    assert harness.ask("SELECT count(*) FROM dead_letters") == [(0,)]
    assert harness.ask("SELECT count(*) FROM errors") == [(0,)]


def delete_source(harness: Harness) -> None:
    """Behind our back, with foreign keys off, as the sqlite3 shell has them."""

    def delete(conn: Connection) -> None:
        conn.exec_driver_sql("DELETE FROM schedules WHERE source_id = 1")
        conn.exec_driver_sql("DELETE FROM sources WHERE id = 1")

    driver: Any = harness.database._conn.connection.dbapi_connection
    driver.execute("PRAGMA foreign_keys = OFF")
    harness.do(delete)
    driver.execute("PRAGMA foreign_keys = ON")


def test_an_orphan_is_logged_and_skipped_and_the_driver_goes_on() -> None:
    harness = make_harness("One", "Two")
    row = {"slug": "b", "kind": "listing", "url": "http://homes.test/listings", "adapter": "listing"}
    harness.do(lambda conn: sources.add(conn, row, now=START))
    shown = harness.answers
    assert shown is not None

    def answer(work: Work, at: datetime) -> Fetched | None:
        if work.source.id == 1 and harness.ask("SELECT id FROM sources WHERE id = 1"):
            delete_source(harness)
        return shown(work, at)

    harness.answers = answer
    harness.run(START + 25 * MINUTE)
    told = harness.ask("SELECT stage, category, type, source_id FROM errors WHERE source_id = 1")
    assert told == [("persist", "db", "foreign_key", 1)] * 2
    assert harness.ask("SELECT source_id, count(*) FROM records GROUP BY 1") == [(2, 2)]
    assert harness.ask("SELECT status FROM runs WHERE source_id = 2 LIMIT 1") == [("completed",)]
    assert harness.ask("SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')") == [(0,)]
