"""What a record says after one more page: a table."""

from typing import Any

import pytest

from larder.core.model.job import Purpose
from larder.stages.persist.merge import merge

ROW, PAGE = Purpose.INDEX, Purpose.DETAIL
FOUND = {"latitude": 52.1, "longitude": 5.1, "coordinates_from": "geocoder"}
GUESSED = {"latitude": 50.0, "longitude": 4.0, "coordinates_from": "default"}
MOVED = {**GUESSED, "latitude": 51.0}


@pytest.mark.parametrize(
    ("known", "said", "purpose", "detailed", "merged"),
    [
        pytest.param(
            {"currency": "SEK", "price": "450.00", "price_minor": 45000},
            {"price": "460.00", "price_minor": 46000, "currency_sign": "kr", "sku": "A1"},
            PAGE,
            False,
            {"currency": "SEK", "price": "460.00", "price_minor": 46000, "sku": "A1"},
            id="a page's bare sign is in the currency that its row names",
        ),
        pytest.param(
            {"currency": "EUR", "price": "45.00", "price_minor": 4500},
            {"price": "460.00", "price_minor": 46000, "currency_sign": "kr", "sku": "A1"},
            PAGE,
            False,
            {"currency": "EUR", "price": "45.00", "price_minor": 4500, "sku": "A1"},
            id="a sign that the row's currency does not have gives no price",
        ),
        pytest.param({}, {"a": 1}, ROW, False, {"a": 1}, id="the first page is all there is"),
        pytest.param({"a": 1}, {"a": 2}, ROW, False, {"a": 2}, id="the newest wins"),
        pytest.param(
            {"starts_at": "2027-10-07T19:00", "ends_at": "2027-10-07T21:00"},
            {"starts_at": "2026-10-07T19:00"},
            PAGE,
            False,
            {"starts_at": "2026-10-07T19:00"},
            id="the end of another day is none",
        ),
        pytest.param({"a": 1}, {"a": None}, PAGE, True, {"a": 1}, id="nothing is no news"),
        pytest.param({"a": 1}, {"a": ""}, PAGE, True, {"a": 1}, id="empty text is no news"),
        pytest.param({"a": [1]}, {"a": []}, PAGE, True, {"a": [1]}, id="an empty list is no news"),
        pytest.param({"a": 1}, {"a": 0}, PAGE, True, {"a": 0}, id="nought is"),
        pytest.param({"a": True}, {"a": False}, PAGE, True, {"a": False}, id="so is no"),
        pytest.param({"a": "full"}, {"a": "fu…"}, ROW, True, {"a": "full"}, id="a row is cut short"),
        pytest.param({"a": "full"}, {"b": 1}, ROW, True, {"a": "full", "b": 1}, id="a row adds"),
        pytest.param(
            {"title": "Oak table - €233"},
            {"title": "For sale Oak table"},
            PAGE,
            False,
            {"title": "Oak table - €233"},
            id="a page's title with a label for the row's amount",
        ),
        pytest.param(
            {"title": "Oak table 233 euro"},
            {"title": "Oak table"},
            PAGE,
            False,
            {"title": "Oak table 233 euro"},
            id="the row's title, which names an amount",
        ),
        pytest.param(
            {"title": "Tygo drill DX 412"},
            {"title": "Tygo drill DX 733"},
            PAGE,
            False,
            {"title": "Tygo drill DX 733"},
            id="another number names another model",
        ),
        pytest.param(
            {"currency": "AUD", "price": "25.00", "price_minor": 2500},
            {"currency": "USD", "price": "24.00", "price_minor": 2400, "currency_sign": "$"},
            PAGE,
            False,
            {"currency": "AUD", "price": "24.00", "price_minor": 2400},
            id="a bare sign does not take back the row's currency",
        ),
        pytest.param(
            {"currency": "CNY", "price": "30.00", "price_minor": 3000},
            {"currency": "JPY", "price": "28", "price_minor": 28, "currency_sign": "¥"},
            PAGE,
            False,
            {"currency": "CNY", "price": "28.00", "price_minor": 2800},
            id="nor its decimals",
        ),
        pytest.param(
            {"currency": "SEK", "price": "30.00", "price_minor": 3000},
            {"price": "28.00", "price_minor": 2800, "currency_sign": "kr"},
            ROW,
            True,
            {"currency": "SEK", "price": "28.00", "price_minor": 2800},
            id="a row's bare sign is in the page's currency",
        ),
        pytest.param(
            {"currency": "EUR", "price": "30.00", "price_minor": 3000},
            {"currency": "USD", "price": "28.00", "price_minor": 2800, "currency_sign": "$"},
            PAGE,
            True,
            {"currency": "USD", "price": "28.00", "price_minor": 2800},
            id="a sign that the known currency does not have",
        ),
        pytest.param(
            {"currency": "USD"},
            {"currency": "AUD", "price_minor": 2800},
            PAGE,
            True,
            {"currency": "AUD", "price_minor": 2800},
            id="a page that names its currency",
        ),
        pytest.param(
            {"currency": "AUD", "price_minor": 2500},
            {"currency": "USD", "currency_sign": "$"},
            PAGE,
            True,
            {"currency": "AUD", "price_minor": 2500},
            id="a sign whose price is doubted",
        ),
        pytest.param({"seller": "A"}, {"seller": "B"}, ROW, True, {"seller": "B"}, id="a row's seller"),
        pytest.param(
            {"status": "scheduled"},
            {"status": "cancelled"},
            ROW,
            True,
            {"status": "cancelled"},
            id="l10_6 a row's status",
        ),
        pytest.param(
            {"status": "cancelled"},
            {"status": "scheduled"},
            ROW,
            True,
            {"status": "cancelled"},
            id="l10_6 what a row says of any event",
        ),
        pytest.param(
            {"status": "reserved", "a": 1}, {"a": 1}, PAGE, True, {"a": 1}, id="l10_6 no badge any more"
        ),
        pytest.param(
            {"status": "sold", "a": 1},
            {"a": 1},
            PAGE,
            False,
            {"status": "sold", "a": 1},
            id="the first page behind a row with a badge says nothing",
        ),
        pytest.param(
            {"status": "reserved", "a": 1},
            {"a": 1},
            ROW,
            True,
            {"status": "reserved", "a": 1},
            id="l10_6 a row takes no badge of a page back",
        ),
        pytest.param(
            {"price_minor": 400000, "period": "month"},
            {"price_minor": 260000000},
            PAGE,
            False,
            {"price_minor": 260000000},
            id="what a fee is for is not what the price is for",
        ),
        pytest.param(FOUND, GUESSED, PAGE, True, FOUND, id="a place that was found stays"),
        pytest.param(GUESSED, FOUND, PAGE, True, FOUND, id="a place that is found counts"),
        pytest.param(GUESSED, MOVED, PAGE, True, MOVED, id="a source that moved takes its events along"),
        pytest.param({"a": "old"}, {"a": "new"}, PAGE, True, {"a": "new"}, id="a page renews"),
        pytest.param(
            {"title": "Road bike 54cm"},
            {"title": "Road bike 54cm - $1,092 (Oakland)"},
            PAGE,
            False,
            {"title": "Road bike 54cm"},
            id="a page that adds to the row's title",
        ),
        pytest.param(
            {"title": "Noord in trio"},
            {"title": "Datum di 17 nov"},
            PAGE,
            False,
            {"title": "Noord in trio"},
            id="a page whose title is something else",
        ),
        pytest.param(
            {"title": "Noord in trio and …"},
            {"title": "Noord in trio and guests"},
            PAGE,
            False,
            {"title": "Noord in trio and guests"},
            id="a row whose title is cut short",
        ),
        pytest.param(
            {"starts_at": "2026-12-04T20:00:00", "time_known": True},
            {"starts_at": "2026-12-04T00:00:00", "time_known": False},
            PAGE,
            False,
            {"starts_at": "2026-12-04T20:00:00", "time_known": True},
            id="a date with a time beats a date",
        ),
        pytest.param(
            {"availability": "in_stock"},
            {"availability": "unknown"},
            PAGE,
            True,
            {"availability": "in_stock"},
            id="a page that does not tell the stock",
        ),
    ],
)
def test_merge(
    known: dict[str, Any], said: dict[str, Any], purpose: Purpose, detailed: bool, merged: dict[str, Any]
) -> None:
    before = dict(known)
    assert merge(known, said, purpose=purpose, detailed=detailed) == merged
    assert known == before, "what is known is not changed in place"


