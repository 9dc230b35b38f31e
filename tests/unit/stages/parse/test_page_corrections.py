"""What the page shows settles what its markup claims: stock, a listing's title, the currency."""

import json
from typing import Any

import pytest

from larder.extraction import extract


def product(body: str, *, availability: str = "InStock", language: str = "en") -> dict[str, Any]:
    offer = {"price": "20", "priceCurrency": "EUR", "availability": f"https://schema.org/{availability}"}
    node = {"@type": "Product", "name": "Kettle", "sku": "K1", "offers": offer}
    html = (
        f"<html lang={language}><script type=application/ld+json>{json.dumps(node)}</script>"
        f"<body><main><h1>Kettle</h1><p>20 €</p>{body}</main></body></html>"
    )
    return extract(html, url="https://shop.test/kettle", kind="product").items[0]


@pytest.mark.parametrize(
    ("body", "claimed", "availability"),
    [
        pytest.param("<button disabled>Add to basket</button>", "InStock", "out_of_stock", id="switched off"),
        pytest.param(
            "<button disabled>Add to cart</button><select><option>S</select>",
            "InStock",
            "in_stock",
            id="waits for a size",
        ),
        pytest.param("<button>Notify me</button>", "InStock", "out_of_stock", id="only promises a message"),
        pytest.param("<p>Sold out</p>", "LimitedAvailability", "out_of_stock", id="none of few is left"),
        pytest.param("<p>Few left</p>", "LimitedAvailability", "in_stock", id="few are left"),
        pytest.param(
            "<button name=add-to-cart>Toevoegen</button>",
            "OutOfStock",
            "in_stock",
            id="a button that buys by its name",
        ),
        pytest.param(
            "<button name=add-to-cart>Notify me</button>",
            "OutOfStock",
            "out_of_stock",
            id="called so, and only promises a message",
        ),
        pytest.param(
            "<button>Notify me</button><button>Add to cart</button>",
            "InStock",
            "in_stock",
            id="a message or the basket",
        ),
        pytest.param("<button>Add to cart</button>", "OutOfStock", "in_stock", id="a button that buys"),
        pytest.param(
            "<button>Add to cart</button><button>Sold out</button>",
            "OutOfStock",
            "out_of_stock",
            id="one of each proves nothing",
        ),
        pytest.param("<button disabled>Add to cart</button>", "OutOfStock", "out_of_stock", id="both say no"),
        pytest.param(
            "<section class=related><button>Add to cart</button></section>",
            "OutOfStock",
            "out_of_stock",
            id="another thing's button",
        ),
        pytest.param(
            "<div>" + "<p><button>Add to cart</button></p>" * 5 + "</div>",
            "OutOfStock",
            "out_of_stock",
            id="a list's buttons",
        ),
        pytest.param("<p>Nothing to press</p>", "InStock", "in_stock", id="no control, no verdict"),
        pytest.param("<span>Verkocht</span>", "InStock", "out_of_stock", id="a label says sold"),
        pytest.param("<b>Reserviert</b>", "InStock", "out_of_stock", id="a label says reserved"),
        pytest.param("<i>Solgt</i>", "InStock", "out_of_stock", id="a label in Danish"),
        pytest.param("<p>This item is no longer available</p>", "InStock", "out_of_stock", id="a sentence"),
        pytest.param(
            "<b>Sold</b><button>Add to cart</button>", "InStock", "in_stock", id="a label beside a button"
        ),
        pytest.param(
            "<aside><b>Sold</b></aside><p hidden>Sold</p>", "InStock", "in_stock", id="labels elsewhere"
        ),
        pytest.param("<p>Over 400 sold</p>", "InStock", "in_stock", id="no label but a boast"),
    ],
)
def test_the_buy_control_decides_about_stock(body: str, claimed: str, availability: str) -> None:
    assert product(body, availability=claimed)["availability"] == availability


def test_a_link_to_the_basket_in_a_header_buys_nothing() -> None:
    link = "<header><a class=header-cart href=/basket>Warenkorb 0,00 €</a></header>"
    assert product(f"{link}<p>Nicht mehr verfügbar</p>")["availability"] == "out_of_stock"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Benachrichtige mich"),
        ("nl", "Houd me op de hoogte"),
        ("fr", "Prévenez-moi"),
        ("es", "Avísame"),
        ("it", "Avvisami"),
    ],
)
def test_a_promised_message_is_no_stock_in_any_language(language: str, words: str) -> None:
    assert product(f"<button>{words}</button>", language=language)["availability"] == "out_of_stock"


def listing(
    markup: dict[str, Any], body: str, *, title: str, url: str = "https://homes.test/1"
) -> dict[str, Any]:
    html = f"<title>{title}</title><script type=application/ld+json>{json.dumps(markup)}</script>{body}"
    return extract(html, url=url, kind="listing").items[0]


def test_markup_that_bears_the_site_s_name_is_not_the_listing() -> None:
    site = {"@type": "Product", "name": "Homes.test", "offers": {"price": "690000", "priceCurrency": "GBP"}}
    item = listing(site, "<h1>4 bed house</h1><p>£725,000</p>", title="4 bed house")
    assert (item["title"], item["price"]) == ("4 bed house", "725000.00")


