"""From pages to the dataset: what is new, what changed, what stayed; the same page twice changes nothing."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection, update

from larder.core.model.identity import event_fingerprint, performance_key, show_fingerprint, show_key, url_key
from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.store.database.statement import json_value
from larder.store.tables import records
from larder.store.tables.columns import micros
from tests.contract.statements import overheard
from tests.contract.world import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    Pages,
    dump,
    one,
    rows,
    source,
    staged,
    unit_of_work,
)

EVIDENCE = {
    "records": {
        "last_seen_at",
        "anchored_at",
        "shown_until",
        "dead_at",
        "times_seen",
        "seen_by_run",
        "page_id",
        "last_scraped_at",
    },
    "sightings": set[str](),
    "observations": {"confirmed_at"},
}
"""What a second look at the same thing may move: the proof that it is still there, nothing else."""


def homes(conn: Connection, **values: Any) -> Pages:
    return Pages(conn, source(conn, **values))


def prices(conn: Connection) -> list[tuple[Any, ...]]:
    sql = """SELECT record_id, amount, word, observed_at, confirmed_at, superseded_at
             FROM observations WHERE field = 'price' ORDER BY record_id, id"""
    return rows(conn, sql)


def at(*moments: Any) -> tuple[Any, ...]:
    return tuple(None if moment is None else micros(moment) for moment in moments)


# -- new, changed, unchanged -------------------------------------------------------------------------------


@unit_of_work
def test_rows_never_seen_before_are_new_in_the_order_of_the_page(conn: Connection) -> None:
    pages = homes(conn)
    (found,) = pages.keep(pages.page(staged(3), staged(1), staged(2)))
    assert [arrival.identity_key for arrival in found.new] == ["PID:3", "PID:1", "PID:2"]
    assert (found.updated, found.unchanged, found.discovered_at) == (0, 0, [])
    assert [row[0] for row in rows(conn, "SELECT change FROM changes")] == ["new"] * 3


@unit_of_work
def test_a_performance_asks_for_no_page_of_its_own(conn: Connection) -> None:
    pages = homes(conn)
    url, starts = "https://homes.test/hamlet", "2026-12-04T20:00:00+00:00"
    shown = staged(1, kind=Kind.EVENT, url=url, key=performance_key(url, starts[:10]), starts_at=starts)
    (found,) = pages.keep(pages.page(shown, staged(2, kind=Kind.EVENT, starts_at=starts)))
    assert [arrival.url for arrival in found.new] == [None, "https://homes.test/listing/2"]


@unit_of_work
def test_a_known_row_is_told_with_the_time_of_its_discovery(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1), discovers=False))
    pages.keep(pages.page(staged(2), at=NOW + MINUTE))
    (found,) = pages.keep(pages.page(staged(1), staged(2), staged(3), at=NOW + HOUR))
    assert [arrival.identity_key for arrival in found.new] == ["PID:3"]
    assert found.discovered_at == [None, NOW + MINUTE]
    assert (found.updated, found.unchanged) == (0, 2)


@unit_of_work
def test_a_changed_title_is_a_new_version_and_moves_updated_at(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1, title="Old")))
    (found,) = pages.keep(pages.page(staged(1, title="New"), at=NOW + HOUR))
    assert (found.updated, found.unchanged) == (1, 0)
    assert rows(conn, "SELECT title, created_at, updated_at FROM records") == [("New", *at(NOW, NOW + HOUR))]
    assert one(conn, "SELECT count(*) FROM versions") == 2
    assert rows(conn, "SELECT change FROM changes ORDER BY id") == [("new",), ("changed",)]


@unit_of_work
def test_the_same_page_twice_changes_nothing_but_the_evidence(conn: Connection) -> None:
    pages = homes(conn)
    items = [staged(i, price_minor=100_00 + i, currency="EUR", seller="Ann") for i in range(5)]
    pages.keep(pages.page(*items))
    pages.keep(pages.page(items[2], purpose=Purpose.DETAIL, expects="PID:2"))
    before = dump(conn, leave_out=EVIDENCE)
    pages.keep(pages.page(*items, at=NOW + HOUR))
    pages.keep(pages.page(items[2], purpose=Purpose.DETAIL, expects="PID:2", at=NOW + HOUR))
    assert dump(conn, leave_out=EVIDENCE) == before


@unit_of_work
def test_a_page_settled_again_at_the_same_moment_changes_nothing_at_all(conn: Connection) -> None:
    pages = homes(conn)
    page = pages.page(staged(1, price_minor=5), staged(2))
    pages.keep(page)
    before = dump(conn, leave_out={"sightings": set()})
    pages.keep(page)
    assert dump(conn, leave_out={"sightings": set()}) == before


@unit_of_work
def test_one_page_that_mentions_a_record_twice_speaks_of_it_once(conn: Connection) -> None:
    pages = homes(conn)
    (found,) = pages.keep(pages.page(staged(1, title="First"), staged(1, title="Second")))
    assert len(found.new) == 1
    assert rows(conn, "SELECT title, times_seen FROM records") == [("First", 1)]


@unit_of_work
def test_two_sources_keep_their_own_records_of_the_same_key(conn: Connection) -> None:
    ours, theirs = homes(conn), Pages(conn, source(conn, "flats", domain="flats.test"))
    ours.keep(ours.page(staged(1)))
    (found,) = theirs.keep(theirs.page(staged(1)))
    assert len(found.new) == 1
    assert one(conn, "SELECT count(*) FROM records") == 2


@unit_of_work
def test_an_empty_page_and_an_empty_batch_are_no_trouble(conn: Connection) -> None:
    pages = homes(conn)
    (found,) = pages.keep(pages.page())
    assert (found.new, found.discovered_at, found.ids) == ([], [], [])
    assert one(conn, "SELECT count(*) FROM sightings") == 0


@unit_of_work
def test_a_page_of_thousands_is_kept_whole(conn: Connection) -> None:
    pages = homes(conn)
    (found,) = pages.keep(pages.page(*(staged(i) for i in range(3_000))))
    assert len(found.new) == len(set(found.ids)) == 3_000
    (again,) = pages.keep(pages.page(*(staged(i) for i in range(3_001)), at=NOW + HOUR))
    assert (len(again.new), again.unchanged) == (1, 3_000)


@unit_of_work
def test_hostile_values_cost_nobody_anything(conn: Connection) -> None:
    pages = homes(conn)
    odd = staged(1, title="nul \0 half \ud800 done", notes={"big": 10**30, "\0": ["\udfff"]})
    pages.keep(pages.page(odd, staged(2)))
    before = dump(conn, leave_out=EVIDENCE)
    (again,) = pages.keep(pages.page(odd, staged(2), at=NOW + HOUR))
    assert again.unchanged == 2
    assert dump(conn, leave_out=EVIDENCE) == before
    assert one(conn, "SELECT title FROM records WHERE id = 1") == "nul  half \ufffd done"


# -- index row and detail page -----------------------------------------------------------------------------


@unit_of_work
def test_a_detail_page_adds_and_a_row_does_not_take_away(conn: Connection) -> None:
    pages = homes(conn)
    row = staged(1, title="Cosy fl…", description=None)
    pages.keep(pages.page(row))
    full = staged(1, title="Cosy flat by the canal", description="Long", price_minor=900_00)
    pages.keep(pages.page(full, purpose=Purpose.DETAIL, expects="PID:1", at=NOW + MINUTE))
    pages.keep(pages.page(staged(1, title="Cosy f…", price_minor=900_00), at=NOW + HOUR))
    content = rows(conn, "SELECT title, price_minor, last_scraped_at FROM records")
    assert content == [("Cosy flat by the canal", 900_00, *at(NOW + MINUTE))]


@unit_of_work
def test_a_row_speaks_for_price_availability_and_seller_even_after_its_page_was_read(
    conn: Connection,
) -> None:
    pages = homes(conn)
    said: dict[str, Any] = {
        "price_minor": 900_00,
        "currency": "EUR",
        "availability": "in_stock",
        "seller": "Ann",
    }
    pages.keep(pages.page(staged(1, title="Full", **said), purpose=Purpose.DETAIL, expects="PID:1"))
    said = {"price_minor": 800_00, "availability": "out_of_stock", "seller": "Bob"}
    pages.keep(pages.page(staged(1, title="Fu…", **said), at=NOW + HOUR))
    sql = "SELECT title, price_minor, availability, seller FROM records"
    assert rows(conn, sql) == [("Full", 800_00, "out_of_stock", "Bob")]


@unit_of_work
def test_a_row_that_changes_the_price_does_not_forget_the_detail_page(conn: Connection) -> None:
    pages = homes(conn)
    detail = pages.page(staged(1, price_minor=5), purpose=Purpose.DETAIL, expects="PID:1")
    pages.keep(detail)
    pages.keep(pages.page(staged(1, price_minor=6), at=NOW + HOUR))
    sql = "SELECT page_id, last_scraped_at, canonical_url IS NULL FROM records"
    assert rows(conn, sql) == [(detail.page_id, micros(NOW), 0 if conn.dialect.name == "sqlite" else False)]


@unit_of_work
def test_a_detail_page_without_an_address_does_not_take_the_address_away(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1, url="https://homes.test/listing/1")))
    nameless = staged(1, url=None, description="more")
    pages.keep(pages.page(nameless, purpose=Purpose.DETAIL, expects="PID:1", at=NOW + MINUTE))
    assert rows(conn, "SELECT url, canonical_url FROM records") == [("https://homes.test/listing/1",) * 2]


@unit_of_work
def test_a_detail_page_is_about_the_record_it_was_asked_for(conn: Connection) -> None:
    """Whatever key its own markup gives: the index said PID, the page says SKU."""
    pages = homes(conn)
    pages.keep(pages.page(staged(1)))
    (found,) = pages.keep(
        pages.page(staged(1, key="SKU:abc"), purpose=Purpose.DETAIL, expects="PID:1", at=NOW + MINUTE)
    )
    assert (found.new, one(conn, "SELECT count(*) FROM records")) == ([], 1)


@unit_of_work
def test_a_row_that_still_says_the_old_price_is_heard(conn: Connection) -> None:
    """The page said 90 in between: the row did not change, yet it contradicts what we know."""
    pages = homes(conn)
    row = staged(1, price_minor=100)
    pages.keep(pages.page(row))
    page = pages.page(staged(1, price_minor=90), purpose=Purpose.DETAIL, expects="PID:1", at=NOW + HOUR)
    pages.keep(page)
    pages.keep(pages.page(row, at=NOW + 2 * HOUR))
    assert one(conn, "SELECT price_minor FROM records") == 100
    assert [row[1] for row in prices(conn)] == [100, 90, 100]


@unit_of_work
def test_an_unchanged_row_is_not_even_read(conn: Connection) -> None:
    """The row's hash answers: content that somebody changed behind its back stays as it is."""
    pages = homes(conn)
    pages.keep(pages.page(staged(1)))
    conn.execute(update(records).values(title="Changed by hand"))
    (found,) = pages.keep(pages.page(staged(1), at=NOW + HOUR))
    assert found.unchanged == 1
    assert one(conn, "SELECT title FROM records") == "Changed by hand"


