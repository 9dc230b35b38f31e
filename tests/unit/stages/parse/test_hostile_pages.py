"""Pages made to cost time: extraction takes time in proportion to their size, whatever their shape."""

import time

import pytest

from larder.extraction import extract

MANY = 80_000
DEEP = 20_000
SECONDS = 6.0
"""What is read in linear time takes a tenth of this; a quadratic scan takes minutes."""


@pytest.mark.parametrize("kind", ["product", "listing"])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<p>" + "5<br>" * MANY, id="one paragraph of many numbers"),
        pytest.param("<p class=price>" + "5<br>" * MANY, id="a price of many numbers"),
        pytest.param("<p>" + "5 €<br>" * MANY, id="one paragraph of many prices"),
        pytest.param("<p>" + "<b>Bedrooms</b><i>5</i>" * (MANY // 2), id="many labels and values"),
        pytest.param("<div>5 m²" * DEEP, id="areas inside areas"),
        pytest.param("<div class=price>5 €" * DEEP, id="prices inside prices"),
        pytest.param("<div class=address>Mill Lane 5, Leeds" * DEEP, id="addresses inside addresses"),
        pytest.param("<h1>5 bed flat in Leeds</h1>" * MANY, id="many headlines"),
        pytest.param("<p>City:</p>" * MANY, id="labels without values"),
        pytest.param("<p>" + "1 111 " * MANY, id="one text of many numbers"),
        pytest.param("<button disabled>Add to cart</button>" * MANY, id="many buttons"),
    ],
)
def test_a_page_is_read_in_linear_time(body: str, kind: str) -> None:
    page = f"<title>{'in A, ' * 1_000}</title><h1>Thing</h1><p class=price>5 €</p>{body}"
    start = time.process_time()
    found = extract(page, url="https://x.test/thing", kind=kind)
    assert time.process_time() - start < SECONDS
    assert not [note for note in found.notes if "Error" in note]
