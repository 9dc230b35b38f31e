"""Which nodes of a page are its items, and what they say."""

import json
from typing import Any

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.structured import json_ld

URL = "https://x.test/p/1"


def fields(
    *blocks: Any, kind: Kind = Kind.PRODUCT, purpose: Purpose = Purpose.DETAIL, html: str = ""
) -> list[Any]:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in blocks)
    task = ExtractionTask(page=Page(URL, html + scripts), kind=kind, purpose=purpose)
    return [dict(item.fields) for item in json_ld(task)]


def offer(**more: Any) -> dict[str, Any]:
    return {"@type": "Product", "name": "Kettle", "offers": {"@type": "Offer", **more}}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"price": 5}, {"price": "5"}, id="a number"),
        pytest.param(
            {"price": "5,00", "priceCurrency": "EUR"}, {"price": "5,00", "currency": "EUR"}, id="text"
        ),
        pytest.param({"lowPrice": 4, "highPrice": 9}, {"price": "4", "price_high": "9"}, id="the low end"),
        pytest.param(
            {"priceSpecification": {"price": 7, "priceCurrency": "USD"}},
            {"price": "7", "currency": "USD"},
            id="specification",
        ),
        pytest.param(
            {"priceSpecification": [{"priceType": "https://schema.org/ListPrice", "price": 9}, {"price": 7}]},
            {"price": "7"},
            id="not the list price",
        ),
        pytest.param({"availability": "https://schema.org/InStock"}, {"availability": "InStock"}, id="stock"),
        pytest.param({"seller": {"name": "Shop"}}, {"seller": "Shop"}, id="seller"),
        pytest.param({"itemCondition": "UsedCondition"}, {"condition": "UsedCondition"}, id="condition"),
    ],
)
def test_an_offer_is_read(given: dict[str, Any], expected: dict[str, str]) -> None:
    assert fields(offer(**given)) == [{"title": "Kettle", **expected}]


def test_the_pages_own_thing_wins_over_related_ones() -> None:
    tray = {"@type": "Product", "name": "Tray", "offers": {"price": "3"}}
    kettle = {"@type": "Product", "name": "Kettle", "offers": {"price": "5"}, "isRelatedTo": tray}
    assert fields(tray, kettle, html="<h1>Kettle</h1>") == [{"title": "Kettle", "price": "5"}]


def test_a_thing_may_have_its_price_without_an_offer_around_it() -> None:
    tray = {"@type": "Product", "name": "Tray", "url": "https://x.test/p/2", "offers": {"price": "3"}}
    kettle = {"@type": "Product", "name": "Kettle", "price": "5", "priceCurrency": "CAD"}
    found = fields(kettle, tray, html="<h1>Kettle</h1>")
    assert found == [{"title": "Kettle", "price": "5", "currency": "CAD"}]


def test_the_node_with_the_pages_address_wins() -> None:
    other = {"@type": "Product", "name": "A", "url": "https://x.test/p/2", "offers": {"price": "3"}}
    own = {"@type": "Product", "name": "B", "url": URL + "?utm_source=x", "offers": {"price": "5"}}
    assert fields(other, own)[0]["title"] == "B"


def test_a_thing_can_be_had_where_one_of_its_variants_can() -> None:
    sizes = [{"price": 5, "availability": "OutOfStock"}, {"price": 5, "availability": "InStock"}]
    product = {"@type": "ProductGroup", "name": "Shoe", "hasVariant": [{"offers": size} for size in sizes]}
    assert fields(product) == [{"title": "Shoe", "price": "5", "availability": "InStock"}]


def test_rows_come_from_lists_and_breadcrumbs_are_none() -> None:
    crumbs = {
        "@type": "BreadcrumbList",
        "itemListElement": [{"@type": "ListItem", "item": "https://x.test/"}],
    }
    rows = {
        "@type": "ItemList",
        "itemListElement": [{"url": "/p/1"}, {"item": {"@type": "Product", "name": "B", "url": "/p/2"}}],
    }
    assert fields(crumbs, rows, purpose=Purpose.INDEX) == [
        {"url": "https://x.test/p/1"},
        {"title": "B", "url": "https://x.test/p/2"},
    ]


def test_an_event_with_several_performances_gives_each() -> None:
    days = [{"@type": "TheaterEvent", "name": "Play", "startDate": f"2027-01-{day}"} for day in (29, 30)]
    found = fields(days, kind=Kind.EVENT)
    assert [(each["title"], each["starts_at"]) for each in found] == [
        ("Play", "2027-01-29"),
        ("Play", "2027-01-30"),
    ]


def test_an_unfilled_template_says_nothing() -> None:
    assert fields({"@type": "Event", "name": "x", "startDate": "{{ event.date }}"}, kind=Kind.EVENT) == []


def test_a_listing_may_wrap_its_home() -> None:
    home = {
        "@type": "Apartment",
        "name": "Loft",
        "floorSize": {"value": 54, "unitText": "m²"},
        "numberOfRooms": 2,
        "address": {"streetAddress": "Pier 1", "addressLocality": "Gent"},
        "geo": {"latitude": 51.05},
    }
    found = fields(
        {"@type": "RealEstateListing", "url": "/p/1", "mainEntity": home, "offers": {"price": 900}},
        kind=Kind.LISTING,
    )
    assert found[0] == {
        "title": "Loft", "url": URL, "price": "900", "area": "54 m²", "rooms": "2",
        "address": "Pier 1, Gent", "city": "Gent", "latitude": "51.05",
    }  # fmt: skip


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(
            {"@type": "Product", "name": ["Kettle"], "offers": [[{"price": [5]}]]}, id="lists in lists"
        ),
        pytest.param(
            {"@type": ["Thing", "Product"], "name": {"@value": "Kettle"}, "offers": "none"}, id="wrapped"
        ),
        pytest.param(
            {"@type": "http://schema.org/Product/", "name": "Kettle &amp; <b>lid</b>"}, id="markup in text"
        ),
        pytest.param(
            {"@type": "Product", "name": True, "offers": {"price": {}}, "image": 3, "url": []}, id="nonsense"
        ),
    ],
)
def test_odd_nodes_do_no_harm(odd: dict[str, Any]) -> None:
    (found,) = fields(odd)
    assert all(isinstance(value, str | list) for value in found.values())


def test_an_index_page_that_is_marked_up_as_one_thing_has_no_row_in_that() -> None:
    summary = {"@type": "AggregateOffer", "lowPrice": 1800, "highPrice": 16000, "offerCount": 36}
    node = {"@type": "Product", "name": "Flats in Leeds", "url": URL, "offers": summary}
    assert fields(node, purpose=Purpose.INDEX) == []
    assert len(fields({**node, "url": f"{URL}0"}, purpose=Purpose.INDEX)) == 1
