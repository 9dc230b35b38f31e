"""Markup, state and the visible list of one page are one list."""
# ruff: noqa: E501

import json
from typing import Any

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.page_kind import purposes_of
from tests.unit.stages.parse.index_rows.shapes import SHAPES, THINGS

SITE = "https://corner.test"
AT = f"{SITE}/offers"


def cards(count: int = 12) -> str:
    rows = (
        f'<li class="card"><a href="/thing/{n}-a-thing"><img src="/{n}.jpg"><h3>A thing called {n}</h3></a><p>€ {n}9,00</p></li>'
        for n in range(1, count + 1)
    )
    return f"<h1>Things</h1><ul>{''.join(rows)}</ul>"


def ld(*nodes: dict[str, Any]) -> str:
    return f'<script type="application/ld+json">{json.dumps(list(nodes))}</script>'


def rows_of(html: str, kind: str = "product") -> tuple[dict[str, Any], ...]:
    return extract(html, url=AT, kind=kind).items


def test_a_list_of_addresses_is_completed_from_the_cards() -> None:
    listed = {
        "@type": "ItemList",
        "itemListElement": [
            {"@type": "ListItem", "position": n, "url": f"{SITE}/thing/{n}-a-thing"} for n in range(1, 13)
        ],
    }
    found = rows_of(ld(listed) + cards())
    assert [item["title"] for item in found] == [f"A thing called {n}" for n in range(1, 13)]
    assert [item["price"] for item in found] == [f"{n}9.00" for n in range(1, 13)]
    assert {item["currency"] for item in found} == {"EUR"}


def test_products_without_an_address_get_that_of_their_card() -> None:
    nodes = [
        {
            "@type": "Product",
            "name": f"A thing called {n}",
            "sku": f"S-{n}",
            "offers": {"@type": "Offer", "price": f"{n}9"},
        }
        for n in range(1, 13)
    ]
    found = rows_of(ld(*nodes) + cards())
    assert [(item["url"], item["sku"], item["currency"]) for item in found] == [
        (f"{SITE}/thing/{n}-a-thing", f"S-{n}", "EUR") for n in range(1, 13)
    ]


def test_state_with_a_slug_and_no_address_is_joined_to_the_visible_links() -> None:
    hits = [
        {"id": 700 + n, "slug": f"{n}-a-thing", "title": f"Thing no. {n}", "price": n * 10 + 9}
        for n in range(1, 13)
    ]
    promoted = [{"id": 1, "slug": "gift-card", "title": "Gift card", "price": 25}]
    state = {"props": {"pageProps": {"promoted": promoted, "hits": hits}}}
    html = f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>{cards()}'
    found = rows_of(html, kind="listing")
    assert [item["url"] for item in found] == [f"{SITE}/thing/{n}-a-thing" for n in range(1, 13)]
    assert [item["price"] for item in found] == [f"{n}9.00" for n in range(1, 13)]


def test_a_summary_offer_that_names_the_page_is_not_its_one_item() -> None:
    offers = {
        "@type": "AggregateOffer",
        "offerCount": 12,
        "lowPrice": 19,
        "highPrice": 129,
        "priceCurrency": "EUR",
    }
    found = rows_of(ld({"@type": "Product", "name": "Things in Utrecht", "offers": offers}) + cards())
    assert len(found) == 12
    assert "Things in Utrecht" not in {item["title"] for item in found}


def test_poor_markup_does_not_hide_a_rich_list() -> None:
    stale = [
        {"@type": "Product", "name": f"Old news {n}", "offers": {"price": "1", "priceCurrency": "EUR"}}
        for n in (1, 2, 3)
    ]
    found = rows_of(ld(*stale) + cards())
    assert [item["title"] for item in found] == [f"A thing called {n}" for n in range(1, 13)]


def test_rows_that_the_markup_leaves_out_are_rows() -> None:
    some = [
        {
            "@type": "Product",
            "name": f"A thing called {n}",
            "url": f"/thing/{n}-a-thing",
            "sku": f"S-{n}",
            "offers": {"price": f"{n}9", "priceCurrency": "EUR"},
        }
        for n in range(1, 9)
    ]
    found = rows_of(ld(*some) + cards())
    assert len(found) == 12
    assert len({item["url"] for item in found}) == 12
    assert [item.get("sku") for item in found[:8]] == [f"S-{n}" for n in range(1, 9)]