# -- observations ------------------------------------------------------------------------------------------


@unit_of_work
def test_a_price_is_observed_when_it_appears_and_when_it_changes(conn: Connection) -> None:
    pages = homes(conn)
    for hours, price in enumerate((100, 100, 90, 90, 100)):
        pages.keep(pages.page(staged(1, price_minor=price, currency="EUR"), at=NOW + hours * HOUR))
    assert prices(conn) == [
        (1, 100, "EUR", *at(NOW, NOW + HOUR, NOW + 2 * HOUR)),
        (1, 90, "EUR", *at(NOW + 2 * HOUR, NOW + 3 * HOUR, NOW + 4 * HOUR)),
        (1, 100, "EUR", *at(NOW + 4 * HOUR, NOW + 4 * HOUR, None)),
    ]


@unit_of_work
def test_a_page_with_a_bare_sign_keeps_the_currency_that_the_row_named(conn: Connection) -> None:
    pages = homes(conn)
    row = staged(1, price="25.00", price_minor=2500, currency="AUD")
    guess = staged(1, price="25.00", price_minor=2500, currency="USD", currency_sign="$")
    pages.keep(pages.page(row))
    pages.keep(pages.page(guess, purpose=Purpose.DETAIL, expects="PID:1", at=NOW + HOUR))
    assert rows(conn, "SELECT price_minor, currency FROM records") == [(2500, "AUD")]
    assert "currency_sign" not in json_value(one(conn, "SELECT content FROM records"))
    assert prices(conn) == [(1, 2500, "AUD", *at(NOW, NOW + HOUR), None)]


