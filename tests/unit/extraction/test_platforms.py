"""What shop systems write is read without a line about any of them."""

import pytest

from larder.extraction import extract
from tests.unit.extraction.platforms import SHOPS


@pytest.mark.parametrize("name", SHOPS)
def test_a_shop_is_read(name: str) -> None:
    shop = SHOPS[name]
    found = extract(shop.html, url="https://corner.example/products/copper-kettle", kind="product")
    assert len(found.items) == 1, found
    item = found.items[0]
    assert {field: item.get(field) for field in shop.expected} == shop.expected
