"""What people may do to the dataset by hand: pin a value, void a run, have something forgotten; its feed."""

from typing import Any

import pytest
from sqlalchemy import Connection

from larder.core.errors import BadInput
from larder.core.model.job import Purpose
from larder.core.model.run import RunKind
from larder.stages.persist.refold import refold
from larder.stages.persist.void import unvoid, void
from larder.store.database import Database
from larder.store.dataset import changes, erasure, pins
from larder.store.dataset.changes import Cursor
from tests.contract.world import HOUR, NOW, Pages, dump, fed, one, rows, run, source, staged, unit_of_work

PRICES = """
SELECT amount, superseded_at IS NULL FROM observations
WHERE field = 'price' AND voided_at IS NULL ORDER BY id
"""


def shop(conn: Connection) -> Pages:
    pages = Pages(conn, source(conn))
    run(conn, pages.source.id)
    return pages


def price(conn: Connection) -> int | None:
    found: int | None = one(conn, "SELECT price_minor FROM records")
    return found


# -- pins --------------------------------------------------------------------------------------------------


@unit_of_work
def test_a_pinned_value_survives_what_pages_say(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, price_minor=100, currency="EUR")))
    pins.pin(conn, 1, "title", "By hand", by="ann", now=NOW)
    refold(conn, [1], now=NOW)
    pages.keep(pages.page(staged(1, price_minor=90, currency="EUR", title="By the site"), at=NOW + HOUR))
    assert rows(conn, "SELECT title, price_minor FROM records") == [("By hand", 90)]


@unit_of_work
def test_a_pinned_price_is_shown_while_the_site_s_own_is_still_followed(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, price_minor=100, currency="EUR")))
    pins.pin(conn, 1, "price_minor", 55, by="ann", now=NOW)
    refold(conn, [1], now=NOW)
    for hours, amount in ((1, 100), (2, 120), (3, 120)):
        pages.keep(pages.page(staged(1, price_minor=amount, currency="EUR"), at=NOW + hours * HOUR))
    assert price(conn) == 55
    assert [amount for amount, _ in rows(conn, PRICES)] == [100, 120]


@unit_of_work
def test_an_unpinned_field_says_what_the_last_page_said(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1)))
    pins.pin(conn, 1, "title", "By hand", by="ann", now=NOW)
    refold(conn, [1], now=NOW)
    pins.unpin(conn, 1, "title")
    assert refold(conn, [1], now=NOW) == [1]
    assert rows(conn, "SELECT title, pinned FROM records") == [("Home 1", 0)]


@unit_of_work
def test_folding_again_changes_nothing(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, price_minor=100, currency="EUR"), staged(2)))
    detail = staged(1, price_minor=100, currency="EUR", description="A long story")
    pages.keep(pages.page(detail, purpose=Purpose.DETAIL, at=NOW + HOUR, expects="PID:1"))
    before = dump(conn)
    assert refold(conn, [1, 2], now=NOW + 2 * HOUR) == []
    assert dump(conn) == before


# -- void --------------------------------------------------------------------------------------------------


@unit_of_work
def test_a_void_run_s_values_give_way_to_those_before(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, price_minor=100, currency="EUR"), run_id=1))
    pages.keep(pages.page(staged(1, price_minor=1, currency="EUR", title="Sale!"), run_id=2, at=NOW + HOUR))
    assert void(conn, 2, by="ann", now=NOW + 2 * HOUR) == 1
    assert rows(conn, "SELECT title, price_minor FROM records") == [("Home 1", 100)]
    assert rows(conn, PRICES) == [(100, True)]
    assert one(conn, "SELECT count(*) FROM observations") > len(rows(conn, PRICES)), "nothing is deleted"


@unit_of_work
def test_what_came_after_a_void_run_stays(conn: Connection) -> None:
    pages = shop(conn)
    for run_id, amount in ((1, 100), (2, 1), (3, 130)):
        page = pages.page(
            staged(1, price_minor=amount, currency="EUR"), run_id=run_id, at=NOW + run_id * HOUR
        )
        pages.keep(page)
    void(conn, 2, by="ann", now=NOW + 4 * HOUR)
    assert price(conn) == 130
    assert rows(conn, PRICES) == [(100, False), (130, True)]


@unit_of_work
def test_a_void_can_be_undone(conn: Connection) -> None:
    pages = shop(conn)
    run(conn, pages.source.id, RunKind.SWEEP)
    pages.keep(pages.page(staged(1, price_minor=100, currency="EUR"), run_id=1))
    pages.keep(pages.page(staged(1, price_minor=80, currency="EUR"), run_id=2, at=NOW + HOUR))
    feed = {"changes": set[str](), "records": {"updated_at", "row_hash"}}
    before = dump(conn, leave_out=feed)
    void(conn, 2, by="ann", now=NOW + 2 * HOUR)
    assert dump(conn, leave_out=feed) != before
    unvoid(conn, 2, now=NOW + 3 * HOUR)
    assert dump(conn, leave_out=feed) == before


