"""The currency of a price that has none: as the page writes it beside the amount, else its country's."""

import json
from typing import Any

import pytest

from larder.extraction import extract


def read(body: str, *, url: str = "https://shop.test/1", head: str = "", lang: str = "") -> dict[str, Any]:
    root = f"<html lang={lang}>" if lang else "<html>"
    html = f"{root}<head><title>Kettle</title>{head}</head><h1>Kettle</h1>{body}</html>"
    return extract(html, url=url, kind="product").items[0]


def marked(price: Any) -> str:
    node = {"@type": "Product", "name": "Kettle", "offers": {"price": price}}
    return f"<script type=application/ld+json>{json.dumps(node)}</script>"


PAYPAL = "<script src='https://pay.test/sdk/js?client-id=1&currency=EUR'></script>"


@pytest.mark.parametrize(
    ("item", "currency"),
    [
        pytest.param(read("<p>25,00 €</p>", head=marked("25")), "EUR", id="the sign beside the same amount"),
        pytest.param(read("<p>£25</p><p>£3</p>", head=marked("24")), "GBP", id="the one sign of the page"),
        pytest.param(read("<p>£25</p><p>$3</p>", head=marked("24")), None, id="two signs prove nothing"),
        pytest.param(
            read("<p>$25</p>", url="https://shop.com.au/1"), "AUD", id="a shared sign, an Australian host"
        ),
        pytest.param(read("<p>$25</p>", url="https://shop.com/1"), "USD", id="a shared sign, no country"),
        pytest.param(
            read("<p>$25</p>", url="https://shop.com/1", lang="en-CA"), "CAD", id="a shared sign, a locale"
        ),
        pytest.param(
            read(
                "<p>$25</p><select id=currency><option>US Dollar<option selected>Australian Dollar</select>"
            ),
            "AUD",
            id="a shared sign, a chosen currency",
        ),
        pytest.param(
            read("<p>25 kr</p><select name=currency><option value=NOK>kr<option value=SEK>kr</select>"),
            "NOK",
            id="a shared sign, the first option's code",
        ),
        pytest.param(read("<p>€25</p>", url="https://shop.co.uk/1"), "EUR", id="a sign beats the country"),
        pytest.param(
            read("<p>$25</p>", url="https://shop.de/1"), "USD", id="a sign that the country does not use"
        ),
        pytest.param(
            read("", url="https://shop.nl/1", head=marked("25")), "EUR", id="no sign at all, a Dutch host"
        ),
        pytest.param(
            read(
                "<p>$25</p>",
                url="https://shop.com/1",
                head="<meta property=og:locale content=en_US>",
                lang="",
            ),
            "USD",
            id="the locale of a template",
        ),
        pytest.param(
            read("", url="https://shop.io/1", head=marked("25")), None, id="an ending that names no country"
        ),
        pytest.param(read("<p>$25</p><a href=#>Currency: AUD</a>"), "AUD", id="the code that a page names"),
        pytest.param(
            read('<p>$25</p><script>var a = {"currencyCode": "CAD"}</script>'), "CAD", id="a code in a script"
        ),
        pytest.param(read(PAYPAL + "<p class=price>25,00 KM</p>"), "BAM", id="letters beat a script's code"),
        pytest.param(read(PAYPAL + "<p class=price>LE 79</p>"), "EGP", id="letters before the amount"),
        pytest.param(read(PAYPAL + "<p class=price>L.E 12.00</p>"), "EGP", id="letters with a dot"),
        pytest.param(read(PAYPAL + "<p class=price>250 SEK</p>"), "SEK", id="a code beats a script's code"),
        pytest.param(
            read(PAYPAL + "<p class=price>25,00 KM</p>", head=marked("25")),
            "BAM",
            id="letters beside a number",
        ),
        pytest.param(
            read(PAYPAL + "<p class=price>25,00</p><p>at 12 KM</p>"), "EUR", id="a distance is no amount"
        ),
        pytest.param(
            read("<p>$25</p><a href='?currency=AUD'>A</a><a href='?currency=NZD'>N</a>"),
            "USD",
            id="a choice of codes proves nothing",
        ),
        pytest.param(read("<p>$25</p><p>currency = FOO</p>"), "USD", id="a code that is none"),
    ],
)
def test_a_price_gets_the_currency_that_the_page_tells(item: dict[str, Any], currency: str | None) -> None:
    assert item.get("currency") == currency


def test_a_number_in_markup_is_a_decimal() -> None:
    item = read("", url="https://shop.nl/1", head=marked(4.199))
    assert item["price"] == "4.20"
