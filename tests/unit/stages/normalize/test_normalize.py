"""From raw fields to a staged item, or to the reason why not."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.model.item import Dropped, Item, Quarantined, Staged
from larder.core.model.outcome import DropReason, QuarantineReason
from larder.core.model.source import Kind, Source
from larder.stages.normalize import Context, Coordinates, fields_without_validation, normalize

NOW = datetime(2026, 10, 9, 12, 0, tzinfo=UTC)
PRODUCT = Context(
    source="shop",
    kind=Kind.PRODUCT,
    base_url="https://shop.test/p/1?utm_source=x",
    observed_at=NOW,
    currency="USD",
)
LISTING = Context(
    source="flats",
    kind=Kind.LISTING,
    base_url="https://flats.test/?page=2",
    observed_at=NOW,
    currency="EUR",
    index=True,
)
EVENT = Context(
    source="club", name="De Club", kind=Kind.EVENT, base_url="https://club.test/agenda", observed_at=NOW,
    index=True,
    tz="Europe/Amsterdam", language="nl", latitude=52.37, longitude=4.9,
)  # fmt: skip

KETTLE = {"title": "Kettle", "price": "$19.99", "availability": "InStock"}
FLAT = {"title": "Flat", "url": "/d/7"}
GIG = {"title": "Jazz in de kelder", "url": "/agenda/jazz", "date_text": "za 17 okt 20.30 uur"}


def stage(fields: dict[str, Any], context: Context) -> Staged:
    result = normalize(Item(fields=fields, strategy="json-ld"), context)
    assert isinstance(result, Staged), result
    return result


def refuse(fields: dict[str, Any], context: Context) -> tuple[DropReason | QuarantineReason, str]:
    result = normalize(Item(fields=fields), context)
    assert isinstance(result, Dropped | Quarantined), result
    return result.reason, result.details


def test_a_product() -> None:
    staged = stage(
        {**KETTLE, "title": " Kettle &amp; lid\n", "gtin": "4006381333931", "images": ["/a.jpg", "/a.jpg"]},
        PRODUCT,
    )
    assert staged.fields == {
        "title": "Kettle & lid",
        "gtin": "4006381333931",
        "images": [{"url": "https://shop.test/a.jpg", "position": 0}],
        "availability": "in_stock",
        "price": "19.99",
        "price_minor": 1999,
        "currency": "USD",
    }
    assert staged.canonical_url == "https://shop.test/p/1"
    assert staged.identity_key == "URL:2fec8b799d748554"
    assert staged.strategies["price_minor"] == "json-ld"


@pytest.mark.parametrize(
    ("changes", "reason", "details"),
    [
        ({"title": " \u200b "}, DropReason.MISSING_REQUIRED_FIELD, "title"),
        ({"url": "http://["}, DropReason.INVALID_URL, "http://["),
        ({"url": "http://./x"}, DropReason.INVALID_URL, "http://./x"),
        ({"url": "/" + "x" * 9_000}, DropReason.INVALID_URL, "/" + "x" * 199),
        ({"price": None}, DropReason.MISSING_REQUIRED_FIELD, "price"),
        ({"price": None, "availability": "Sold out"}, DropReason.OOS_NO_PRICE, ""),
        ({"price": "15.08.2017"}, DropReason.INVALID_PRICE, "15.08.2017"),
        ({"price": "$1,000,000.00"}, DropReason.INVALID_PRICE, "1000000.00"),
        ({"price": "12 kr"}, DropReason.MISSING_REQUIRED_FIELD, "currency"),
        ({"price": 0}, QuarantineReason.ZERO_PRICE, ""),
        ({"price": ["$1", "$2"]}, QuarantineReason.AMBIGUOUS_PRICE, "1 / 2"),
    ],
)
def test_a_product_refused(
    changes: dict[str, Any], reason: DropReason | QuarantineReason, details: str
) -> None:
    assert refuse({**KETTLE, **changes}, PRODUCT) == (reason, details)


@pytest.mark.parametrize("said", ["call us", None])
def test_stock_that_cannot_be_told(said: str | None) -> None:
    """Kept as unknown; left out where the source is strict."""
    item = {**KETTLE, "availability": said}
    assert refuse(item, replace(PRODUCT, strict=True)) == (DropReason.UNKNOWN_AVAILABILITY, "")
    staged = normalize(Item(fields=item, strategy="json-ld"), PRODUCT)
    assert isinstance(staged, Staged)
    assert staged.fields["availability"] == "unknown"


@pytest.mark.parametrize("lacks", ["price", "availability"])
def test_a_row_that_says_too_little_waits_for_its_own_page(lacks: str) -> None:
    row = Item(fields={**KETTLE, "url": "/p/1", lacks: None}, strategy="json-ld")
    context = replace(PRODUCT, index=True, completes=True, strict=True)
    staged = normalize(row, context)
    assert isinstance(staged, Staged)
    assert not staged.complete
    assert isinstance(normalize(row, replace(context, completes=False)), Dropped)


def test_a_page_that_lacks_a_currency_alone_may_complete_a_row_that_names_it() -> None:
    page = Item(fields={**KETTLE, "price": "450 kr", "currency": None})
    result = normalize(page, replace(PRODUCT, currency=None))
    assert isinstance(result, Dropped)
    assert (result.reason, result.details) == (DropReason.MISSING_REQUIRED_FIELD, "currency")
    assert result.beside_row is not None
    assert result.beside_row.fields["currency_sign"] == "kr"
    row = normalize(page, replace(PRODUCT, currency=None, index=True))
    assert isinstance(row, Dropped)
    assert row.beside_row is None


def test_out_of_stock_with_a_price_goes_on() -> None:
    assert stage({**KETTLE, "availability": "Out of stock"}, PRODUCT).fields["availability"] == "out_of_stock"


def test_a_front_page_is_no_product_address() -> None:
    assert stage({**KETTLE, "url": "https://shop.test/"}, PRODUCT).url == PRODUCT.base_url


def test_attributes_that_an_adapter_read_are_kept_and_unit_costs_derived() -> None:
    read = {
        "calibre": "9mm",
        "grain": 124,
        "title": "another",
        "availability": "no",
        "Bad Name": 1,
        "list": [1],
    }
    given = {**KETTLE, "price": "$26.95", "attributes": read, "cost_per": {"round": 20, "box": 0, "x": "20"}}
    staged = stage(given, PRODUCT)
    fields = staged.fields
    assert (fields["calibre"], fields["grain"], fields["cost_per_round"]) == ("9mm", 124, "1.348")
    assert (fields["title"], fields["availability"]) == (KETTLE["title"], "in_stock")
    assert not {"Bad Name", "list", "cost_per_box", "cost_per_x"} & fields.keys()


def test_a_title_alone_gives_no_attributes_of_a_trade() -> None:
    fields = stage({**KETTLE, "title": "20 Round Box - 9mm Luger 124 Grain FMJ Ammo"}, PRODUCT).fields
    assert not {"calibre", "grain", "rounds", "bullet", "cost_per_round"} & fields.keys()


def test_a_listing_row() -> None:
    staged = stage(
        {
            **FLAT,
            "platform_id": 1338882611,
            "price": "€ 673,59 / Monat",
            "area": "42 m²",
            "rooms": "2,5 Zimmer",
            "beds": "Studio",
            "posted_at": "gestern, 14:33",
            "available_from": "1. Juni 2027",
            "latitude": "48.19",
            "longitude": 16.39,
            "metadata": {"deep": {"a": [1, None, "x"]}},
        },
        LISTING,
    )
    assert staged.identity_key == "PID:1338882611"
    assert staged.url == "https://flats.test/d/7"
    assert staged.fields == {
        "title": "Flat",
        "platform_id": "1338882611",
        "metadata": {"deep": {"a": [1, None, "x"]}},
        "area_m2": 42.0,
        "rooms": 2.5,
        "beds": 0,
        "latitude": 48.19,
        "longitude": 16.39,
        "posted_at": "2026-10-08T14:33:00+00:00",
        "available_from": "2027-06-01",
        "price": "673.59",
        "price_minor": 67359,
        "currency": "EUR",
        "period": "month",
    }


def test_square_feet_are_measured_in_metres() -> None:
    assert stage({**FLAT, "area": "1,142 sq ft"}, LISTING).fields["area_m2"] == 106.1


def test_a_listing_may_lack_all_but_title_and_address() -> None:
    assert stage(FLAT, LISTING).fields == {"title": "Flat"}
    assert stage({"title": "Flat", "platform_id": "7"}, LISTING).identity_key == "PID:7"
    assert stage({**FLAT, "price": "zu verschenken"}, LISTING).fields["price_minor"] == 0


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"url": "/d/7"}, DropReason.MISSING_REQUIRED_FIELD),
        ({"title": "Flat"}, DropReason.MISSING_REQUIRED_FIELD),
        ({"title": "Flat", "url": "mailto:me"}, DropReason.INVALID_URL),
        ({"title": "Flat", "platform_id": "a:b"}, DropReason.MISSING_REQUIRED_FIELD),
        ({**FLAT, "price": "€ 0"}, QuarantineReason.ZERO_PRICE),
        ({**FLAT, "price": ["€ 1", "€ 2"]}, QuarantineReason.AMBIGUOUS_PRICE),
        ({**FLAT, "price": "€ 200.000.000"}, QuarantineReason.VALIDATION_FAILED),
    ],
)
def test_a_listing_refused(fields: dict[str, Any], reason: DropReason | QuarantineReason) -> None:
    assert refuse(fields, LISTING)[0] is reason


def test_an_event() -> None:
    staged = stage({**GIG, "price": "Gratis"}, EVENT)
    assert staged.fields == {
        "title": "Jazz in de kelder",
        "starts_at": "2026-10-17T20:30:00+02:00",
        "time_known": True,
        "venue": "De Club",
        "venue_from": "source",
        "category": "music",
        "description": "",
        "latitude": 52.37,
        "longitude": 4.9,
        "coordinates_from": "default",
        "price": "0.00",
        "price_minor": 0,
    }
    assert staged.fingerprint == stage({**GIG, "url": "/agenda/jazz-2"}, EVENT).fingerprint
    assert staged.fingerprint != stage({**GIG, "date_text": "zo 18 okt"}, EVENT).fingerprint


def test_rows_without_an_address_are_told_apart() -> None:
    rows = [stage({"title": title, "starts_at": "2026-10-17"}, EVENT) for title in ("Jazz", "Blues")]
    assert len({row.identity_key for row in rows}) == 2
    assert all(row.identity_key.startswith("URL:") and row.url is None for row in rows)


def test_an_end_without_an_hour_is_the_end_of_its_day() -> None:
    fields = stage(
        {**GIG, "date_text": None, "starts_at": "2026-10-17", "ends_at": "2026-10-30"}, EVENT
    ).fields
    assert fields["ends_at"] == "2026-10-30T23:59:59+01:00"
    fields = stage({**GIG, "starts_at": "2026-10-17T23:00", "ends_at": "04:00"}, EVENT).fields
    assert fields["ends_at"] == "2026-10-18T04:00:00+02:00"


def test_what_people_read_may_say_more_than_the_markup() -> None:
    assert stage({**GIG, "starts_at": "2026-10-17"}, EVENT).fields["starts_at"] == "2026-10-17T20:30:00+02:00"


def test_the_end_that_people_read_completes_a_stated_start() -> None:
    stated = {**GIG, "starts_at": "2026-10-17T20:30", "date_text": "17.10.2026 20:30–22:00"}
    assert stage(stated, EVENT).fields["ends_at"] == "2026-10-17T22:00:00+02:00"
    other = {**stated, "date_text": "17.10.2026 19:30–22:00"}
    assert "ends_at" not in stage(other, EVENT).fields, "another moment's end"
    assert stage({**other, "ends_at": "23:00"}, EVENT).fields["ends_at"] == "2026-10-17T23:00:00+02:00"


@pytest.mark.parametrize(
    ("day", "index", "guessed"),
    [("3 sep", False, True), ("3 sep", True, False), ("3 sep 2027", False, False), ("17 okt", False, False)],
)
def test_an_events_page_tells_that_its_far_day_has_a_guessed_year(
    day: str, index: bool, guessed: bool
) -> None:
    """Such a day may be last year's: a record's own date is surer."""
    fields = stage({**GIG, "date_text": day}, replace(EVENT, index=index)).fields
    assert fields.get("year_guessed", False) is guessed


def test_an_event_without_a_venue_has_its_sources_name_and_says_so() -> None:
    fields = stage(GIG, EVENT).fields
    assert (fields["venue"], fields["venue_from"]) == (EVENT.name, "source")
    assert "venue_from" not in stage({**GIG, "venue": "Town Hall"}, EVENT).fields
    assert "venue_from" not in stage({**GIG, "address": "Markt 1"}, EVENT).fields


class Gazetteer:
    def locate(self, text: str, *, country: str | None = None) -> Coordinates | None:  # noqa: ARG002
        return Coordinates(latitude=51.7, longitude=5.3, origin="gazetteer") if "Bosch" in text else None


def test_places_are_looked_up_before_the_default_is_taken() -> None:
    context = replace(EVENT, locator=Gazetteer())
    assert stage({**GIG, "address": "Markt 1, Den Bosch"}, context).fields["coordinates_from"] == "gazetteer"
    assert stage({**GIG, "venue": "Nowhere"}, context).fields["coordinates_from"] == "default"
    assert stage({**GIG, "latitude": 1, "longitude": 2}, context).fields["coordinates_from"] == "page"


def test_an_event_without_any_place_is_kept_without_a_point() -> None:
    fields = stage(GIG, replace(EVENT, latitude=None)).fields
    assert not {"latitude", "longitude", "coordinates_from"} & fields.keys()
    assert fields["title"] == GIG["title"]


@pytest.mark.parametrize(
    ("fields", "context", "reason", "details"),
    [
        ({**GIG, "title": ""}, EVENT, DropReason.MISSING_REQUIRED_FIELD, "title"),
        ({**GIG, "date_text": "uitverkocht"}, EVENT, DropReason.NO_DATE, "Jazz in de kelder | uitverkocht"),
        (
            {**GIG, "date_text": "elke dinsdag 20.00 uur"},
            EVENT,
            DropReason.NO_DATE,
            "Jazz in de kelder | elke dinsdag 20.00 uur",
        ),
        (
            {**GIG, "starts_at": "2026-10-17T20:00", "ends_at": "2026-10-16T20:00"},
            EVENT,
            QuarantineReason.VALIDATION_FAILED,
            "ends 2026-10-16T20:00:00+02:00 before it starts 2026-10-17T20:00:00+02:00",
        ),
    ],
)
def test_an_event_refused(
    fields: dict[str, Any], context: Context, reason: DropReason | QuarantineReason, details: str
) -> None:
    assert refuse(fields, context) == (reason, details)


def test_a_day_that_comes_again_beside_a_date_is_that_date() -> None:
    fields = stage(
        {**GIG, "date_text": "elke dinsdag, de eerste keer op 5 januari 2027, 20.00 uur"}, EVENT
    ).fields
    assert fields["starts_at"][:16] == "2027-01-05T20:00"


def test_an_end_is_read_by_the_hours_that_are_shown_beside_a_stamp_with_an_offset() -> None:
    said = {**GIG, "starts_at": "2026-12-01T19:30:00+05:00", "date_text": "1.12.2026 19:30–21:00 Uhr"}
    fields = stage(said, EVENT).fields
    assert (fields["starts_at"], fields["ends_at"]) == (
        "2026-12-01T15:30:00+01:00",
        "2026-12-01T17:00:00+01:00",
    )


def test_five_bad_rows_never_cost_the_others() -> None:
    rows = [Item(fields=FLAT if n % 20 else {"title": None, "url": object()}) for n in range(100)]
    results = [normalize(row, LISTING) for row in rows]
    assert sum(isinstance(result, Staged) for result in results) == 95


def test_an_unexpected_failure_is_quarantined() -> None:
    class Broken:
        def locate(self, text: str, *, country: str | None = None) -> Coordinates | None:  # noqa: ARG002
            raise RuntimeError("on fire")

    assert refuse({**GIG, "venue": "x"}, replace(EVENT, locator=Broken())) == (
        QuarantineReason.NORMALIZATION_FAILED,
        "RuntimeError: on fire",
    )


def test_a_source_gives_the_context() -> None:
    source = Source(
        id=1,
        slug="s",
        name="S",
        kind=Kind.EVENT,
        site_id=1,
        adapter="event",
        url="https://s.test/",
        tz="Mars/Base",
    )
    context = Context.of(source, base_url="https://s.test/a", observed_at=NOW)
    assert (context.source, context.name, context.kind, context.zone.key) == ("s", "S", Kind.EVENT, "UTC")


def test_fields_can_be_had_without_a_verdict() -> None:
    assert fields_without_validation(Item(fields={"title": "Kettle", "price": "$5"}), PRODUCT) == {
        "title": "Kettle",
        "price": "5.00",
        "price_minor": 500,
        "currency": "USD",
        "url": PRODUCT.base_url,
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["title", "url", "price", "currency", "availability", "platform_id", "sku", "gtin", "area", "rooms",
     "address", "images", "posted_at", "starts_at", "ends_at", "date_text", "venue", "category",
     "description",
     "latitude", "longitude", "rating", "rating_best", "review_count", "period", "metadata",
     "identifiers", "brand"]
)  # fmt: skip


@given(st.dictionaries(NAMES, JSON, max_size=8), st.sampled_from([PRODUCT, LISTING, EVENT]))
@settings(max_examples=400, deadline=None)
def test_whatever_a_page_holds_gets_a_verdict_and_plain_json(
    fields: dict[str, Any], context: Context
) -> None:
    item = Item(fields={"title": "x", **fields})
    result = normalize(item, context)
    assert result == normalize(item, context)
    if isinstance(result, Staged):
        assert json.loads(json.dumps(result.fields, allow_nan=False)) == result.fields
        json.dumps(result.fields).encode("utf-8")
    else:
        assert result.reason is not QuarantineReason.NORMALIZATION_FAILED, result.details


@pytest.mark.parametrize(
    ("raw", "source", "currency", "sign"),
    [
        ({"price": "$19.99"}, None, "USD", "$"),
        ({"price": "19.99", "currency": "$"}, None, "USD", "$"),
        ({"price": "£19.99"}, None, "GBP", "£"),
        ({"price": "$19.99"}, "AUD", "AUD", None),
        ({"price": "$19.99", "page_currency": "AUD"}, None, "AUD", None),
        ({"price": "A$19.99"}, None, "AUD", None),
        ({"price": "$19.99", "currency": "AUD"}, None, "AUD", None),
        ({"price": "€ 19.99"}, None, "EUR", None),
    ],
)
def test_a_currency_that_is_guessed_from_a_shared_sign_says_so(
    raw: dict[str, Any], source: str | None, currency: str, sign: str | None
) -> None:
    fields = stage({**KETTLE, **raw}, replace(PRODUCT, currency=source)).fields
    assert (fields.get("currency"), fields.get("currency_sign")) == (currency, sign)
