"""Each rung of the ladder, by what only it can read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.sdk.lenient_json import parse_lenient_json

PRODUCT = {"@type": "Product", "name": "Kettle"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"@type": "Product", "name": "Kettle"}', id="plain"),
        pytest.param('\ufeff{"@type": "Product", "name": "Kettle"}', id="byte order mark"),
        pytest.param('<!-- {"@type": "Product", "name": "Kettle"} -->', id="in a comment"),
        pytest.param('//<![CDATA[\n{"@type": "Product", "name": "Kettle"}\n//]]>', id="in CDATA"),
        pytest.param('{"@type": "Product", "name": "Kettle"};', id="with a semicolon"),
        pytest.param('// ours\n{"@type": "Product", "name": "Kettle"}', id="after a comment"),
        pytest.param(
            "{&quot;@type&quot;: &quot;Product&quot;, &quot;name&quot;: &quot;Kettle&quot;}", id="escaped"
        ),
        pytest.param('{"@type": "Product", "name": "Kettle",}', id="comma too many"),
        pytest.param("{'@type': 'Product', 'name': 'Kettle'}", id="single quotes"),
        pytest.param('{"@type": "Product" "name": "Kettle"}', id="comma missing"),
        pytest.param('{"@type": "Product", name: "Kettle"}', id="bare key"),
        pytest.param('{"@type": "Product", "name": "Kettle"', id="not closed"),
    ],
)
def test_what_is_broken_is_repaired(text: str) -> None:
    assert parse_lenient_json(text) == PRODUCT


def test_line_breaks_inside_text_are_kept() -> None:
    assert parse_lenient_json('{"a": "one\ntwo"}') == {"a": "one\ntwo"}


@pytest.mark.parametrize("text", ["", "nothing here", "<p>", "[" * 100_000, '{"a":' * 100_000])
def test_what_holds_no_json_gives_none_or_a_value_but_never_raises(text: str) -> None:
    assert parse_lenient_json(text) in (None, [], {}) or isinstance(parse_lenient_json(text), dict | list)


@given(st.text(alphabet="{}[]\":,'a1 \\/n<!-", max_size=60))
def test_no_text_makes_it_raise(text: str) -> None:
    parse_lenient_json(text)
    assert parse_lenient_json('{"x": 1}') == {"x": 1}
