"""Rules that saved pages of shops and boards asked for, each on the smallest page that needs it."""

# ruff: noqa: E501 - a part of a page is one line

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.page_kind import purposes_of


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param(
            "<a href='/acme' title='Acme drives'><img class=logo alt='Acme drives'></a>", id="its logo"
        ),
        pytest.param("<a class=brand href='/brands/acme.html'><img></a>", id="a link that is called a brand"),
    ],
)
def test_a_picture_that_leads_to_the_first_word_of_the_title_is_the_brands(beside: str) -> None:
    page = f"<title>Acme Drive 850</title><main><div><div><h1>Acme Drive 850</h1></div>{beside}</div><p class=price>89,90 €</p><button>In den Warenkorb</button></main>"
    found = extract(page, url="https://shop.test/acme-drive-850.html", kind="product").items[0]
    assert found["brand"] == "Acme"


def test_a_picture_that_leads_to_the_product_itself_names_no_brand() -> None:
    page = "<title>Wool Jacket</title><main><div><div><h1>Wool Jacket</h1></div><a href='/wool-jacket'><img alt='Wool Jacket'></a></div><p class=price>89,90 €</p><button>Add to cart</button></main>"
    assert "brand" not in extract(page, url="https://shop.test/wool-jacket", kind="product").items[0]


def test_described_bedrooms_are_not_counted() -> None:
    rooms = "".join(
        f"<p>BEDROOM {at}{' (main bedroom)' if at == 3 else ''}</p><p>With a window.</p>" for at in (1, 2, 3)
    )
    page = f"<title>68 Orwell Park</title><h1>68 Orwell Park</h1><p class=price>€1,250,000</p><p><span>House</span>|<span>6 Bedrooms</span></p><div>{rooms}</div>"
    found = extract(page, url="https://board.test/68-orwell-park", kind="listing").items[0]
    assert found["beds"] == 6


def test_a_headline_of_the_addresss_words_stands_against_another_announced_title() -> None:
    page = "<title>2 pokoje, mieszkanie na sprzedaż - Warszawa, Targówek</title><h1>Bezpośrednio umeblowane Targówek garaż</h1><p><b>515 000 zł</b></p><div><h4>2 pokoje, mieszkanie, Targówek</h4><p>Opłaty 580 zł</p></div>"
    found = extract(
        page, url="https://board.test/oferta/bezposrednio-umeblowane-targowek-garaz", kind="listing"
    ).items[0]
    assert (found["title"], str(found["price"])) == ("Bezpośrednio umeblowane Targówek garaż", "515000.00")


def test_four_priced_homes_below_a_headline_are_a_list() -> None:
    rows = "".join(
        f"<article><a href='/offer/{name}-{at}77.html'><img src=/i/{at}.jpg></a><h3><a href='/offer/{name}-{at}77.html'>{name.title()} flat</a></h3><ul><li>{at}1 m²</li><li class=price>{at} 850 zł</li></ul></article>"
        for at, name in enumerate(("oak", "elm", "ash", "fir"), start=1)
    )
    page = f"<title>Flats to rent</title><h1>Flats to rent</h1><div>{rows}</div>"
    assert purposes_of(Page("https://board.test/rent/flats/", page), Kind.LISTING)[0] is Purpose.INDEX
    found = extract(page, url="https://board.test/rent/flats/", kind="listing").items
    assert [item["title"] for item in found] == ["Oak flat", "Elm flat", "Ash flat", "Fir flat"]


def test_a_code_in_the_address_names_no_page() -> None:
    page = "<title>Dry Riesling 2022 | SW1007</title><main><h1>Dry Riesling 2022</h1><p class=price>30,90 €</p><p>Nicht mehr verfügbar</p></main>"
    found = extract(page, url="https://shop.test/dry-riesling-2022/SW1007", kind="product").items[0]
    assert (found["title"], found["availability"]) == ("Dry Riesling 2022", "out_of_stock")


def test_a_card_of_another_thing_does_not_name_a_page_without_a_first_heading() -> None:
    page = "<title>Oak chair restored Bosch - Adverts</title><main><h2><span class=price>€ 350 or nearest offer</span> Oak chair restored Bosch</h2></main><h3>Related</h3><ul><li><a class=title href='/ad/oak-chair-restored-2'>Oak chair restored</a> <span class=price>35 €</span></li></ul>"
    found = extract(page, url="https://board.test/ad/oak-chair-restored-bosch-1", kind="listing").items[0]
    assert (found["title"], found.get("price")) == ("Oak chair restored Bosch", "350.00")
