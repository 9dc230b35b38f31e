"""Microdata in the shape of JSON-LD, nesting and references included."""

from typing import Any

import pytest

from larder.sdk import Page


def read(html: str) -> list[dict[str, Any]]:
    return Page("https://x.test/", html).microdata()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<span itemprop=name>Kettle</span>", {"name": "Kettle"}, id="text"),
        pytest.param("<span itemprop=price content=24.90>€ 25</span>", {"price": "24.90"},
                     id="content on a span"),
        pytest.param('<link itemprop=availability href="https://schema.org/InStock">',
                     {"availability": "https://schema.org/InStock"}, id="link"),
        pytest.param('<time itemprop=startDate datetime="2026-05-01T20:00">May 1</time>',
                     {"startDate": "2026-05-01T20:00"}, id="time"),
        pytest.param('<img itemprop=image src="/a.jpg"><img itemprop=image src="/b.jpg">',
                     {"image": ["/a.jpg", "/b.jpg"]}, id="twice is a list"),
        pytest.param('<span itemprop="sku mpn">K1</span>', {"sku": "K1", "mpn": "K1"}, id="two names"),
    ],
)  # fmt: skip
def test_a_property_is_read_by_its_tag(html: str, expected: dict[str, Any]) -> None:
    page = f"<div itemscope itemtype='https://schema.org/Thing'>{html}</div>"
    assert read(page) == [{"@type": "https://schema.org/Thing", **expected}]


def test_items_nest_and_only_the_outermost_are_listed() -> None:
    page = """<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Kettle</b>
    <p itemprop=offers itemscope itemtype="https://schema.org/Offer"><i itemprop=price>5</i></p></div>"""
    assert read(page) == [
        {
            "@type": "https://schema.org/Product",
            "name": "Kettle",
            "offers": {"@type": "https://schema.org/Offer", "price": "5"},
        }
    ]


def test_a_reference_lends_properties_from_elsewhere() -> None:
    page = """<div itemscope itemtype="https://schema.org/Product" itemref="far"></div>
    <p id=far><b itemprop=name>Kettle</b></p>"""
    assert read(page) == [{"@type": "https://schema.org/Product", "name": "Kettle"}]


def test_an_item_without_properties_is_its_text() -> None:
    page = "<b itemscope itemtype='https://schema.org/Brand'>Acme</b>"
    assert read(page) == [{"@type": "https://schema.org/Brand", "@value": "Acme"}]


def test_deep_nesting_is_read_in_one_go() -> None:
    page = "<div itemscope itemtype='https://schema.org/Thing' itemprop=isPartOf>" * 5_000
    assert len(read(page)) == 1


def test_a_link_that_is_a_name_says_it() -> None:
    page = """<div itemscope itemtype="https://schema.org/Product">
    <a itemprop=name href="/kettle">Kettle</a><a itemprop=url href="/kettle">More</a></div>"""
    assert read(page) == [{"@type": "https://schema.org/Product", "name": "Kettle", "url": "/kettle"}]
