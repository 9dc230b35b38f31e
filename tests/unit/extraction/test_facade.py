"""The front door: one page in, SPEC's fields out."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.errors import BadInput
from larder.extraction import extract

KETTLE = """<html lang=en><title>Kettle</title><h1>Kettle</h1><script type="application/ld+json">
{"@type": "Product", "name": "Kettle", "sku": "K-1",
 "offers": {"price": "24.90", "priceCurrency": "EUR", "availability": "InStock"}}</script>"""
CONCERT = """<script type="application/ld+json">
{"@type": "Event", "name": "X", "startDate": "2026-10-02T20:00"}</script>"""
NO_ADVERTS = """<script id="__NEXT_DATA__" type="application/json">
{"props": {"pageProps": {"searchResult": {"rowsFound": 0}}}}</script>"""
NOW = datetime(2026, 10, 1, 10, tzinfo=ZoneInfo("Europe/Amsterdam"))


def test_a_product_page_gives_its_fields() -> None:
    found = extract(KETTLE, url="https://x.test/kettle")
    assert (found.ok, found.reason, found.strategy) == (True, None, "json-ld")
    (item,) = found.items
    assert item["title"] == "Kettle"
    assert (item["price"], item["price_minor"], item["currency"]) == ("24.90", 2490, "EUR")
    assert (item["availability"], item["sku"]) == ("in_stock", "K-1")
    assert "presumed" not in item


def test_a_page_that_sells_and_is_silent_about_stock_is_presumed_to_have_it() -> None:
    (item,) = extract("<h1>Kettle</h1><b class=price>€ 5</b>", url="https://x.test/k", kind="product").items
    assert item["availability"] == "in_stock"
    assert item["presumed"] == ["availability"]


def test_an_event_gets_its_time_in_the_callers_zone() -> None:
    html = "<html lang=nl><h1>Kwartet</h1><p class=date>vr 2 oktober 2026</p><p>20.15 uur</p>"
    (item,) = extract(html, url="https://x.test/kwartet", kind="event", now=NOW).items
    assert item["title"] == "Kwartet"
    assert item["starts_at"] == "2026-10-02T20:15:00+02:00"


def test_a_moment_without_zone_is_read_in_the_pages_country() -> None:
    (item,) = extract(CONCERT, url="https://haard.nl/x", now=datetime(2026, 10, 1)).items  # noqa: DTZ001
    assert item["starts_at"] == "2026-10-02T20:00:00+02:00"


def test_a_list_gives_an_item_a_row() -> None:
    cards = "".join(
        f"<li><a href=/p/{n}><h2>Thing {n}</h2></a><b class=price>€ {n}</b></li>" for n in range(1, 11)
    )
    found = extract(f"<h1>Things</h1><ul>{cards}</ul>", url="https://x.test/things", kind="product")
    assert [item["url"] for item in found.items][:2] == ["https://x.test/p/1", "https://x.test/p/2"]
    assert len(found.items) == 10


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("", "empty_page"),
        ("<title>Access denied</title>x", "blocked_page"),
        ("<p>hello</p>", "title_not_found"),
        ("<h1>About us</h1>", "price_not_found"),
    ],
)
def test_a_page_without_items_says_why(html: str, reason: str) -> None:
    found = extract(html, url="https://x.test/", kind="product")
    assert (found.ok, found.reason, found.items) == (False, reason, ())


def test_an_adapter_is_found_by_the_address_or_named() -> None:
    found = extract(NO_ADVERTS, url="https://www.willhaben.at/iad/x")
    assert (found.ok, found.strategy, found.items, found.advertised) == (True, "embedded", (), 0)
    assert extract(NO_ADVERTS, url="https://elsewhere.test/", adapter="willhaben").ok
    with pytest.raises(BadInput, match="unknown adapter"):
        extract(NO_ADVERTS, url="https://x.test/", adapter="nosuch")
    with pytest.raises(ValueError, match="house"):
        extract(NO_ADVERTS, url="https://x.test/", kind="house")


@pytest.mark.parametrize(
    "url", ["", "foo", "http://[", "javascript:x", "https://x.test/" + "a" * 9_000, None]
)
def test_an_address_that_is_none_does_no_harm(url: str | None) -> None:
    found = extract("<h1>Kettle</h1><b class=price>€ 5</b><a href='http://['>x</a>", url=url, kind="product")
    assert (found.items[0]["price"], found.notes) == ("5.00", ())


def test_a_page_without_address_is_read_at_the_one_it_names() -> None:
    page = '<link rel=canonical href="https://www.willhaben.at/iad/x">' + NO_ADVERTS
    assert extract(page, url=None).advertised == 0


PIECES = st.sampled_from(
    [
        "<h1>", "Kettle", "</h1>", "<b class=price>", "€ 12,50", "</b>", "<div itemscope itemtype=Product>",
        "<p>", "<script type=ld+json>", '{"@type":"Product",', '"offers":[', "null", "{", "}", "]",
        "</script>", "12 maart 2026", "20:00", "<time datetime=2026-99-99>", "SKU: 1", "<table><tr><td>",
        "<a href=//[>", "\x00", "<li>", "<ul>", "&#xD800;", "window.x = {", "'", '"', "<!--", "-->", "<del>",
        "1e999", "￥", "<svg>", "<template>",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40), st.sampled_from(["product", "event", "listing", None]))
def test_no_page_makes_it_raise(pieces: list[str], kind: str | None) -> None:
    found = extract("".join(pieces), url="https://x.test/a", kind=kind, now=NOW)
    assert found.ok is (found.reason is None)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["product", "event", "listing", None]))
def test_no_bytes_make_it_raise(body: bytes, kind: str | None) -> None:
    assert extract(body, url="", kind=kind, now=NOW).ok in (True, False)


HUGE = {
    "nested tags": "<div>" * 200_000 + "€ 5",
    "attributes": "<div class=price " + " ".join(f"a{n}=1" for n in range(100_000)) + ">€ 5</div>",
    "ten megabytes of text": "x " * 5_000_000,
    "prices": "<span class=price>€ 5</span>" * 50_000,
    "nested tables of dates": "<table><tr><td>12 March 2026" * 10_000,
    "nested items": "<div itemscope itemtype=Product itemprop=offers>" * 50_000,
    "endless JSON-LD": '<script type="application/ld+json">'
    + '{"@type":"Product","a":' * 100_000
    + "</script>",
    "broken JSON-LD": '<script type="application/ld+json">'
    + '{"@type":"Product","name":"x",,' * 5_000
    + "</script>",
    "assignments": "<script>" + "a={};" * 200_000 + "</script>",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("kind", ["product", "event"])
def test_huge_pages_stay_within_bounds(name: str, kind: str) -> None:
    """The bound is the test's own timeout: what is quadratic would take minutes."""
    found = extract(HUGE[name], url="https://x.test/a", kind=kind, now=NOW)
    assert len(found.items) <= 2_000