@unit_of_work
def test_a_record_that_only_a_void_run_knew_is_out_of_sight_until_seen_again(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1), run_id=1))
    void(conn, 1, by="ann", now=NOW + HOUR)
    assert rows(conn, "SELECT active FROM records") == [(0,)]
    pages.keep(pages.page(staged(1), run_id=2, at=NOW + 2 * HOUR))
    assert rows(conn, "SELECT active, title FROM records") == [(1, "Home 1")]
    assert one(conn, "SELECT count(*) FROM versions WHERE voided_at IS NULL") == 1


# -- erasure -----------------------------------------------------------------------------------------------


@unit_of_work
def test_an_erased_record_is_gone_everywhere_and_does_not_come_back(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, price_minor=100, currency="EUR"), staged(2)))
    assert erasure.erase_record(conn, 1, by="ann", reason="asked to", now=NOW)
    pages.keep(pages.page(staged(1, price_minor=90, currency="EUR"), staged(2), at=NOW + HOUR, run_id=2))
    assert rows(conn, "SELECT identity_key FROM records") == [("PID:2",)]
    assert one(conn, "SELECT count(*) FROM versions WHERE record_id = 1") == 0
    assert one(conn, "SELECT count(*) FROM observations WHERE record_id = 1") == 0


@unit_of_work
def test_l10_5_an_erased_record_does_not_come_back_under_another_key(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1), staged(2)))
    assert erasure.erase_record(conn, 1, by="ann", reason="asked to", now=NOW)
    pages.keep(pages.page(staged(1, key="SKU:new"), staged(2), at=NOW + HOUR, run_id=2))
    assert rows(conn, "SELECT identity_key FROM records") == [("PID:2",)]


@unit_of_work
def test_erasing_what_is_not_there_says_so(conn: Connection) -> None:
    assert not erasure.erase_record(conn, 7, by="ann", reason="asked to", now=NOW)
    assert one(conn, "SELECT count(*) FROM tombstones") == 0


@unit_of_work
def test_an_erased_seller_takes_all_records_along_whatever_the_spelling(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(
        pages.page(staged(1, seller="Bob Smith"), staged(2, seller="Eve"), staged(3, seller="BOB  SMITH"))
    )
    assert erasure.erase_seller(conn, "bob smith", by="ann", reason="asked to", now=NOW) == 2
    pages.keep(pages.page(staged(4, seller="Bob Smith"), staged(5), at=NOW + HOUR))
    assert rows(conn, "SELECT identity_key FROM records ORDER BY id") == [("PID:2",), ("PID:5",)]
    assert "bob" not in repr(dump(conn)["tombstones"]).lower()


# -- the feed ----------------------------------------------------------------------------------------------


def told(conn: Connection, cursor: Cursor, most: int = 100) -> list[Any]:
    return [(row.record_id, row.change) for row in changes.list_since(conn, cursor, limit=most)]


async def test_the_feed_tells_what_happened_in_order_and_page_by_page(database: Database) -> None:
    def story(conn: Connection) -> None:
        pages = shop(conn)
        pages.keep(pages.page(staged(1), staged(2)))
        pages.keep(pages.page(staged(1, title="Another"), at=NOW + HOUR))
        erasure.erase_record(conn, 2, by="ann", reason="asked to", now=NOW)

    await database.run(story)
    everything = [(1, "new"), (2, "new"), (1, "changed"), (2, "erased")]
    await fed(database, Cursor(), len(everything))
    assert await database.run(told, Cursor()) == everything
    first = await database.run(changes.list_since, Cursor(), limit=3)
    assert await database.run(told, changes.cursor_of(first[-1])) == everything[3:]


async def test_a_change_that_commits_late_is_not_overtaken(postgres: Database) -> None:
    """Two writers: the one that took its number first commits last."""
    await postgres.run(lambda conn: changes.add(conn, [changes.NewChange(1, 1, "new", None)], now=NOW))

    def late(conn: Connection) -> None:
        changes.add(conn, [changes.NewChange(2, 1, "new", None)], now=NOW)

    await fed(postgres, Cursor(), 1)
    engine = postgres._engine  # type: ignore[attr-defined]
    async with engine.connect() as slow:
        await slow.run_sync(late)
        await postgres.run(lambda conn: changes.add(conn, [changes.NewChange(3, 1, "new", None)], now=NOW))
        seen = await postgres.run(changes.list_since, Cursor())
        assert [row.record_id for row in seen] == [1]
        await slow.commit()
    rest = await fed(postgres, changes.cursor_of(seen[-1]), 2)
    assert sorted(row.record_id for row in rest) == [2, 3]


@pytest.mark.parametrize("text", ["", "1", "a.b", "1.-2", "1.2.3", "9" * 60 + ".1"])
def test_what_is_no_cursor(text: str) -> None:
    with pytest.raises(BadInput, match="not a cursor"):
        Cursor.parse(text)


def test_a_cursor_goes_out_and_comes_back() -> None:
    assert Cursor.parse(str(Cursor(12, 34))) == Cursor(12, 34)
