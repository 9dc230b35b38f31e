"""Which blocks are rows, and what does each say?"""

import pytest

from larder.sdk import Page
from larder.stages.parse.amounts import rough
from larder.stages.parse.index_rows.visible import visible_rows
from tests.unit.stages.parse.index_rows.shapes import SHAPES, THINGS

SITE = "https://corner.test"


@pytest.mark.parametrize("name", SHAPES)
def test_rows_are_told_by_shape_and_link_not_by_having_a_price(name: str) -> None:
    shape = SHAPES[name]
    found = visible_rows(Page(f"{SITE}/offers", shape.html))
    assert [item.fields["url"].removeprefix(SITE) for item in found] == [shape.path(n) for n in range(6)]
    titles = [str(item.fields["title"]).removeprefix("[For sale] ") for item in found]
    assert titles == [title for title, _, _ in THINGS]
    prices = [rough(item.fields["price"]) if "price" in item.fields else None for item in found]
    assert prices == [rough(f"€ {THINGS[n][1]}") if n in shape.priced else None for n in range(6)]