@unit_of_work
def test_two_changes_in_one_batch_are_two_observations_and_one_is_current(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1, price_minor=100)))
    pages.keep(
        pages.page(staged(1, price_minor=90), at=NOW + HOUR),
        pages.page(staged(1, price_minor=80), at=NOW + 2 * HOUR),
        pages.page(staged(1, price_minor=80), at=NOW + 3 * HOUR),
    )
    assert [(row[1], *row[3:]) for row in prices(conn)] == [
        (100, *at(NOW, NOW, NOW + HOUR)),
        (90, *at(NOW + HOUR, NOW + HOUR, NOW + 2 * HOUR)),
        (80, *at(NOW + 2 * HOUR, NOW + 3 * HOUR, None)),
    ]


@unit_of_work
def test_a_row_and_its_detail_page_in_the_first_batch_confirm_each_other(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(
        pages.page(staged(1, price_minor=100)),
        pages.page(staged(1, price_minor=100), purpose=Purpose.DETAIL, expects="PID:1", at=NOW + MINUTE),
    )
    assert prices(conn) == [(1, 100, None, *at(NOW, NOW + MINUTE, None))]
    assert one(conn, "SELECT last_seen_at FROM records") == micros(NOW + MINUTE)


@unit_of_work
def test_a_page_that_shows_no_price_says_nothing_about_it(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1, price_minor=100)))
    pages.keep(pages.page(staged(1, description="now with text"), at=NOW + HOUR))
    assert prices(conn) == [(1, 100, None, *at(NOW, NOW, None))]
    assert one(conn, "SELECT price_minor FROM records") == 100


