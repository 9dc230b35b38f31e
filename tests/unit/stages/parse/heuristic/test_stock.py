"""A word about stock, or a button to buy with."""

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.normalize.availability import parse_availability
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.product import product
from larder.stages.parse.heuristic.stock import has_buy_button, stock_words


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
        pytest.param("<p class=availability>Dostępność: duża ilość</p>", "", id="a label is no word"),
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
        pytest.param(
            "<button class=add-to-cart-notify>Notify me</button>", False, id="one that only sends a message"
        ),
        pytest.param("<a class=cart href=/cart>Warenkorb (0)</a>", False, id="a link to the basket"),
        pytest.param("<a class=btn href=/add>In den Warenkorb</a>", True, id="a link that buys"),
    ],
)
def test_whether_it_can_be_bought(body: str, buys: bool) -> None:
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main><h1>Kettle</h1>{body}</main>")
    assert has_buy_button(page, headline(page)[1]) is buys


@pytest.mark.parametrize(
    ("body", "kind", "stock"),
    [
        pytest.param("<button>Add to cart</button>", Kind.PRODUCT, "InStock", id="the control buys"),
        pytest.param("<input type=image alt='Add to cart'>", Kind.PRODUCT, "InStock", id="a picture buys"),
        pytest.param("<button>Buy now</button>", Kind.LISTING, None, id="an advert has no buy area"),
        pytest.param("<button disabled>Add to cart</button>", Kind.PRODUCT, "OutOfStock", id="it is off"),
        pytest.param("<p>This item is out of stock</p>", Kind.PRODUCT, "OutOfStock", id="a notice beside it"),
        pytest.param("<p>Made by hand</p>", Kind.PRODUCT, None, id="nothing is guessed"),
        pytest.param(
            "<form class=add-to-cart><p>This product is out of stock</p></form>",
            Kind.PRODUCT,
            "OutOfStock",
            id="a notice in a form that nothing sends",
        ),
        pytest.param(
            "<form action=/cart/add><p class=stock>Stokta yok</p><button disabled>Sepete ekle</button>",
            Kind.PRODUCT,
            "Stokta yok",
            id="a notice in a form whose button is off",
        ),
        pytest.param(
            "<button disabled>ただいま品切れ中です。</button>",
            Kind.PRODUCT,
            "ただいま品切れ中です。",
            id="a label",
        ),
        pytest.param(
            "<p>Dieses Produkt ist derzeit leider nicht verfügbar.</p>",
            Kind.PRODUCT,
            "OutOfStock",
            id="a sentence whose subject is the thing",
        ),
        pytest.param("<buy-button>Add to basket</buy-button>", Kind.PRODUCT, "InStock", id="a web component"),
        pytest.param(
            "<buy-button disabled>Add to basket</buy-button>", Kind.PRODUCT, "OutOfStock", id="which is off"
        ),
        pytest.param("<buy-button>Sold out</buy-button>", Kind.PRODUCT, "Sold out", id="which says sold out"),
        pytest.param(
            "<buy-button><button disabled>Add to basket</button></buy-button>",
            Kind.PRODUCT,
            "OutOfStock",
            id="the button within a web component decides",
        ),
        pytest.param(
            "<button aria-disabled=true>Add to cart</button>", Kind.PRODUCT, "OutOfStock", id="off by ARIA"
        ),
        pytest.param(
            "<a class='btn disabled'>Add to cart</a>", Kind.PRODUCT, "OutOfStock", id="off by its class"
        ),
    ],
)
def test_the_control_in_the_buy_area_tells_the_stock(body: str, kind: Kind, stock: str | None) -> None:
    html = f"<title>Kettle</title><main><h1>Kettle</h1><b class=price>€ 12</b>{body}</main>"
    task = ExtractionTask(page=Page("https://x.test/kettle", html), kind=kind, purpose=Purpose.DETAIL)
    assert product(task)[0].fields.get("availability") == stock


