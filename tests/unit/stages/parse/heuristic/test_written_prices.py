"""Prices as shops write them, on a thing's page and in the rows of a list: both read the same amount."""

# ruff: noqa: E501 - a page is one line

import pytest

from larder.extraction import extract

NAMES = "abcdefghij"


@pytest.mark.parametrize(
    ("body", "price", "currency", "language"),
    [
        ("<p><span>12</span><sup>,95</sup> <span>€</span></p>", "12.95", "EUR", "de"),
        ("<p>12<sup>95</sup>€</p>", "12.95", "EUR", "fr"),
        ("<p>1.299<sup>99</sup> Lei</p>", "1299.99", "RON", "ro"),
        ("<p>Fr. 45.–</p>", "45.00", "CHF", "de"),
        ("<p>1.299,99 TL</p>", "1299.99", "TRY", "tr"),
        ("<p>S/ 129.90</p>", "129.90", "PEN", "es-PE"),
        ("<p>RM 49.90</p>", "49.90", "MYR", "en"),
        ("<p>₱1,299.00</p>", "1299.00", "PHP", "en"),
        ("<p>KSh 1,299</p>", "1299.00", "KES", "en"),
        ("<p>₦12,500</p>", "12500.00", "NGN", "en"),
        ("<p>10x de R$ 29,90 sem juros</p><p>R$ 299,00 à vista</p>", "299.00", "BRL", "pt-BR"),
        ("<p>Price per unit: $5.00</p><p>Pack price: $60.00</p>", "60.00", "USD", "en"),
        ("<p>79 kr frakt</p><p>1 479 kr</p>", "1479.00", "SEK", "sv"),
        ("<p>+ 5,95 € Versand</p><p>49,00 €</p>", "49.00", "EUR", "de"),
        ("<p>Pfand 0,25 €</p><p>1,99 €</p>", "1.99", "EUR", "de"),
        ("<p>Club price $9.99</p><p>$12.99</p>", "12.99", "USD", "en"),
        ("<p>Ovh. 99,90 € <b>79,90 €</b></p>", "79.90", "EUR", "fi"),
        ("<p>49,00 € Versand gratis</p>", "49.00", "EUR", "de"),
        ("<p>49,00 € livraison offerte</p>", "49.00", "EUR", "fr"),
    ],
)
def test_a_price_is_read_as_it_is_written(body: str, price: str, currency: str, language: str) -> None:
    frame = f"<html lang={language}><title>Oak lamp | Shop</title><main><h1>Oak lamp</h1>{{}}</main></html>"
    own = extract(
        frame.format(f"{body}<button>Add to cart</button>"), url="https://x.test/p/oak", kind="product"
    )
    assert (own.items[0]["price"], own.items[0]["currency"]) == (price, currency)
    rows = "".join(
        f"<li><a href=/p/oak-{n}><img src=/i/{n}.jpg></a><h3><a href=/p/oak-{n}>Oak lamp {n}</a></h3>{body}</li>"
        for n in NAMES
    )
    found = extract(frame.format(f"<ul>{rows}</ul>"), url="https://x.test/c/lamps", kind="product").items
    assert [(row["price"], row["currency"]) for row in found] == [(price, currency)] * len(NAMES)


def test_a_weekday_or_an_hour_is_no_amount_in_francs() -> None:
    page = "<html lang=de><title>Oak | Shop</title><main><h1>Oak lamp</h1><p>Fr. 12.12.</p><p>Fr. 19.30 Uhr</p><p>CHF 45.00</p></main></html>"
    assert extract(page, url="https://x.test/p/oak", kind="product").items[0]["price"] == "45.00"
