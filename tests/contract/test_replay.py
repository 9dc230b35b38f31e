"""Pages read anew: what they say now takes its place in history, and what people decided stays."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.core.model.item import BY_HAND, Staged
from larder.core.model.job import Purpose
from larder.stages.persist import PageItems
from larder.stages.persist.late_pages import persist_late_pages
from larder.stages.persist.rebuild import Rebuilt, rebuild
from larder.stages.persist.refold import refold
from larder.store.dataset import erasure, pins
from tests.contract.world import HOUR, NOW, Pages, dump, one, rows, run, source, staged, unit_of_work

PRICES = """
SELECT amount, observed_at, confirmed_at, superseded_at IS NULL FROM observations
WHERE field = 'price' AND voided_at IS NULL ORDER BY observed_at, id
"""
LATER = NOW + 9 * HOUR


def shop(conn: Connection) -> Pages:
    pages = Pages(conn, source(conn))
    run(conn, pages.source.id)
    return pages


def priced(amount: int, number: int = 1, **more: Any) -> Staged:
    return staged(number, price_minor=amount, currency="EUR", **more)


def hours(moment: Any) -> float:
    """Hours since the beginning, whatever the database calls a moment."""
    at = moment if isinstance(moment, datetime) else None
    return ((at - NOW) / HOUR) if at else (moment - int(NOW.timestamp() * 1e6)) / 3.6e9


def prices(conn: Connection) -> list[tuple[int, float, float, bool]]:
    return [(amount, hours(at), hours(seen), bool(now)) for amount, at, seen, now in rows(conn, PRICES)]


def anew(conn: Connection, page: PageItems, *items: Staged) -> Rebuilt:
    return rebuild(conn, [replace(page, staged=items)], now=LATER, write=True)


@unit_of_work
def test_a_price_that_was_misread_is_told_as_of_when_its_page_was_fetched(conn: Connection) -> None:
    pages = shop(conn)
    seen = [pages.page(priced(amount), at=NOW + n * HOUR) for n, amount in enumerate((100, 150, 150, 130))]
    for page in seen:
        pages.keep(page)
    assert prices(conn) == [(100, 0, 0, False), (150, 1, 2, False), (130, 3, 3, True)]
    done = rebuild(conn, [replace(page, staged=[priced(120)]) for page in seen[1:3]], now=LATER, write=True)
    assert (done.versions, done.facts, done.overlaid) == (1, 1, 2)
    assert prices(conn) == [(100, 0, 0, False), (120, 1, 2, False), (130, 3, 3, True)]
    assert one(conn, "SELECT price_minor FROM records") == 130
    assert one(conn, "SELECT count(*) FROM versions WHERE voided_at IS NOT NULL") == 1


@unit_of_work
def test_where_the_price_had_not_changed_after_all_it_was_only_seen_again(conn: Connection) -> None:
    pages = shop(conn)
    first, second = pages.page(priced(100)), pages.page(priced(150), at=NOW + HOUR)
    for page in (first, second):
        pages.keep(page)
    anew(conn, second, priced(100))
    assert prices(conn) == [(100, 0, 1, True)]
    assert one(conn, "SELECT price_minor FROM records") == 100


@unit_of_work
def test_what_says_what_it_said_changes_nothing(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(100), priced(200, 2))
    pages.keep(page)
    before = dump(conn, leave_out={"sightings": {"id"}})
    done = anew(conn, page, priced(100), priced(200, 2))
    assert (done.versions, done.facts, done.overlaid, done.differences) == (0, 0, 0, [])
    assert dump(conn, leave_out={"sightings": {"id"}}) == before


@unit_of_work
def test_a_look_writes_nothing(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(100))
    pages.keep(page)
    before = dump(conn)
    done = rebuild(conn, [replace(page, staged=[priced(90), priced(5, 2)])], now=LATER, write=False)
    assert (done.new, len(done.differences)) == (1, 1)
    assert done.differences[0].then != done.differences[0].now
    assert dump(conn) == before


@unit_of_work
def test_what_only_a_misreading_had_made_up_is_out_of_sight(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(100), staged(2, title="Accept all cookies"))
    pages.keep(page)
    done = anew(conn, page, priced(100))
    assert [each.now for each in done.differences] == [None]
    assert rows(conn, "SELECT identity_key, active FROM records ORDER BY id") == [("PID:1", 1), ("PID:2", 0)]


@unit_of_work
def test_what_was_missed_on_a_page_appears_with_the_page_s_time(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(100))
    pages.keep(page)
    assert anew(conn, page, priced(100), priced(70, 2)).new == 1
    seen = rows(
        conn, "SELECT first_seen_at, last_seen_at, price_minor FROM records WHERE identity_key = 'PID:2'"
    )
    assert [(hours(first), hours(last), price) for first, last, price in seen] == [(0, 0, 70)]
    assert one(conn, "SELECT records FROM sightings") in ([1, 2], "[1,2]")


@unit_of_work
def test_a_detail_page_and_the_rows_around_it_keep_their_order(conn: Connection) -> None:
    pages = shop(conn)
    row = pages.page(priced(100, title="Short"))
    detail = pages.page(
        priced(100, title="Long name"), purpose=Purpose.DETAIL, at=NOW + HOUR, expects="PID:1"
    )
    after = pages.page(priced(90, title="Short"), at=NOW + 2 * HOUR)
    for page in (row, detail, after):
        pages.keep(page)
    anew(conn, row, priced(80, title="Shorter"))
    assert rows(conn, "SELECT title, price_minor FROM records") == [("Long name", 90)]
    assert [(amount, at) for amount, at, _, _ in prices(conn)] == [(80, 0), (100, 1), (90, 2)]


# -- what people decided -----------------------------------------------------------------------------------


@unit_of_work
def test_a_pinned_value_stays(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(150))
    pages.keep(page)
    pins.pin(conn, 1, "price_minor", 55, by="ann", now=NOW)
    refold(conn, [1], now=NOW)
    anew(conn, page, priced(100))
    assert one(conn, "SELECT price_minor FROM records") == 55
    assert [amount for amount, *_ in prices(conn)] == [100]


@unit_of_work
def test_an_item_that_a_person_released_stays(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(100))
    pages.keep(page)
    released = replace(priced(60, 2), strategies={"price": BY_HAND})
    persist_late_pages(conn, [replace(page, staged=[released])], now=NOW + HOUR)
    anew(conn, page, priced(90))
    assert rows(conn, "SELECT identity_key, price_minor, active FROM records ORDER BY id") == [
        ("PID:1", 90, 1),
        ("PID:2", 60, 1),
    ]


@unit_of_work
def test_what_was_erased_does_not_come_back(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(100), priced(70, 2))
    pages.keep(page)
    erasure.erase_record(conn, 2, by="ann", reason="asked to", now=NOW)
    anew(conn, page, priced(90), priced(70, 2))
    assert rows(conn, "SELECT identity_key, price_minor FROM records") == [("PID:1", 90)]


# -- evidence ----------------------------------------------------------------------------------------------


@unit_of_work
def test_an_old_page_does_not_bring_back_what_is_gone(conn: Connection) -> None:
    pages = shop(conn)
    page = pages.page(priced(100))
    pages.keep(page)
    conn.exec_driver_sql("UPDATE records SET active = 0, verification = 'gone'")
    anew(conn, page, priced(90))
    assert rows(conn, "SELECT active, verification, price_minor FROM records") == [(0, "gone", 90)]


@unit_of_work
def test_a_page_that_shows_what_was_last_seen_before_it_is_a_sighting(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(priced(100)))
    blank = pages.page(at=NOW + 2 * HOUR)
    anew(conn, blank, priced(100))
    seen, times = rows(
        conn, "SELECT last_seen_at, confirmed_at FROM records JOIN observations ON record_id = records.id"
    )[0]
    assert (hours(seen), hours(times)) == (2, 2)