@pytest.mark.parametrize(
    ("notice", "availability"),
    [
        pytest.param("<p>In stock</p>", "InStock", id="in English"),
        pytest.param("<p>3 in stock</p>", "InStock", id="how many"),
        pytest.param("<p>Disponibile in negozio</p>", "InStock", id="where it is"),
        pytest.param("<p>Disponibile subito</p>", "InStock", id="when it is there"),
        pytest.param(
            "<table><tr><td>Verfügbarkeit</td><td>auf Lager</td></tr></table>", "InStock", id="a cell"
        ),
        pytest.param("<p>Disponibilité : en stock</p>", "InStock", id="behind its label"),
        pytest.param("<p>Back in stock soon</p>", "OutOfStock", id="not yet"),
        pytest.param("<p>Show only items in stock</p>", None, id="a filter"),
        pytest.param("<p>We always have kettles in stock</p>", None, id="a sentence"),
        pytest.param("<p hidden>In stock</p>", None, id="words nobody sees"),
        pytest.param("<p class='d-none'>In stock</p>", None, id="words that a class hides"),
        pytest.param("<p class='overflow-hidden'>In stock</p>", "InStock", id="words that are cut at a side"),
        pytest.param(
            "<p class='hidden md:block'>In stock</p>", "InStock", id="words that large screens show"
        ),
    ],
)
def test_a_short_notice_beside_the_headline_tells_the_stock(notice: str, availability: str | None) -> None:
    html = f"<title>Kettle</title><main><h1>Kettle</h1><p>€ 12,50</p>{notice}</main>"
    task = ExtractionTask(page=Page("https://x.test/kettle", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    assert product(task)[0].fields.get("availability") == availability


@pytest.mark.parametrize(
    ("labelled", "availability"),
    [
        pytest.param("<ul><li>Availability: Out Of Stock</li></ul>", "OutOfStock", id="one text"),
        pytest.param("<ul><li>Availability: In Stock</li></ul>", "InStock", id="in stock"),
        pytest.param("<ul><li>Availability: 2-3 Days</li></ul>", "InStock", id="a value that says neither"),
        pytest.param("<ul><li>Availability: Pre-Order</li></ul>", "pre-order", id="later"),
        pytest.param("<dl><dt>Beschikbaarheid</dt><dd>Niet op voorraad</dd></dl>", "OutOfStock", id="a list"),
        pytest.param(
            "<table><tr><th>Verfügbarkeit:</th><td>Nicht auf Lager</td></tr></table>",
            "OutOfStock",
            id="a table",
        ),
        pytest.param("<p><b>Disponibilité :</b> Rupture de stock</p>", "OutOfStock", id="a bold label"),
        pytest.param("<p>Disponibilidad: Agotado</p>", "OutOfStock", id="in Spanish"),
        pytest.param("<p>Disponibilità: Non disponibile</p>", "OutOfStock", id="in Italian"),
        pytest.param("<p>Dostępność: Brak na stanie</p>", "OutOfStock", id="in Polish"),
        pytest.param("<p>Disponibilidade: Esgotado</p>", "OutOfStock", id="in Portuguese"),
        pytest.param("<p>Lagerstatus: Tillfälligt slut</p>", "OutOfStock", id="in Swedish"),
        pytest.param("<p>Voorraad: 0 stuks</p>", "OutOfStock", id="a number"),
        pytest.param("<p>Current stock: 0</p>", "OutOfStock", id="a bare number"),
        pytest.param("<p>Op voorraad: nee</p>", "OutOfStock", id="a question with its answer"),
        pytest.param(
            "<p>Availability: Out of stock</p><p>Availability: In stock</p>",
            "InStock",
            id="values that differ decide nothing",
        ),
        pytest.param(
            "<div class=related><p>Availability: Out of stock</p></div>", "InStock", id="of another thing"
        ),
        pytest.param("<p hidden>Availability: Out of stock</p>", "InStock", id="that nobody sees"),
        pytest.param("<p>In stock</p><span>0</span>", "InStock", id="a statement is no label"),
        pytest.param("<p><b>In stock:</b> <i>No</i></p>", "OutOfStock", id="a question in parts"),
        pytest.param(
            "<div><b>Stock</b></div><div>0</div>",
            "OutOfStock",
            id="elements that hold a label alone",
        ),
    ],
)
def test_a_label_with_its_value_decides_against_a_button_that_is_always_there(
    labelled: str, availability: str
) -> None:
    body = f"<h1>Kettle</h1>{labelled}<b class=price>€ 12</b><button>Add to cart</button>"
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main>{body}</main>")
    task = ExtractionTask(page=page, kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    assert product(task)[0].fields.get("availability") == availability


@pytest.mark.parametrize(
    "labelled", ["<p>Stock: 12</p>", "<p>Auf Lager: ja</p>", "<li>Availability: In Stock</li>"]
)
def test_a_label_with_its_value_tells_stock_without_a_button(labelled: str) -> None:
    html = f"<title>Kettle</title><main><h1>Kettle</h1>{labelled}<b class=price>€ 12</b></main>"
    task = ExtractionTask(page=Page("https://x.test/kettle", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    assert product(task)[0].fields.get("availability") == "InStock"


RELATED = (
    "<table><tr><td><a href=/vase><img src=v.jpg></a></td><td><a href=/vase>A vase</a> € 12,-"
    "<form action=/basket><input type=submit value='Add to cart'></form></td></tr></table>"
)


@pytest.mark.parametrize(
    ("body", "stock"),
    [
        pytest.param(
            f"<p>€ 40,-</p><p>Sold out</p></div>{RELATED}<div>",
            "OutOfStock",
            id="another thing's button buys nothing here",
        ),
        pytest.param(
            f"<p>€ 40,-</p><form><input type=submit value='Add to cart'></form></div>{RELATED}<div>",
            "InStock",
            id="the page's own button",
        ),
        pytest.param(
            "<p>€ 40,-</p><a href=/kettle#reviews><img>3 reviews</a><button>Add to cart</button>",
            "InStock",
            id="a link to the page itself makes no card",
        ),
        pytest.param(
            "<p>€ 40,-</p><button>Pre-order now</button>", "Pre-order now", id="to be ordered before"
        ),
        pytest.param(
            "<p>€ 40,-</p><p class=stock>Nicht auf Lager, wird nachbestellt.</p><button>Add to cart</button>",
            "nachbestellt",
            id="not there, and ordered for who buys it",
        ),
        pytest.param(
            "<p>€ 40,-</p><p>Available on backorder</p><button>Add to cart</button>",
            "backorder",
            id="to be ordered first, in plain text beside a button",
        ),
        pytest.param(
            "<p>€ 40,-</p><p>Nu niet op voorraad, wel te bestellen</p><button>In winkelwagen</button>",
            "wel te bestellen",
            id="not there, but it can be ordered",
        ),
        pytest.param(
            "<p>€ 40,-</p><p>3 in stock (can be backordered)</p><button>Add to cart</button>",
            "InStock",
            id="there, and it may be ordered when none is left",
        ),
        pytest.param(
            "<p>€ 40,-</p><p>Sold out</p><h2>You may also like</h2><div><a href=/bowl>Bowl</a> € 9"
            "<button>Add to cart</button></div>",
            "OutOfStock",
            id="a button of a related section buys another thing",
        ),
        pytest.param(
            "<p>€ 40,-</p><p class=dispo>Épuisé chez l’éditeur</p><h3>Du même auteur</h3><ul><li>"
            "<a href=/bowl>Bowl</a> € 9 <button>Ajouter au panier</button></li></ul>",
            "Épuisé chez l’éditeur",
            id="a button below other things of its maker",
        ),
        pytest.param(
            "<p>€ 40,-</p><button>Add to cart</button><h2>Related products</h2><div><a href=/bowl>Bowl</a>"
            "<p>0 in stock</p></div>",
            "InStock",
            id="a related section that has none of another thing",
        ),
        pytest.param(
            "<p>€ 40,-</p><a class=notify href=/n>Avvisami</a>", "OutOfStock", id="a link that notifies"
        ),
        pytest.param(
            "<p>€ 40,-</p><b>Sold out</b><button class='btn add-to-cart-notify'>Notify me</button>",
            "OutOfStock",
            id="a button called after the basket that only promises a message",
        ),
        pytest.param(
            "<p>€ 4</p><div class=product-list-field><label>Availability:</label> <i>Out of stock</i></div>",
            "OutOfStock",
            id="a field of the thing is no list of products",
        ),
        pytest.param(
            "<p>€ 40,-</p><p class=delivery-soldout>Nicht mehr verfügbar</p></div>"
            "<a class='btn header-cart' href=/cart title=Warenkorb>0,00 €</a><div>",
            "Nicht mehr verfügbar",
            id="the basket in the header, with its name in a title",
        ),
        pytest.param(
            "<p>€ 40,-</p><p class=stock>Rupture de stock</p></div>"
            "<a class=cart_button href=#><i>0,00 €</i><i>Panier</i></a><div>",
            "Rupture de stock",
            id="the basket in the header, behind what is in it",
        ),
        pytest.param(
            "<p>€ 40,-</p><p class=delivery-information>Erscheint im Mai, jetzt vorbestellen</p>"
            "<button>In den Warenkorb</button>",
            "Erscheint im Mai, jetzt vorbestellen",
            id="what is called information on delivery",
        ),
        pytest.param(
            "<p>€ 4</p><button disabled>Add to cart</button></div><div><a href=/v aria-label='A blue vase'>"
            "<img></a><p>A blue vase</p>€ 9<button>Add to cart</button></div><div>",
            "OutOfStock",
            id="a card whose picture alone is a link",
        ),
        pytest.param(
            "<p>€ 40,-</p><select><option>60 cm</select><button class='buy disabled'>Add to cart</button>",
            "InStock",
            id="a button that asks for the choice when it is pressed",
        ),
        pytest.param(
            "<p>€ 40,-</p><input type=submit value='Læg i indkøbskurv'>", "InStock", id="a basket in Danish"
        ),
        pytest.param(
            "<p>€ 40,-</p><p class=stock>Disponible bajo pedido</p><button>Add to cart</button>",
            "Disponible bajo pedido",
            id="made when it is ordered",
        ),
        pytest.param(
            "<p>€ 40,-</p><div id=variants><ul><li>500 g</ul></div><button disabled>Add to cart</button>",
            "",
            id="a button that waits for a variant",
        ),
    ],
)
def test_the_control_of_the_pages_own_thing_decides(body: str, stock: str) -> None:
    html = f"<title>Kettle - Shop</title><main><div><h1>Kettle</h1>{body}</div></main>"
    items = product(
        ExtractionTask(page=Page("https://x.test/kettle", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    )
    assert (items[0].fields.get("availability", "") if items else "") == stock


def test_a_button_in_tables_within_tables_is_the_pages_own() -> None:
    cell = "<table><tr><td>{}</td></tr></table>"
    buy = "<a href=/reviews><img alt=Reviews></a><input type=image alt='Add to cart'>"
    body = f"<td class=pageHeading>Steam engine</td></tr></table>{cell.format(cell.format(cell.format(buy)))}"
    table = f"<table><tr><td><table><tr>{body}</td><td>€ 40</td></tr></table>"
    html = f"<title>Model trains</title><form>{table}</form>"
    items = product(
        ExtractionTask(page=Page("https://x.test/p?id=3", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    )
    assert (items[0].fields["title"], items[0].fields["availability"]) == ("Steam engine", "InStock")


@pytest.mark.parametrize("called", ["", " class=stock"])
@pytest.mark.parametrize(
    ("notice", "availability"),
    [
        ("Only 2 left in stock", "in_stock"),
        ("Last one!", "in_stock"),
        ("In stock - dispatched today", "in_stock"),
        ("In stock. Collection from York or post.", "in_stock"),
        ("Nur noch 3 Stück verfügbar", "in_stock"),
        ("Sofort versandfertig, Lieferzeit 1-3 Werktage", "in_stock"),
        ("Lieferbar in 2-3 Tagen", "in_stock"),
        ("Nog maar 3 stuks", "in_stock"),
        ("Voor 22:00 besteld, morgen in huis", "in_stock"),
        ("Plus que 2 en stock", "in_stock"),
        ("Dernier exemplaire", "in_stock"),
        ("¡Últimas unidades!", "in_stock"),
        ("Quedan 3 unidades", "in_stock"),
        ("Pronta consegna", "in_stock"),
        ("Ultimi articoli in magazzino", "in_stock"),
        ("0 in stock", "out_of_stock"),
        ("Coming soon", "out_of_stock"),
        ("Derzeit nicht verfügbar", "out_of_stock"),
        ("Bald wieder verfügbar", "out_of_stock"),
        ("Binnenkort weer leverbaar", "out_of_stock"),
        ("Temporairement indisponible", "out_of_stock"),
        ("Bientôt disponible", "out_of_stock"),
        ("Disponible próximamente", "out_of_stock"),
        ("Al momento non disponibile", "out_of_stock"),
        ("Presto disponibile", "out_of_stock"),
        ("Lieferzeit 2-3 Werktage", "unknown"),
        ("Available in three colours", "unknown"),
    ],
)
def test_words_for_few_soon_and_when_tell_the_stock(notice: str, availability: str, called: str) -> None:
    html = f"<title>Kettle</title><main><h1>Kettle</h1><p>€ 12,50</p><p{called}>{notice}</p></main>"
    task = ExtractionTask(page=Page("https://x.test/kettle", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    found = product(task)[0].fields.get("availability")
    assert parse_availability(found) == availability
