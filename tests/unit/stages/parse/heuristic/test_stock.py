"""A word about stock, or a button to buy with."""

import pytest

from larder.sdk import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.stock import stock_words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param("<p class=stock>Nog 3 op voorraad</p>", "Nog 3 op voorraad", id="its own words"),
        pytest.param("<p class=stock>Ausverkauft</p>", "Ausverkauft", id="sold out"),
        pytest.param("<button>In den Warenkorb</button>", "InStock", id="a button"),
        pytest.param("<input type=submit value='Add to cart'>", "InStock", id="an input"),
        pytest.param("<form action=/cart/add></form>", "InStock", id="a form"),
        pytest.param("<footer><button>Add to cart</button></footer>", "", id="a button elsewhere"),
        pytest.param("<button>Subscribe</button>", "", id="another button"),
        pytest.param("<p>We stock kettles</p>", "", id="no word about it"),
        pytest.param("<p class=stock style='display: none'>Sold out</p>", "", id="words nobody sees"),
    ],
)
def test_what_is_said_about_stock(body: str, words: str) -> None:
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main><h1>Kettle</h1>{body}</main>")
    assert stock_words(page, headline(page)[1]) == words
