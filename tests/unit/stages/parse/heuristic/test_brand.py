"""Who makes it: an element that is called a brand, or a label in the text."""

# ruff: noqa: E501 - a page is one line

import pytest

from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.heuristic.brand import brand_of


@pytest.mark.parametrize(
    ("body", "brand"),
    [
        pytest.param("<a class=product-brand>Braun</a>", "Braun", id="a link that is called a brand"),
        pytest.param("<p class=brand>Brand: Braun</p>", "Braun", id="with its label"),
        pytest.param("<div class=brand-logo><img alt=Braun src=x></div>", "Braun", id="a picture's text"),
        pytest.param("<p>Marke: Braun Typ: KF 560</p>", "Braun", id="a label in the text"),
        pytest.param("<p>Merk: Le Creuset</p>", "Le Creuset", id="two words"),
        pytest.param("<a class=brands-link>View all brands</a>", "", id="a link to all brands"),
        pytest.param("<footer><p class=brand>Shop Ltd</p></footer>", "", id="the shop's own, in the footer"),
        pytest.param("<p>A brand new kettle</p>", "", id="a word of the text"),
    ],
)  # fmt: skip
def test_a_brand_is_read_near_the_headline(body: str, brand: str) -> None:
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main><h1>Kettle</h1>{body}</main>")
    assert brand_of(page, labelled=True) == brand


def test_a_number_that_the_page_does_not_show_is_no_brand() -> None:
    """Shops name their own department in the markup; 4711 is a brand where it is shown."""
    data = '{"@type":"Product","name":"Serum","brand":{"@type":"Brand","name":"4248"},"offers":{"price":"185","priceCurrency":"USD"}}'
    page = f"<title>Serum</title><script type='application/ld+json'>{data}</script><main><p class=brand>SkinCo</p><h1>Serum</h1><p>$185.00</p></main>"
    assert extract(page, url="https://x.test/serum", kind="product").items[0]["brand"] == "SkinCo"
    shown = page.replace("SkinCo", "4248")
    assert extract(shown, url="https://x.test/serum", kind="product").items[0]["brand"] == "4248"
