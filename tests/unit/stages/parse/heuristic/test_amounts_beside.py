"""Amounts that stand beside a price and are none: what people see on shop pages without any markup."""

import pytest

from larder import extract
from larder.sdk import Page
from larder.stages.parse.heuristic.amount_texts import remark_behind

BESIDE = {
    "members": "<p class=price>€ 79,00</p><p>Members pay € 69,00</p>",
    "points": "<p>Earn 250 points worth €2,50</p><p>€ 79,00</p>",
    "payments": "<p>€ 79,00</p><p>or 3 payments of € 26,33 with Klarna</p>",
    "trade-in": "<p>€ 79,00</p><p>Inruilwaarde tot € 30</p>",
    "a subscription": "<p>One-time purchase € 79.00</p><p>Subscribe & save € 71.10</p>",
    "lowest of 30 days, en": "<p>€ 79.00</p><p>Lowest price in the last 30 days: € 74.90</p>",
    "lowest of 30 days, nl": "<p>€ 79,00</p><p>Laagste prijs afgelopen 30 dagen: € 74,90</p>",
    "lowest of 30 days, de": "<p>79,00 €</p><p>Niedrigster Preis der letzten 30 Tage: 74,90 €</p>",
    "lowest of 30 days, fr": "<p>79,00 €</p><p>Prix le plus bas des 30 derniers jours : 74,90 €</p>",
    "lowest of 30 days, it": "<p>79,00 €</p><p>Prezzo più basso degli ultimi 30 giorni: 74,90 €</p>",
    "lowest of 30 days, es": "<p>79,00 €</p><p>Precio mínimo últimos 30 días: 74,90 €</p>",
    "lowest of 30 days, pl": "<p>Cena: 79,00 zł</p><p>Najniższa cena z 30 dni: 74,90 zł</p>",
    "former before, one text": "<p>Statt 99,00 € nur 79,00 €</p>",
    "former behind, one text": "<p>79,00 € statt 99,00 €</p>",
    "from and for": "<p>De R$ 99,90</p><p>Por R$ 79,00</p>",
    "cents behind the sign": "<p>79€00</p><p>dont éco-part 0€10</p>",
    "raised cents with a comma": "<p>€ 79<sup>,00</sup></p>",
    "raised cents behind a comma": "<p>&euro; 79,<sup>00</sup></p>",
    "no cents behind a comma": "<p>€ 79,<sup>-</sup></p>",
}


@pytest.mark.parametrize("prices", BESIDE.values(), ids=BESIDE)
def test_the_price_is_told_from_amounts_beside_it(prices: str) -> None:
    assert _price(prices) == 7_900


@pytest.mark.parametrize("prices", ["<p>Price on the label</p>", "<p>In store only</p>"])
def test_what_the_basket_in_the_page_s_header_holds_is_no_price(prices: str) -> None:
    assert _price(prices) is None


def _price(prices: str) -> int | None:
    page = (
        "<html><body><header><a href=/cart>Cart (2) € 45,00</a></header>"
        f"<main><h1>Garden chair Bella</h1>{prices}<button>Add to cart</button></main></body></html>"
    )
    found = extract(page, url="https://shop.example/p/garden-chair-bella", kind="product").items
    price: int | None = found[0].get("price_minor") if found else None
    return price


def test_a_remark_behind_what_wraps_an_amount_is_about_it() -> None:
    page = Page(
        "https://x.test/", "<p><b><bdi><i>€</i> 106,61</bdi></b> <small>excl. btw</small></p><p>€ 2</p>"
    )
    assert remark_behind(page.css("bdi")[0]) == "excl. btw"


def test_a_remark_behind_another_text_is_not_about_the_amount() -> None:
    page = Page("https://x.test/", "<p><b>Now <bdi>€ 106</bdi></b> <small>excl. btw</small></p>")
    assert remark_behind(page.css("bdi")[0]) == ""