def test_a_title_that_markup_cuts_off_is_taken_whole_from_the_card() -> None:
    long = "is a very long title of a thing that goes on and on, as some do"
    rows = "".join(
        f'<li><a href="/t/{n}0001"><h3>No. {n} {long}</h3></a><p>€ {n}9</p></li>' for n in range(1, 7)
    )
    nodes = [
        {
            "@type": "Product",
            "name": f"No. {n} {long}"[:50],
            "url": f"/t/{n}0001",
            "offers": {"price": f"{n}9", "priceCurrency": "EUR"},
        }
        for n in range(1, 7)
    ]
    found = rows_of(f"{ld(*nodes)}<ul>{rows}</ul>")
    assert [item["title"] for item in found] == [f"No. {n} {long}" for n in range(1, 7)]


@pytest.mark.parametrize("name", SHAPES)
def test_an_index_is_read_as_one_by_its_address_alone(name: str) -> None:
    found = extract(SHAPES[name].html, url=AT, kind="listing")
    assert len(found.items) == len(THINGS)


def test_a_thing_beside_similar_ones_is_one_thing() -> None:
    similar = "".join(
        f'<li><a href="/thing/{n}"><img src=x><h3>Similar {n}</h3></a><p>€ {n},00</p></li>'
        for n in range(10, 22)
    )
    html = f"<h1>Red bicycle</h1><p class=price>€ 149,00</p><button>Add to cart</button><div class=related><ul>{similar}</ul></div>"
    assert purposes_of(Page(AT, html), Kind.PRODUCT)[0] is Purpose.DETAIL
    found = extract(html, url=AT, kind="product")
    assert [(item["title"], item["price"]) for item in found.items] == [("Red bicycle", "149.00")]


def test_several_nodes_of_one_thing_are_one_row() -> None:
    homes = [{"@type": "Apartment", "name": f"Flat {n}", "url": f"/thing/{n}-a-thing"} for n in range(1, 13)]
    offers = [
        {
            "@type": "Product",
            "name": f"Flat {n}",
            "url": f"/thing/{n}-a-thing",
            "offers": {"price": f"{n}9", "priceCurrency": "EUR"},
        }
        for n in range(1, 13)
    ]
    found = rows_of(ld(*homes, *offers) + cards(), kind="listing")
    assert [(item["title"], item["price"]) for item in found] == [
        (f"Flat {n}", f"{n}9.00") for n in range(1, 13)
    ]


def test_an_address_that_is_the_page_itself_is_no_row_of_it() -> None:
    nodes = [
        {"@type": "Product", "name": f"A thing called {n}", "url": AT, "sku": f"S-{n}"} for n in range(1, 13)
    ]
    found = rows_of(ld(*nodes) + cards())
    assert [(item["url"], item["sku"]) for item in found] == [
        (f"{SITE}/thing/{n}-a-thing", f"S-{n}") for n in range(1, 13)
    ]


def test_a_name_that_markup_gives_to_all_rows_is_no_title() -> None:
    nodes = [
        {
            "@type": "Product",
            "name": f"Thing {'A' if n < 7 else 'B' if n < 10 else 'C'}",
            "url": f"/thing/{n}-a-thing",
            "sku": f"S-{n}",
        }
        for n in range(1, 13)
    ]
    found = rows_of(ld(*nodes) + cards())
    assert found[0]["title"] == "A thing called 1"
    assert found[0]["sku"] == "S-1"


def test_objects_of_a_state_that_are_something_else_do_not_hide_the_list() -> None:
    plans = [{"id": n, "name": f"Plan {n}", "price": n} for n in range(1, 31)]
    html = f'<script type="application/json">{json.dumps({"plans": plans})}</script>{cards()}'
    found = rows_of(html, kind="listing")
    assert [item["title"] for item in found] == [f"A thing called {n}" for n in range(1, 13)]


def test_complete_markup_beats_teasers_that_are_about_something_else() -> None:
    nodes = [
        {
            "@type": "Product",
            "name": f"Kettle {n}",
            "url": f"/kettle/{n}",
            "offers": {"price": f"{n}9", "priceCurrency": "EUR"},
        }
        for n in range(1, 5)
    ]
    teasers = "".join(
        f'<div class="post"><a href="/blog/post-{n}"><h2>How to do thing {n}</h2></a><p>Some words on it.</p></div>'
        for n in range(1, 9)
    )
    found = rows_of(ld(*nodes) + teasers)
    assert [item["title"] for item in found] == [f"Kettle {n}" for n in range(1, 5)]


def test_an_agent_in_a_heading_is_not_the_title_of_a_row() -> None:
    rows = "".join(
        f'<div class="r"><h3>Agency {n} Ltd</h3><a href="/home/{n}0001">Sunny flat near park {n}</a><p>€ {n}99</p></div>'
        for n in range(1, 8)
    )
    assert [item["title"] for item in rows_of(f"<h1>Homes</h1>{rows}", kind="listing")] == [
        f"Sunny flat near park {n}" for n in range(1, 8)
    ]
