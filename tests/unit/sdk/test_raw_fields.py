"""Raw fields of an item: empty values are left out, JSON of another type counts as empty."""

from typing import Any

import pytest

from larder.sdk import Strategy, dict_or_empty, list_or_empty, raw_item, without_empty


def test_empty_values_are_left_out_and_zero_and_false_are_not() -> None:
    fields: dict[str, Any] = {"title": "", "price": None, "images": [], "place": {}, "rooms": ()}
    assert without_empty({**fields, "beds": 0, "sold": False}) == {"beds": 0, "sold": False}


def test_an_item_has_the_fields_that_have_a_value() -> None:
    item = raw_item({"title": "Kettle", "price": None}, strategy=Strategy.EMBEDDED, score=1.0)
    assert (item.fields, item.strategy, item.score) == ({"title": "Kettle"}, Strategy.EMBEDDED, 1.0)


@pytest.mark.parametrize("value", [None, "text", 3, True], ids=["null", "text", "number", "boolean"])
def test_a_value_of_another_type_is_an_empty_object_or_list(value: Any) -> None:
    assert (dict_or_empty(value), list_or_empty(value)) == ({}, [])
