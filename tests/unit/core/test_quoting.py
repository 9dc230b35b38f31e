"""Values in messages are text that a person can read, not Python's notation."""

from typing import Any

import pytest

from larder.core.quoting import quoted


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("soon", "'soon'", id="text"),
        pytest.param("", "''", id="empty text"),
        pytest.param("it's", '"it\'s"', id="text with an apostrophe"),
        pytest.param('it\'s "new"', "'it's \"new\"'", id="text with both quotation marks"),
        pytest.param("C:\\shop", "'C:\\shop'", id="a backslash is not doubled"),
        pytest.param("café", "'café'", id="letters of any language"),
        pytest.param("one\ntwo\x1b[31m", "'one two [31m'", id="nothing that a terminal acts on"),
        pytest.param(b"0\n", "'0 '", id="bytes"),
        pytest.param(["a", 2], "'a', 2", id="a list"),
        pytest.param([], "nothing", id="an empty list"),
        pytest.param({"city": "Utrecht"}, "city: 'Utrecht'", id="a mapping"),
        pytest.param(None, "nothing", id="no value"),
        pytest.param(True, "yes", id="a yes or no"),
        pytest.param("x" * 300, f"'{'x' * 199}…'", id="a long text is cut"),
    ],
)
def test_a_value_is_quoted_for_a_person(value: Any, shown: str) -> None:
    assert quoted(value) == shown