@unit_of_work
def test_a_price_without_its_currency_is_the_price_we_know(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(
        pages.page(staged(1, price_minor=100, currency="EUR"), purpose=Purpose.DETAIL, expects="PID:1")
    )
    for hours in (1, 2, 3):
        pages.keep(pages.page(staged(1, price_minor=100), at=NOW + hours * HOUR))
    assert prices(conn) == [(1, 100, "EUR", *at(NOW, NOW + 3 * HOUR, None))]


@unit_of_work
def test_a_seller_with_an_endless_name_is_one_seller(conn: Connection) -> None:
    pages = homes(conn)
    for hours in range(3):
        pages.keep(pages.page(staged(1, seller="x" * 2_000, note=hours), at=NOW + hours * HOUR))
    assert one(conn, "SELECT count(*) FROM observations WHERE field = 'seller'") == 1


@unit_of_work
def test_each_observation_says_whence_it_came(conn: Connection) -> None:
    pages = homes(conn)
    page = pages.page(staged(1, price_minor=1, availability="in_stock", seller="Ann"), run_id=77)
    pages.keep(page)
    sql = "SELECT field, run_id, page_id, adapter_version FROM observations ORDER BY field"
    told = [(field, 77, page.page_id, "1.0.0") for field in ("availability", "price", "seller")]
    assert rows(conn, sql) == told


# -- identity ----------------------------------------------------------------------------------------------


@unit_of_work
def test_a_platform_id_that_changed_under_the_same_address_is_the_same_record(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1, url="https://homes.test/a")))
    (found,) = pages.keep(pages.page(staged(2, url="https://homes.test/a"), at=NOW + HOUR, run_id=2))
    assert found.new == []
    assert rows(conn, "SELECT platform_id, times_seen FROM records") == [("2", 2)]


@unit_of_work
def test_rows_that_share_an_address_are_not_one_thing(conn: Connection) -> None:
    """All rows of a source whose rows have no pages of their own link to the index."""
    pages = homes(conn)
    index = "https://homes.test/listings"
    (found,) = pages.keep(pages.page(*(staged(i, url=index) for i in range(4))))
    assert len(found.new) == 4
    (again,) = pages.keep(pages.page(*(staged(i, url=index) for i in range(5)), at=NOW + HOUR, run_id=2))
    assert [arrival.identity_key for arrival in again.new] == ["PID:4"]


URL_KEY = "URL:0123456789abcdef"
CHANGED_KEYS = [
    pytest.param(URL_KEY, "PID:7", id="a platform id appears"),
    pytest.param("PID:7", URL_KEY, id="a platform id disappears"),
    pytest.param("SKU:7", "PID:9", id="another selector"),
]
ADDRESS = "https://homes.test/a"


def keyed(key: str, **fields: Any) -> Any:
    return staged(1, key=key, url=ADDRESS, platform_id=None, **fields)


