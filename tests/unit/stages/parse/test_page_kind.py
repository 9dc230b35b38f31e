"""Is a page one thing, or a list? Asked of pages whose markup says otherwise than what they show."""

import re

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.page_kind import purposes_of

ROWS = "".join(
    f"<li class=card><a href='/grill/{n}0001'><h3>Grill called {n}</h3></a><p>Art-Nr.: GR-10{n}</p>"
    f"<span class=price>{n}49,00 €</span><button>Add to cart</button></li>"
    for n in range(1, 11)
)
SUMMARY = """<script type="application/ld+json">{"@type": "Product", "name": "Grills", "offers":
{"@type": "AggregateOffer", "lowPrice": "149.00", "highPrice": "1049.00", "priceCurrency": "EUR"}}</script>"""
OWN = """<script type="application/ld+json">{"@type": "Product", "name": "Grill called 0", "sku": "GR-100",
"offers": {"@type": "Offer", "price": "99.00", "priceCurrency": "EUR"}}</script>"""
BRAND = "<div itemscope itemtype='http://schema.org/Product'><span itemprop=name>Grills</span></div>"


def purpose(body: str) -> Purpose:
    page = Page("https://grill.test/grills", f"<html><body><h1>Grills</h1>{body}</body></html>")
    return purposes_of(page, Kind.PRODUCT)[0]


@pytest.mark.parametrize("markup", [SUMMARY, BRAND, ""])
def test_prices_in_rows_alone_make_a_list_whatever_the_page_is_marked_up_as(markup: str) -> None:
    assert purpose(f"{markup}<ul>{ROWS}</ul>") is Purpose.INDEX


@pytest.mark.parametrize(
    "own",
    [
        pytest.param(OWN, id="a price in its markup"),
        pytest.param(f"{BRAND}<p class=price>99,00 €</p>", id="a price beside the rows"),
        pytest.param(f"{BRAND}<button>Add to cart</button>", id="a button beside the rows"),
        pytest.param("<p>Art-Nr.: GR-100</p>", id="a code beside the rows"),
    ],
)
def test_what_the_page_has_of_its_own_makes_it_one_thing(own: str) -> None:
    assert purpose(f"<div>{own}</div><ul>{ROWS}</ul>") is Purpose.DETAIL


@pytest.mark.parametrize("words", ["Similar adverts", "Verwandte Anzeigen", "Annonces similaires"])
def test_a_grid_below_a_text_that_calls_it_similar_makes_no_list(words: str) -> None:
    cards = "".join(
        f"<a href=/ad/{at}><img src=/{at}.jpg><b>Shepherd dog number {at}</b> <i>{at} years old</i></a>"
        for at in range(1, 11)
    )
    own = "<h1>Two sisters look for a home</h1><table><tr><td>Town:</td><td>68219 Mannheim</td></tr></table>"
    for heading, first in ((words, Purpose.DETAIL), ("Adverts", Purpose.INDEX)):
        page = Page("https://pets.test/ad?id=1492545", f"{own}<div>{heading}</div><div>{cards}</div>")
        assert purposes_of(page, Kind.LISTING)[0] is first


def test_the_buttons_of_another_list_are_not_the_page_s() -> None:
    best = "".join(
        f"<div class='cell{' last' if n == 3 else ''}'><a href='/grill/{n}0001'>Grill called {n}</a>"
        f"<span class=price>{n}49,00 €</span><button>Add to cart</button></div>"
        for n in range(1, 5)
    )
    rows = re.sub(r"<p>Art-Nr[^<]*</p>", "", ROWS)
    assert purpose(f"<div class=best>{best}</div><ul>{rows}</ul>") is Purpose.INDEX


@pytest.mark.parametrize(
    ("address", "first"), [("/homes/b0019751", Purpose.DETAIL), ("/homes/", Purpose.INDEX)]
)
def test_a_page_that_is_numbered_as_its_rows_things_are_is_one_of_them(address: str, first: Purpose) -> None:
    rows = "".join(
        f"<li><a href='/homes/b001430{n}'><img src={n}.jpg><h3>House in Elm Road {n}</h3></a>"
        f"<b>€ {n}50.000</b></li>"
        for n in range(1, 8)
    )
    page = Page(f"https://homes.test{address}", f"<h1>Elm Road</h1><p>€ 388.000</p><ul>{rows}</ul>")
    assert purposes_of(page, Kind.LISTING)[0] is first


def test_marked_up_homes_that_share_a_name_are_told_by_their_addresses() -> None:
    rows = "".join(
        f"<div itemscope itemtype='https://schema.org/Offer'>"
        f"<a itemprop=url href='/home/{n}'><h2>Town {n}</h2><p itemprop=name>Flat for sale</p></a>"
        f"<p>{n}90 000 zł</p><meta itemprop=price content='{n}90000'></div>"
        for n in range(1, 4)
    )
    page = Page("https://homes.test/flats", f"<h1>Flats for sale</h1>{rows}")
    assert purposes_of(page, Kind.LISTING)[0] is Purpose.INDEX


def test_other_sellers_of_the_page_s_thing_make_no_list() -> None:
    sellers = "".join(
        f"<div class=row><a href='/seller-{n}'>Seller {n} of town</a> <b class=price>EGP 2{n}4</b></div>"
        for n in range(1, 10)
    )
    own = "<div class=details-footer><b class=price>EGP 222</b><button>Buy now</button></div>"
    page = Page("https://grill.test/grill", f"<div><h1>Grill called 0</h1>{own}</div><div>{sellers}</div>")
    assert purposes_of(page, Kind.PRODUCT)[0] is Purpose.DETAIL


@pytest.mark.parametrize(
    ("address", "first"),
    [
        pytest.param("sale.daft?id=613762", Purpose.DETAIL, id="the number of a thing"),
        pytest.param("sale.daft?page=2", Purpose.INDEX, id="the number of a page"),
    ],
)
def test_a_page_whose_parameter_names_a_thing_as_its_rows_do_is_a_thing(address: str, first: Purpose) -> None:
    others = "".join(
        f"<li><a href='/sale.daft?id=61{n}001'><img src={n}.jpg><b>{n} Mill Lane, Ennis</b></a> "
        f"<i>€ {n}50.000</i></li>"
        for n in range(1, 10)
    )
    own = "<h2>Ard Road, Lake</h2><div>Price On Application</div>"
    page = Page(f"https://homes.test/{address}", f"<div>{own}</div><ul>{others}</ul>")
    assert purposes_of(page, Kind.LISTING)[0] is first
