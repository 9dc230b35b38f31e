"""Rows that the database will not take, on the real driver: they are left out, and all else goes on."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from larder.core.model.item import Extracted, Item
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.store.queue import sources
from tests.integration.engine.laboratory import MINUTE, START, Laboratory, failed, small_site

SECOND = timedelta(seconds=1)


def showing(*titles: str) -> Extracted:
    items = tuple(
        Item(fields={"title": title, "url": f"http://homes.test/listing/{n}", "platform_id": str(n)})
        for n, title in enumerate(titles)
    )
    return Extracted(items=items, last=True)


def laboratory(*titles: str) -> Laboratory:
    """A site whose index shows these titles; their own pages add nothing."""
    lab = Laboratory(site=small_site(), html=False)
    lab.add_source()

    def answer(work: Work, at: datetime) -> Fetched:
        page = showing(*titles) if work.job.request.number else Extracted()
        return failed(work, at, FetchOutcome.OK, status=200, payload=page)

    lab.answers = answer
    return lab


def test_a_doubled_row_is_skipped_and_costs_no_other() -> None:
    lab = laboratory("One", "Two", "Three", "Two", "Four")
    lab.do(lambda conn: conn.exec_driver_sql("CREATE UNIQUE INDEX of_a_title ON records (source_id, title)"))
    lab.run(START + 20 * MINUTE)
    assert lab.ask("SELECT title FROM records ORDER BY id") == [("One",), ("Two",), ("Three",), ("Four",)]
    assert lab.ask("SELECT status, failed, inserted FROM runs") == [("completed", 0, 4)]
    assert lab.ask("SELECT count(*) FROM dead_letters") == [(0,)]
    assert lab.ask("SELECT count(*) FROM errors") == [(0,)]


def delete_source(lab: Laboratory) -> None:
    """Behind our back, with foreign keys off, as the sqlite3 shell has them."""

    def delete(conn: Connection) -> None:
        conn.exec_driver_sql("DELETE FROM schedules WHERE source_id = 1")
        conn.exec_driver_sql("DELETE FROM sources WHERE id = 1")

    driver: Any = lab.database._conn.connection.dbapi_connection
    driver.execute("PRAGMA foreign_keys = OFF")
    lab.do(delete)
    driver.execute("PRAGMA foreign_keys = ON")


def test_an_orphan_is_logged_and_skipped_and_the_driver_goes_on() -> None:
    lab = laboratory("One", "Two")
    row = {"slug": "b", "kind": "listing", "url": "http://homes.test/listings", "adapter": "listing"}
    lab.do(lambda conn: sources.add(conn, row, now=START))
    shown = lab.answers
    assert shown is not None

    def answer(work: Work, at: datetime) -> Fetched | None:
        if work.source.id == 1 and lab.ask("SELECT id FROM sources WHERE id = 1"):
            delete_source(lab)
        return shown(work, at)

    lab.answers = answer
    lab.run(START + 25 * MINUTE)
    told = lab.ask("SELECT stage, category, type, source_id FROM errors WHERE source_id = 1")
    assert told == [("persist", "db", "foreign_key", 1)] * 2
    assert lab.ask("SELECT source_id, count(*) FROM records GROUP BY 1") == [(2, 2)]
    assert lab.ask("SELECT status FROM runs WHERE source_id = 2 LIMIT 1") == [("completed",)]
    assert lab.ask("SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')") == [(0,)]
