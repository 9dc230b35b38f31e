"""Which amount sells the thing?"""

import pytest

from larder.sdk import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.prices import selling_price


def price(body: str) -> str:
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main><h1>Kettle</h1>{body}</main>")
    return selling_price(page, headline(page)[1])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("<b class=price>€ 12,50</b>", "€ 12,50", id="the only one"),
        pytest.param(
            "<del class=price>€ 20</del><b class=price>€ 12</b>", "€ 12", id="crossed out by its tag"
        ),
        pytest.param(
            "<b class='price old-price'>€ 20</b><b class='price'>€ 12</b>",
            "€ 12",
            id="crossed out by its name",
        ),
        pytest.param(
            "<b class=price style='text-decoration: line-through'>€ 20</b><b class=price>€ 12</b>",
            "€ 12",
            id="crossed out by its style",
        ),
        pytest.param("<b class=price>€ 12</b><b class=price>€ 4,80 / kg</b>", "€ 12", id="not per unit"),
        pytest.param("<b class=shipping-price>€ 4</b><b class=price>€ 12</b>", "€ 12", id="not the shipping"),
        pytest.param(
            "<b class=price>€ 12</b></main><section class=related><b class=price>€ 3</b></section>",
            "€ 12",
            id="not a related one",
        ),
        pytest.param("<div class=price><span>12</span><sup>95</sup> €</div>", "12.95 €", id="raised cents"),
        pytest.param(
            "<meta itemprop=price content=12.95><b itemprop=price content='12.95'>12,95</b>",
            "12.95",
            id="content of a span",
        ),
        pytest.param("<p>Only 49 kr today</p>", "Only 49 kr today", id="a currency in plain text"),
        pytest.param("<b>2320</b><i> 元 </i>", "2320 元", id="its sign in the next element"),
        pytest.param("<p>from $<b>99</b></p>", "$ 99", id="its sign before the element"),
        pytest.param("<p><b>1984</b><i>Orwell</i></p>", "", id="a word beside it is no sign"),
        pytest.param("<p>Since 1984</p>", "", id="a year is no price"),
        pytest.param("<b class=price>on request</b>", "", id="no number"),
    ],
)
def test_the_selling_price_is_chosen(body: str, expected: str) -> None:
    assert price(body) == expected