@pytest.mark.parametrize(("before", "after"), CHANGED_KEYS)
@pytest.mark.parametrize("run_id", [1, 2], ids=["in one run", "in the next run"])
@unit_of_work
def test_l10_5_a_key_that_changed_doubles_no_record(
    conn: Connection, before: str, after: str, run_id: int
) -> None:
    pages = homes(conn)
    pages.keep(pages.page(keyed(before), run_id=1))
    (found,) = pages.keep(pages.page(keyed(after), at=NOW + HOUR, run_id=run_id))
    (back,) = pages.keep(pages.page(keyed(before), at=NOW + 2 * HOUR, run_id=3))
    assert (found.new, back.new) == ([], [])
    assert one(conn, "SELECT count(*) FROM records") == 1


@pytest.mark.parametrize(("before", "after"), CHANGED_KEYS)
@pytest.mark.parametrize("known", [False, True], ids=["unknown", "known"])
@unit_of_work
def test_l10_5_two_pages_of_a_batch_with_two_keys_of_one_address_are_one_record(
    conn: Connection, before: str, after: str, known: bool
) -> None:
    pages = homes(conn)
    if known:
        pages.keep(pages.page(keyed("PID:1"), run_id=1))
    first, second = pages.page(keyed(before), run_id=2), pages.page(keyed(after), run_id=2)
    found = pages.keep(first, second)
    assert [len(each.new) for each in found] == [0 if known else 1, 0]
    assert one(conn, "SELECT count(*) FROM records") == 1


@unit_of_work
def test_l10_5_the_detail_page_of_a_record_whose_key_changed_is_heard(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(keyed(URL_KEY), run_id=1))
    pages.keep(pages.page(keyed("PID:7"), at=NOW + HOUR, run_id=2))
    detail = pages.page(
        keyed("PID:7", description="with a garden"),
        at=NOW + HOUR + MINUTE,
        purpose=Purpose.DETAIL,
        run_id=2,
        expects="PID:7",
    )
    (found,) = pages.keep(detail)
    assert (found.new, found.updated) == ([], 1)


@unit_of_work
def test_l10_5_an_address_that_several_items_of_one_page_share_identifies_none_of_them(
    conn: Connection,
) -> None:
    pages = homes(conn)
    variants = [keyed(f"SKU:{i}") for i in range(2)]
    pages.keep(pages.page(*variants))
    (single,) = pages.keep(pages.page(keyed("SKU:2"), at=NOW + HOUR, run_id=2))
    (beside,) = pages.keep(pages.page(variants[0], keyed("SKU:3"), at=NOW + HOUR, run_id=2))
    assert (len(single.new), len(beside.new)) == (1, 1)


@unit_of_work
def test_l10_5_rows_that_lead_back_to_their_index_are_told_by_their_keys(conn: Connection) -> None:
    pages = homes(conn)
    index = "https://homes.test/listings"
    pages.keep(pages.page(staged(1, url=index)))
    (found,) = pages.keep(pages.page(staged(2, url=index), at=NOW + HOUR, run_id=2))
    assert len(found.new) == 1


@unit_of_work
def test_l10_5_two_days_of_a_series_under_one_address_are_two_events(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(event(1, "f1", url=ADDRESS), run_id=1))
    (found,) = pages.keep(pages.page(event(2, "f2", url=ADDRESS), at=NOW + MINUTE, run_id=1))
    assert len(found.new) == 1


@unit_of_work
def test_l10_5_however_many_keys_changed_the_statements_are_as_many(conn: Connection) -> None:
    def asked(many: int, run_id: int) -> int:
        pages = Pages(conn, 1)
        items = [staged(i, key=f"SKU:{run_id}-{i}", url=f"https://homes.test/{i}") for i in range(many)]
        with overheard(conn) as sent:
            pages.keep(pages.page(*items, at=NOW + run_id * HOUR, run_id=run_id))
        return len(sent)

    source(conn)
    asked(40, 1)
    assert asked(2, 2) == asked(40, 3)
    assert one(conn, "SELECT count(*) FROM records") == 40


def event(number: int, print_: str, **fields: Any) -> Any:
    return staged(number, kind=Kind.EVENT, fingerprint=print_, **fields)