def test_a_detail_page_that_exchanges_day_and_month_is_not_believed() -> None:
    row = {"title": "Choir", "starts_at": "2026-12-01T20:00:00+00:00", "time_known": True}
    page = {"title": "Choir", "starts_at": "2026-01-12T20:00:00+00:00", "time_known": True}
    moved = {**page, "starts_at": "2026-12-03T20:00:00+00:00"}
    assert merge(row, page, purpose=Purpose.DETAIL, detailed=False)["starts_at"] == row["starts_at"]
    assert merge(row, moved, purpose=Purpose.DETAIL, detailed=False)["starts_at"] == moved["starts_at"]


def test_a_past_row_keeps_its_year_where_its_page_names_none() -> None:
    """Without a year the page's day is read as the next; a page that names its year may move it."""
    row = {"title": "Choir", "starts_at": "2026-05-03T20:15:00+00:00", "time_known": True}
    page = {"title": "Choir", "starts_at": "2027-05-03T20:15:00+00:00", "time_known": True}
    assert merge(row, page, purpose=Purpose.DETAIL, detailed=False)["starts_at"] == row["starts_at"]
    assert merge(page, row, purpose=Purpose.DETAIL, detailed=False)["starts_at"] == row["starts_at"]
    assert merge(row, page, purpose=Purpose.DETAIL, detailed=True)["starts_at"] == page["starts_at"]
    guessed = {**page, "year_guessed": True}
    assert merge(row, guessed, purpose=Purpose.DETAIL, detailed=True) == row
    assert merge({}, guessed, purpose=Purpose.DETAIL, detailed=False) == page


def test_a_venue_that_a_page_names_beats_the_sources_name_wherever_it_stands() -> None:
    named, lent = {"venue": "Town Hall"}, {"venue": "agenda", "venue_from": "source"}
    for purpose in (Purpose.INDEX, Purpose.DETAIL):
        assert merge(named, lent, purpose=purpose, detailed=False) == named
        assert merge(lent, named, purpose=purpose, detailed=True) == named
    assert merge({}, lent, purpose=Purpose.INDEX, detailed=False) == lent


@pytest.mark.parametrize(
    "heading", ["Agenda for Cabinet on Tuesday 8 December 2026", "Tagesordnung der Sitzung"]
)
def test_a_page_headed_by_its_document_does_not_rename_the_meeting(heading: str) -> None:
    row = {"title": "Cabinet", "starts_at": "2026-12-08T18:00:00+00:00"}
    page = {"title": heading, "starts_at": row["starts_at"], "description": "In public"}
    assert merge(row, page, purpose=Purpose.DETAIL, detailed=False) == {**page, "title": "Cabinet"}
