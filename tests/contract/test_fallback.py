"""Facts that escalation stores are there for all workers, on both databases."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, select

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName, Source
from larder.core.policy.quota import Allowance
from larder.engine.background import condition_alerts
from larder.engine.clock import VirtualClock
from larder.engine.worker.fallback import StoredFallback
from larder.store.database import Database
from larder.store.operations.notifications import alerts
from larder.store.pages import pages
from larder.store.pages.blobs import PackedBlobs
from larder.store.pages.page_rows import NewPage
from larder.store.queue import sources
from larder.store.queue.source_rows import SourceRow
from larder.store.tables import alerts as alert_rows
from tests.contract import world
from tests.contract.world import DAY, HOUR, NOW

URL = "http://homes.test/listings"


Fallback = tuple[StoredFallback, VirtualClock, PackedBlobs]


def fallback(database: Database, folder: Path, *, credits_a_month: float | None = None) -> Fallback:
    clock, blobs = VirtualClock(NOW), PackedBlobs(folder / "pages")
    return StoredFallback(database, blobs, clock, credits_a_month=credits_a_month), clock, blobs


async def a_source(database: Database) -> Source:
    def make(conn: Connection) -> Source:
        return sources.load(conn, [added := world.source(conn)])[added]

    return await database.run(make)


async def row_of(database: Database, source: Source) -> SourceRow:
    def read(conn: Connection) -> SourceRow:
        found = sources.by_slug(conn, source.slug)
        assert found is not None
        return found

    return await database.run(read)


async def open_alerts(database: Database) -> list[tuple[str, str, int]]:
    def read(conn: Connection) -> list[tuple[str, str, int]]:
        rows = conn.execute(select(alert_rows).where(alert_rows.c.resolved_at.is_(None)))
        return [(row.name, row.subject, row.times) for row in rows]

    return await database.run(read)


async def test_a_suggestion_is_written_to_its_source(database: Database, tmp_path: Path) -> None:
    source, (ladder, _, _) = await a_source(database), fallback(database, tmp_path)
    await ladder.suggest(source, FetcherName.BROWSER)
    row = await row_of(database, source)
    assert (row.suggested_fetcher, row.fetcher) == ("browser", "http"), "suggested, not decided"


async def test_a_lost_host_is_one_alert_until_it_is_found(database: Database, tmp_path: Path) -> None:
    source, (ladder, _, _) = await a_source(database), fallback(database, tmp_path)
    lost = Fetched(
        outcome=FetchOutcome.DNS_ERROR, url=URL, final_url=URL, fetched_at=NOW, error="no such name"
    )
    await ladder.host_lost(source, lost)
    await ladder.host_lost(source, lost)
    assert await open_alerts(database) == [("domain_moved", "homes", 2)]
    assert (await row_of(database, source)).broken_reason == "dns_error: no such name"
    await ladder.host_found(source)
    assert await open_alerts(database) == []
    assert (await row_of(database, source)).broken_reason is None
    await ladder.host_lost(source, lost)
    assert await open_alerts(database) == [("domain_moved", "homes", 1)], "a new one, not the old one again"


async def test_credits_are_counted_by_month(database: Database, tmp_path: Path) -> None:
    ladder, clock, _ = fallback(database, tmp_path, credits_a_month=100)
    assert (await ladder.quota()).state is Allowance.PLENTY
    for _ in range(9):
        await ladder.spend(10)
    assert ((await ladder.quota()).used, (await ladder.quota()).state) == (90, Allowance.SHORT)
    await ladder.spend(10)
    assert (await ladder.quota()).state is Allowance.SPENT
    clock.advance(NOW + 31 * DAY)
    assert ((await ladder.quota()).used, (await ladder.quota()).state) == (0, Allowance.PLENTY)


async def test_a_relay_that_says_no_is_not_asked_again_this_month(database: Database, tmp_path: Path) -> None:
    source, (ladder, clock, _) = await a_source(database), fallback(database, tmp_path)
    await ladder.spend(3)
    await ladder.quota_spent(source, "no more credit")
    assert (await ladder.quota()).state is Allowance.SPENT
    await ladder.quota_spent(source, None)
    assert await open_alerts(database) == [("quota_spent", "relay", 2)]
    clock.advance(NOW + 31 * DAY)
    assert (await ladder.quota()).state is Allowance.PLENTY
    await ladder.spend(1)
    assert await open_alerts(database) == [], "who is paid again has credit"


async def test_the_last_credit_of_a_month_is_no_news_of_more(database: Database, tmp_path: Path) -> None:
    source, (ladder, _, _) = await a_source(database), fallback(database, tmp_path, credits_a_month=10)
    await ladder.quota_spent(source, None)
    await ladder.spend(10)
    assert await open_alerts(database) == [("quota_spent", "relay", 1)]


async def test_with_a_new_month_a_spent_quota_has_passed(database: Database, tmp_path: Path) -> None:
    source, (ladder, _, _) = await a_source(database), fallback(database, tmp_path)
    await ladder.quota_spent(source, None)
    await database.run(condition_alerts.check_conditions, now=datetime(2026, 1, 31, 23, 59, tzinfo=UTC))
    assert await open_alerts(database) == [("quota_spent", "relay", 1)]
    await database.run(condition_alerts.check_conditions, now=datetime(2026, 2, 1, tzinfo=UTC))
    assert await open_alerts(database) == []


async def test_a_relay_that_answers_again_is_not_down(database: Database, tmp_path: Path) -> None:
    source, (ladder, _, _) = await a_source(database), fallback(database, tmp_path)
    await ladder.relay_down(source, "answered 503")
    await ladder.spend(1)
    assert await open_alerts(database) == []


async def test_a_relay_that_is_down_leaves_its_source_to_a_person(database: Database, tmp_path: Path) -> None:
    source, (ladder, _, _) = await a_source(database), fallback(database, tmp_path)
    await ladder.relay_down(source, "answered 503")
    row = await row_of(database, source)
    assert (row.needs_review, row.review_reason) == (1, "the relay is down: answered 503")
    assert await open_alerts(database) == [("relay_down", "relay", 1)]


async def test_a_stored_page_keeps_its_own_time_and_gets_too_old(database: Database, tmp_path: Path) -> None:
    source, (ladder, clock, blobs) = await a_source(database), fallback(database, tmp_path)
    (stored,) = await blobs.put([b"<p>hi"])
    good = Fetched(
        outcome=FetchOutcome.OK,
        url=URL,
        final_url=URL,
        fetched_at=NOW,
        status=200,
        body=b"<p>hi",
        content_hash=stored.content_hash,
    )
    blocked = replace(good, outcome=FetchOutcome.BLOCKED, status=403, body=b"", content_hash=None)

    def store(conn: Connection) -> None:
        pages.set_locations(conn, [stored], now=NOW)
        pages.store(conn, [NewPage(1, source.id, good)])
        pages.store(conn, [NewPage(2, source.id, replace(blocked, fetched_at=NOW + HOUR))])

    await database.run(store)
    clock.advance(NOW + 2 * HOUR)
    found = await ladder.stored_page(source, URL, younger_than=timedelta(hours=24))
    await blobs.close()
    assert found is not None
    assert (found.outcome, found.body, found.fetched_at) == (FetchOutcome.OK, b"<p>hi", NOW)
    assert await ladder.stored_page(source, URL + "?page=2", younger_than=DAY) is None
    clock.advance(NOW + 25 * HOUR)
    assert await ladder.stored_page(source, URL, younger_than=DAY) is None


@world.unit_of_work
def test_an_alert_says_whether_it_is_new(conn: Connection) -> None:
    first = alerts.raise_alert(conn, "drift", "P2", "a", "one", now=NOW, details={"rate": 0.6})
    again = alerts.raise_alert(conn, "drift", "P1", "a", "two", now=NOW + HOUR)
    other = alerts.raise_alert(conn, "drift", "P2", "b", "one", now=NOW)
    assert (first, again, other) == (True, False, True)
    row = conn.execute(select(alert_rows).where(alert_rows.c.subject == "a")).one()
    assert (row.times, row.severity, row.message, row.first_at, row.last_at) == (
        2,
        "P1",
        "two",
        NOW,
        NOW + HOUR,
    )
    assert alerts.resolve(conn, "drift", "a", now=NOW)
    assert not alerts.resolve(conn, "drift", "a", now=NOW)