@unit_of_work
def test_shows_that_an_events_own_page_lists_go_to_the_records_of_their_days(conn: Connection) -> None:
    """The index names the second of them under the address of all, and the production by its short title."""
    pages, url = homes(conn), "https://homes.test/hamlet"
    days = ["2026-12-04T20:00:00+00:00", "2026-12-05T20:00:00+00:00", "2026-12-06T20:00:00+00:00"]

    def show(day: str, title: str, key: str) -> Staged:
        name = event_fingerprint(title=title, date=day, source=pages.source.slug)
        item = staged(1, kind=Kind.EVENT, url=url, key=key, title=title, starts_at=day, time_known=True)
        return replace(item, fingerprint=name)

    rows_ = [
        show(days[0], "Prince Hamlet", performance_key(url, days[0][:10])),
        show(days[1], "Prince Hamlet", url_key(url)),
    ]
    pages.keep(pages.page(*rows_))
    keys = [url_key(url), *(performance_key(url, day[:10]) for day in days[1:])]
    listed = [show(day, "The Players: Prince Hamlet", key) for day, key in zip(days, keys, strict=True)]
    pages.keep(pages.page(*listed, purpose=Purpose.DETAIL, expects=url_key(url), at=NOW + MINUTE))
    found = rows(conn, "SELECT title, starts_at FROM records ORDER BY starts_at")
    assert found == [("Prince Hamlet", *at(datetime.fromisoformat(day))) for day in days]


@unit_of_work
def test_an_event_announced_under_another_address_is_the_same_event(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(event(1, "f1")))
    (found,) = pages.keep(pages.page(event(2, "f1"), at=NOW + HOUR, run_id=2))
    assert (found.new, one(conn, "SELECT count(*) FROM records")) == ([], 1)


@pytest.mark.parametrize("times", [1, 2], ids=["first look", "second look"])
@unit_of_work
def test_an_event_announced_twice_on_one_page_is_one_event(conn: Connection, times: int) -> None:
    pages = homes(conn)
    for look in range(times):
        page = pages.page(event(1, "f1"), event(2, "f1"), event(3, "f3"), at=NOW + look * HOUR, run_id=look)
        (found,) = pages.keep(page)
    assert [a.identity_key for a in found.new] == (["PID:1", "PID:3"] if times == 1 else [])
    assert rows(conn, "SELECT identity_key FROM records ORDER BY id") == [("PID:1",), ("PID:3",)]
    assert one(conn, "SELECT count(*) FROM versions") == 2


@unit_of_work
def test_an_event_that_two_pages_of_a_batch_announce_is_one_event(conn: Connection) -> None:
    pages = homes(conn)
    first, second = pages.keep(pages.page(event(1, "f1")), pages.page(event(2, "f1"), at=NOW + MINUTE))
    assert (len(first.new), len(second.new)) == (1, 0)
    assert one(conn, "SELECT count(*) FROM records") == 1


@unit_of_work
def test_an_event_that_two_pages_of_a_run_announce_is_counted_as_double(conn: Connection) -> None:
    pages = homes(conn)
    (first,) = pages.keep(pages.page(event(1, "f1", title="Quiz"), event(3, "f3")))
    (second,) = pages.keep(pages.page(event(2, "f1", title="Quiz"), event(3, "f3"), at=NOW + MINUTE))
    (later,) = pages.keep(pages.page(event(2, "f1", title="Quiz"), at=NOW + HOUR, run_id=2))
    assert (first.doubled, second.unchanged) == ([], 1)
    assert second.doubled == ["Quiz was shown before, not under https://homes.test/listing/2"]
    assert later.doubled == [], "the next run sees it for the first time"


@unit_of_work
def test_an_unknown_event_beside_its_known_double_is_that_one(conn: Connection) -> None:
    """The batch mentions the known one itself, and another address of the same event."""
    pages = homes(conn)
    pages.keep(pages.page(event(1, "f1")))
    (found,) = pages.keep(pages.page(event(1, "f1"), event(2, "f1"), at=NOW + HOUR, run_id=2))
    assert (found.new, one(conn, "SELECT count(*) FROM records")) == ([], 1)


def show(clock: str, *, only: bool, key: str = "URL:film", known: bool = True) -> Any:
    """A show of a film; `only`: its page shows no other of the day."""
    starts = f"2026-11-20T{clock}:00+01:00"
    shown = event(1, "day", url="https://cinema.test/film", key=key, starts_at=starts, time_known=known)
    if only:
        return shown
    print_ = show_fingerprint("day", clock)
    return replace(shown, identity_key=show_key(key, clock), fingerprint=print_, day_fingerprint="day")


