"""A word about stock, or a button to buy with."""

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.product import product
from larder.stages.parse.heuristic.stock import buyable, stock_words
from larder.stages.parse.strategy_input import Look


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param("<p class=stock>Nog 3 op voorraad</p>", "Nog 3 op voorraad", id="its own words"),
        pytest.param("<p class=stock>Ausverkauft</p>", "Ausverkauft", id="sold out"),
        pytest.param("<p class=stock>Elfogyott</p>", "Elfogyott", id="in Hungarian"),
        pytest.param("<button>Sold out</button>", "Sold out", id="a button's words"),
        pytest.param("<button>ÉPUISÉ</button>", "ÉPUISÉ", id="in capitals"),
        pytest.param("<button>In den Warenkorb</button>", "", id="a button that buys is no word"),
        pytest.param(
            "<p class=stock>Sold out</p><button>Add to cart</button>", "", id="a button that contradicts"
        ),
        pytest.param(
            "<form action=/cart/add><p class=stock>Sold out</p></form>",
            "Sold out",
            id="a form that nothing sends contradicts nothing",
        ),
        pytest.param(
            "<input type=submit disabled value='Rupture de stock'>", "Rupture de stock", id="an input's words"
        ),
        pytest.param("<p>We stock kettles</p>", "", id="no word about it"),
        pytest.param("<p class=stock style='display: none'>Sold out</p>", "", id="words nobody sees"),
    ],
)
def test_what_is_said_about_stock(body: str, words: str) -> None:
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main><h1>Kettle</h1>{body}</main>")
    assert stock_words(page, headline(page)[1]) == words


@pytest.mark.parametrize(
    ("body", "buys"),
    [
        pytest.param("<button>In den Warenkorb</button>", True, id="a button"),
        pytest.param("<input type=submit value='Add to cart'>", True, id="an input"),
        pytest.param("<form action=/cart/add></form>", True, id="a form"),
        pytest.param("<button disabled>Add to cart</button>", False, id="switched off"),
        pytest.param("<footer><button>Add to cart</button></footer>", False, id="a button elsewhere"),
        pytest.param("<button>Subscribe</button>", False, id="another button"),
    ],
)
def test_whether_it_can_be_bought(body: str, buys: bool) -> None:
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main><h1>Kettle</h1>{body}</main>")
    assert buyable(page, headline(page)[1]) is buys


@pytest.mark.parametrize(
    ("body", "kind", "stock"),
    [
        pytest.param("<button>Add to cart</button>", Kind.PRODUCT, "InStock", id="the control buys"),
        pytest.param("<input type=image alt='Add to cart'>", Kind.PRODUCT, "InStock", id="a picture buys"),
        pytest.param("<button>Buy now</button>", Kind.LISTING, None, id="an advert has no buy area"),
        pytest.param("<button disabled>Add to cart</button>", Kind.PRODUCT, "OutOfStock", id="it is off"),
        pytest.param("<p>This item is out of stock</p>", Kind.PRODUCT, "OutOfStock", id="a notice beside it"),
        pytest.param("<p>Made by hand</p>", Kind.PRODUCT, None, id="nothing is guessed"),
    ],
)
def test_the_control_in_the_buy_area_tells_the_stock(body: str, kind: Kind, stock: str | None) -> None:
    html = f"<title>Kettle</title><main><h1>Kettle</h1><b class=price>€ 12</b>{body}</main>"
    look = Look(page=Page("https://x.test/kettle", html), kind=kind, purpose=Purpose.DETAIL)
    assert product(look)[0].fields.get("availability") == stock


@pytest.mark.parametrize(
    ("notice", "availability"),
    [
        pytest.param("<p>In stock</p>", "InStock", id="in English"),
        pytest.param("<p>3 in stock</p>", "InStock", id="how many"),
        pytest.param(
            "<table><tr><td>Verfügbarkeit</td><td>auf Lager</td></tr></table>", "InStock", id="a cell"
        ),
        pytest.param("<p>Disponibilité : en stock</p>", "InStock", id="behind its label"),
        pytest.param("<p>Back in stock soon</p>", "OutOfStock", id="not yet"),
        pytest.param("<p>Show only items in stock</p>", None, id="a filter"),
        pytest.param("<p>We always have kettles in stock</p>", None, id="a sentence"),
        pytest.param("<p hidden>In stock</p>", None, id="words nobody sees"),
    ],
)
def test_a_short_notice_beside_the_headline_tells_the_stock(notice: str, availability: str | None) -> None:
    html = f"<title>Kettle</title><main><h1>Kettle</h1><p>€ 12,50</p>{notice}</main>"
    look = Look(page=Page("https://x.test/kettle", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    assert product(look)[0].fields.get("availability") == availability