def test_a_listing_is_called_what_the_page_calls_it() -> None:
    markup = {
        "@type": "Product",
        "name": "Property in Leeds",
        "offers": {"price": "1", "priceCurrency": "GBP"},
    }
    item = listing(markup, "<h1>2 bed flat, Mill Lane</h1>", title="2 bed flat, Mill Lane | Homes")
    assert item["title"] == "2 bed flat, Mill Lane"


@pytest.mark.parametrize(
    ("headline", "title", "called"),
    [
        pytest.param(
            "$1149000 / 3br - Beach house (Keys)", "Beach house", "Beach house", id="a price before it"
        ),
        pytest.param("Oak table - € 250", "Oak table - € 250", "Oak table", id="a price behind it"),
        pytest.param(
            "Property details", "12 Mill Lane - Homes", "12 Mill Lane", id="a headline any page has"
        ),
        pytest.param("Piso en Goya Ver mapa", "Piso en Goya", "Piso en Goya", id="a link to a map behind it"),
        pytest.param(
            "Exposé", "Wohnung am Park | homes.test", "Wohnung am Park", id="the site's name behind it"
        ),
    ],
)
def test_a_listing_s_title_has_no_price_link_or_site_in_it(headline: str, title: str, called: str) -> None:
    html = f"<title>{title}</title><meta property=og:site_name content=Homes><h1>{headline}</h1><p>€ 250</p>"
    assert extract(html, url="https://homes.test/1", kind="listing").items[0]["title"] == called


def test_a_listing_is_completed_by_the_node_of_its_home() -> None:
    offer = {"@type": "Product", "name": "Mill Lane 5", "offers": {"price": "725000", "priceCurrency": "GBP"}}
    home = {"@type": "House", "numberOfBedrooms": 4, "address": {"addressLocality": "Leeds"}}
    item = listing({"@graph": [offer, home]}, "<h1>Mill Lane 5</h1>", title="Mill Lane 5")
    assert (item["price"], item["beds"], item["city"]) == ("725000.00", 4, "Leeds")


def test_a_listing_is_completed_by_the_home_that_it_offers() -> None:
    home = {"@type": "Apartment", "numberOfRooms": 3, "floorSize": {"value": 80, "unitCode": "MTK"}}
    offer = {"@type": "Offer", "price": "900", "priceCurrency": "EUR", "itemOffered": home}
    markup = {"@type": "RealEstateListing", "name": "Mill Lane 5", "offers": offer}
    item = listing(markup, "<h1>Mill Lane 5</h1>", title="Mill Lane 5")
    assert (item["rooms"], item["area_m2"]) == (3, 80.0)


def test_of_several_homes_none_is_taken_for_the_listing_s() -> None:
    offer = {"@type": "Product", "name": "Mill Lane 5", "offers": {"price": "725000", "priceCurrency": "GBP"}}
    homes = [{"@type": "House", "name": f"Other {n}", "numberOfBedrooms": n} for n in (7, 8)]
    item = listing({"@graph": [offer, *homes]}, "<h1>Mill Lane 5</h1>", title="Mill Lane 5")
    assert "beds" not in item


@pytest.mark.parametrize(
    ("shown", "price"),
    [
        pytest.param("<p><del>44,95 €</del> <b>24,95 €</b></p>", "24.95", id="it is crossed out"),
        pytest.param("<p><del>64,95 €</del> <b>44,95 €</b></p>", "44.95", id="another one is"),
        pytest.param("<p><del>44,95 €</del></p>", "44.95", id="no other is shown"),
        pytest.param(
            "<b>44,95 €</b><section class=related><del>44,95 €</del> <b>24,95 €</b></section>",
            "44.95",
            id="on another thing",
        ),
    ],
)
def test_a_price_that_the_page_crosses_out_is_stale(shown: str, price: str) -> None:
    offer = '{"@type": "Offer", "price": "44.95", "priceCurrency": "EUR"}'
    markup = f'{{"@context": "https://schema.org", "@type": "Product", "name": "Kettle", "offers": {offer}}}'
    page = f'<title>Kettle</title><script type="application/ld+json">{markup}</script><main><h1>Kettle</h1>{shown}</main>'  # noqa: E501
    found = extract(page, url="https://x.test/kettle", kind="product").items[0]
    assert str(found["price"]) == price


@pytest.mark.parametrize(
    ("headline", "title"),
    [
        ("Harrison Drive", "3 bedroom flat for sale in Harrison Drive, Cambridge"),
        ("3 bedroom flat", "3 bedroom flat"),
    ],
)
def test_the_name_of_a_home_goes_on_as_the_title_does_unless_it_is_the_headline(
    headline: str, title: str
) -> None:
    node = {"@type": "Apartment", "name": "3 bedroom flat", "address": "Harrison Drive"}
    html = (
        "<title>3 bedroom flat for sale in Harrison Drive, Cambridge | Homes</title>"
        f"<h1>{headline}</h1><script type='application/ld+json'>{json.dumps(node)}</script><p>3 bedrooms</p>"
    )
    assert extract(html, url="https://homes.test/flat/1", kind="listing").items[0]["title"] == title