def starts(conn: Connection) -> list[str]:
    found = rows(conn, "SELECT content FROM records ORDER BY starts_at")
    return [
        (value if isinstance(value, dict) else json_value(value))["starts_at"][11:16] for (value,) in found
    ]


@unit_of_work
def test_several_shows_a_day_stay_themselves_while_the_page_lists_fewer_and_fewer(conn: Connection) -> None:
    pages = homes(conn)
    (first,) = pages.keep(pages.page(show("15:00", only=False), show("20:00", only=False), run_id=1))
    (last,) = pages.keep(pages.page(show("20:00", only=True), at=NOW + HOUR, run_id=2))
    assert [each.url for each in first.new] == [None, None]
    assert (last.new, last.updated, starts(conn)) == ([], 0, ["15:00", "20:00"])


@pytest.mark.parametrize("known", [True, False], ids=["at its time", "once it had no time"])
@unit_of_work
def test_a_day_s_only_event_is_one_of_its_shows_when_more_are_added(conn: Connection, known: bool) -> None:
    pages = homes(conn)
    pages.keep(pages.page(show("20:00" if known else "00:00", only=True, known=known), run_id=1))
    both = [show("15:00", only=False), show("20:00", only=False)]
    (added,) = pages.keep(pages.page(*both, at=NOW + HOUR, run_id=2))
    (again,) = pages.keep(pages.page(*both, at=NOW + 2 * HOUR, run_id=3))
    (left,) = pages.keep(pages.page(show("15:00", only=True), at=NOW + 3 * HOUR, run_id=4))
    assert (len(added.new), again.new, left.new) == (1, [], [])
    assert starts(conn) == ["15:00", "20:00"]


def film(day: str, clock: str, url: str = "https://cinema.test/film") -> Any:
    """The only row of a film on its page."""
    starts_at = f"2026-11-{day}T{clock}:00+01:00"
    return event(
        1, f"film {day}", url=url, key=url_key(url), starts_at=starts_at, time_known=clock != "00:00"
    )


@pytest.mark.parametrize("together", [True, False], ids=["in one batch", "page by page"])
@pytest.mark.parametrize(
    "shown",
    [
        [film("20", "20:00"), film("21", "20:00"), film("22", "20:00")],
        [film("20", "15:00"), film("20", "20:00"), film("20", "22:30")],
        [
            film("20", "15:00", "https://cinema.test/show/1"),
            film("20", "20:00", "https://cinema.test/show/2"),
        ],
        [
            film("20", "20:00", "https://cinema.test/show/1"),
            film("20", "20:00", "https://cinema.test/show/2"),
        ],
    ],
    ids=["other days", "other times", "other times and addresses", "other numbers in the address"],
)
@unit_of_work
def test_events_of_one_title_on_several_pages_of_a_run_are_events_of_their_own(
    conn: Connection, shown: list[Any], together: bool
) -> None:
    pages = homes(conn)
    for run_id in (1, 2):
        batch = [
            pages.page(each, at=NOW + run_id * HOUR + n * MINUTE, run_id=run_id)
            for n, each in enumerate(shown)
        ]
        for part in [batch] if together else [[page] for page in batch]:
            pages.keep(*part)
        assert one(conn, "SELECT count(*) FROM records") == len(shown), run_id
    days = [
        str(json_value(value)["starts_at"] if isinstance(value, str) else value["starts_at"])[:16]
        for (value,) in rows(conn, "SELECT content FROM records ORDER BY starts_at, id")
    ]
    assert days == [each.fields["starts_at"][:16] for each in shown]


@unit_of_work
def test_the_last_day_of_a_series_stays_itself_when_those_before_it_are_over(conn: Connection) -> None:
    pages = homes(conn)
    for n, day in enumerate(("20", "21", "22")):
        pages.keep(pages.page(film(day, "20:00"), at=NOW + n * MINUTE, run_id=1))
    (left,) = pages.keep(pages.page(film("22", "20:00"), at=NOW + HOUR, run_id=2))
    assert (left.new, left.updated, one(conn, "SELECT count(*) FROM records")) == ([], 0, 3)


@unit_of_work
def test_a_row_that_stands_on_every_page_is_one_event(conn: Connection) -> None:
    pages = homes(conn)
    for n in range(3):
        pages.keep(pages.page(film("20", "20:00"), at=NOW + n * MINUTE, run_id=1))
    assert one(conn, "SELECT count(*) FROM records") == 1


