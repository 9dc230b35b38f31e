"""The status that index rows and embedded state give is read, in every language, for each kind."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from larder.core.model.item import Extracted, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.normalize import Context, normalize
from larder.stages.parse.cascade import STRATEGIES, run_cascade
from larder.stages.parse.extraction_task import ExtractionTask

SITE = "https://corner.test"
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


def rows(html: str, kind: Kind = Kind.LISTING) -> list[dict[str, Any]]:
    task = ExtractionTask(page=Page(f"{SITE}/offers", html), kind=kind, purpose=Purpose.INDEX)
    found = run_cascade(task, tuple(STRATEGIES), [])
    assert isinstance(found, Extracted)
    context = Context(
        source="corner", name="Corner", kind=kind, base_url=f"{SITE}/offers", observed_at=NOW, index=True
    )
    staged = [normalize(item, context) for item in found.items]
    known = [each.fields for each in staged if isinstance(each, Staged)]
    return [{name: value for name, value in each.items() if value != "unknown"} for each in known]


def index(badges: list[str], *, before: str = "") -> str:
    cards = (
        f'<li class="card"><a href="/t/{n}0001"><h3>{before if n == 2 else ""}A thing called {n}</h3></a>'
        f"<p>€ {n}9,00</p>{badge}</li>"
        for n, badge in enumerate(badges, start=1)
    )
    return f"<h1>Offers</h1><ul>{''.join(cards)}</ul>"


def badge(text: str) -> str:
    return f'<span class="badge">{text}</span>'


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Sold", "sold"),
        ("VERKOCHT", "sold"),
        ("verkauft", "sold"),
        ("Vendu", "sold"),
        ("Vendido", "sold"),
        ("Venduto", "sold"),
        ("Verhuurd", "rented"),
        ("Affittato", "rented"),
        ("Gereserveerd", "reserved"),
        ("Reserviert", "reserved"),
        ("Onder bod", "reserved"),
        ("Expired", "removed"),
        ("Abgelaufen", "removed"),
        ("Verlopen", "removed"),
        ("New", None),
        ("Sold by a dealer", None),
    ],
)
def test_l10_6_the_badge_of_a_row_is_its_status(text: str, status: str | None) -> None:
    found = rows(index(["", badge(text), "", "", ""]))
    assert [each.get("status") for each in found] == [None, status, None, None, None]


def test_l10_6_the_badge_before_a_row_s_title_is_its_status() -> None:
    found = rows(index([""] * 4, before="VERKOCHT - "))
    assert (found[1]["title"], found[1]["status"]) == ("A thing called 2", "sold")


def test_l10_6_a_badge_of_every_row_is_the_template_s() -> None:
    assert [each.get("status") for each in rows(index([badge("Sold")] * 5))] == [None] * 5


def test_l10_6_a_hidden_badge_says_nothing() -> None:
    hidden = '<span class="badge" style="display: none">Sold</span>'
    assert "status" not in rows(index(["", hidden, "", ""]))[1]


@pytest.mark.parametrize(
    "text", ["Sold out", "Uitverkocht", "Ausverkauft", "Épuisé", "Agotado", "Esaurito", "Sold"]
)
def test_l10_6_a_product_whose_row_says_so_is_out_of_stock(text: str) -> None:
    found = rows(index(["", badge(text), "", ""]), Kind.PRODUCT)
    assert [each.get("availability") for each in found] == [None, "out_of_stock", None, None]


def test_l10_6_a_row_that_sells_is_not_sold_out() -> None:
    sells = badge("Sold out") + "<button class=add-to-cart>Add to cart</button>"
    assert "availability" not in rows(index(["", sells, "", ""]), Kind.PRODUCT)[1]


STATED = [
    (Kind.LISTING, {"status": "SOLD"}, ("status", "sold")),
    (Kind.LISTING, {"adStatus": "RESERVED"}, ("status", "reserved")),
    (Kind.LISTING, {"isSold": True}, ("status", "sold")),
    (Kind.LISTING, {"is_expired": True}, ("status", "removed")),
    (Kind.LISTING, {"status": "published", "isSold": False}, ("status", None)),
    (Kind.LISTING, {"availability": "https://schema.org/SoldOut"}, ("status", None)),
    (Kind.PRODUCT, {"isSoldOut": True}, ("availability", "out_of_stock")),
    (Kind.PRODUCT, {"availability": "SoldOut"}, ("availability", "out_of_stock")),
    (Kind.EVENT, {"status": "CANCELLED"}, ("status", "cancelled")),
    (Kind.EVENT, {"isSoldOut": True}, ("status", "sold_out")),
    (Kind.EVENT, {"eventStatus": "https://schema.org/EventPostponed"}, ("status", "postponed")),
]


@pytest.mark.parametrize(("kind", "said", "expected"), STATED)
def test_l10_6_embedded_state_says_it(
    kind: Kind, said: dict[str, Any], expected: tuple[str, str | None]
) -> None:
    things = [
        {
            "name": f"A thing called {n}",
            "price": n * 10,
            "currency": "EUR",
            "url": f"/t/{n}0001",
            "startDate": f"2026-08-0{n}T20:00",
        }
        for n in range(1, 5)
    ]
    things[1] |= said
    state = json.dumps({"results": things})
    html = f"<h1>All</h1><div id=app></div><script type='application/json'>{state}</script>"
    field, value = expected
    assert [each.get(field) for each in rows(html, kind)] == [None, value, None, None]


@pytest.mark.parametrize(
    ("word", "status"), [("SoldOut", "sold"), ("Reserved", "reserved"), ("InStock", None)]
)
def test_l10_6_the_availability_that_markup_gives_a_listing_is_its_status(
    word: str, status: str | None
) -> None:
    listed = [
        {
            "@type": "ListItem",
            "item": {
                "@type": "Apartment",
                "name": f"Flat {n} in the Lange Straat",
                "url": f"{SITE}/t/{n}0001",
                "offers": {
                    "price": 900 + n,
                    "priceCurrency": "EUR",
                    "availability": f"https://schema.org/{word}",
                },
            },
        }
        for n in range(1, 4)
    ]
    markup = json.dumps({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": listed})
    found = rows(f"<h1>Flats</h1><script type='application/ld+json'>{markup}</script>")
    assert [each.get("status") for each in found] == [status] * 3
