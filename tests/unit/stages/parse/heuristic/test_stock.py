"""A word about stock, or a button to buy with."""

import pytest

from larder.sdk import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.stock import buyable, stock_words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param("<p class=stock>Nog 3 op voorraad</p>", "Nog 3 op voorraad", id="its own words"),
        pytest.param("<p class=stock>Ausverkauft</p>", "Ausverkauft", id="sold out"),
        pytest.param("<button>Sold out</button>", "Sold out", id="a button's words"),
        pytest.param("<button>In den Warenkorb</button>", "", id="a button that buys is no word"),
        pytest.param(
            "<p class=stock>Sold out</p><button>Add to cart</button>", "", id="a button that contradicts"
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