# -- sightings and freshness -------------------------------------------------------------------------------


@unit_of_work
def test_a_sighting_anchors_at_100_and_counts_once_a_run(conn: Connection) -> None:
    pages = homes(conn, tier="hot")
    pages.keep(pages.page(staged(1), run_id=1))
    pages.keep(pages.page(staged(1), run_id=1, at=NOW + MINUTE))
    pages.keep(pages.page(staged(1), run_id=2, at=NOW + HOUR))
    sql = "SELECT times_seen, base, rate, anchored_at, first_seen_at, last_seen_at FROM records"
    assert rows(conn, sql) == [(2, 100, 3, *at(NOW + HOUR, NOW, NOW + HOUR))]


@unit_of_work
def test_a_late_page_does_not_turn_the_clock_back(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1), at=NOW + HOUR))
    pages.keep(pages.page(staged(1), at=NOW, run_id=2), now=NOW + 2 * HOUR)
    assert rows(conn, "SELECT last_seen_at, anchored_at FROM records") == [at(NOW + HOUR, NOW + HOUR)]


@unit_of_work
def test_each_page_leaves_one_row_with_what_it_showed(conn: Connection) -> None:
    pages = homes(conn)
    page = pages.page(staged(2), staged(1))
    pages.keep(page, pages.page(), pages.page(staged(1), run_id=9))
    found = rows(conn, "SELECT run_id, page_id, seen_at, CAST(records AS TEXT) FROM sightings ORDER BY id")
    assert [(r[0], r[1], r[2], r[3].replace(" ", "")) for r in found] == [
        (1, page.page_id, micros(NOW), "[1,2]"),
        (9, page.page_id + 2, micros(NOW), "[2]"),
    ]


@unit_of_work
def test_what_a_page_showed_is_kept_in_the_order_in_which_it_showed_it(conn: Connection) -> None:
    """Also where all of it is known, and found in whatever order."""
    pages = homes(conn)
    (first,) = pages.keep(pages.page(*(staged(i) for i in range(40))))
    upside_down = [staged(i) for i in reversed(range(40))]
    (again,) = pages.keep(pages.page(*upside_down, at=NOW + HOUR))
    assert again.ids == list(reversed(first.ids))
    shown = json_value(rows(conn, "SELECT records FROM sightings ORDER BY id")[-1][0])
    assert shown == again.ids


@unit_of_work
def test_what_was_given_up_and_is_seen_again_is_back_with_its_history(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1, price_minor=100)))
    gone = {"active": 0, "verification": "gone", "strikes": 2, "deactivated_at": NOW + DAY}
    conn.execute(update(records).values(gone))
    pages.keep(pages.page(staged(1, price_minor=100), at=NOW + 2 * DAY, run_id=2))
    sql = "SELECT active, verification, strikes, deactivated_at, times_seen, first_seen_at FROM records"
    assert rows(conn, sql) == [(1, None, 0, None, 2, micros(NOW))]
    assert rows(conn, "SELECT change FROM changes ORDER BY id") == [("new",), ("back",)]
    assert one(conn, "SELECT count(*) FROM observations") == 1


@unit_of_work
def test_discovery_is_remembered_from_its_first_sight_only(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(pages.page(staged(1), discovers=False))
    assert one(conn, "SELECT discovered_at FROM records") is None
    pages.keep(pages.page(staged(1), at=NOW + HOUR))
    pages.keep(pages.page(staged(1), at=NOW + DAY))
    assert one(conn, "SELECT discovered_at FROM records") == micros(NOW + HOUR)


@unit_of_work
def test_the_change_feed_tells_every_change_in_order(conn: Connection) -> None:
    pages = homes(conn)
    pages.keep(
        pages.page(staged(1, price_minor=100)),
        pages.page(staged(1, price_minor=90), at=NOW + MINUTE),
        pages.page(staged(1, price_minor=90), at=NOW + 2 * MINUTE),
    )
    pages.keep(pages.page(staged(1, price_minor=80), at=NOW + HOUR))
    told = rows(conn, "SELECT change, CAST(details AS TEXT) FROM changes ORDER BY id")
    assert [(change, details and details.replace(" ", "")) for change, details in told] == [
        ("new", None),
        ("changed", '{"price":[90,null]}'),
        ("changed", '{"price":[80,null]}'),
    ]
