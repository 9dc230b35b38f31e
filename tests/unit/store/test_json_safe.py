"""What both databases can hold: anything a page may say comes out as JSON that can be read again."""

from typing import Any, NamedTuple

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.store.json_safe import dumps, make_safe, safe_text

ANY_TEXT = st.text(st.characters(codec=None), max_size=20)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("given", "held"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param("naïve 🏠 漢", "naïve 🏠 漢", id="whole characters of any kind"),
        pytest.param("a\0b", "ab", id="nul"),
        pytest.param("a\ud83c", "a\ufffd", id="half a character"),
        pytest.param("\ud83c\udfe0", "🏠", id="two halves that belong together"),
        pytest.param("\ufeffbom", "\ufeffbom", id="a byte order mark is text here"),
    ],
)
def test_text(given: str, held: str) -> None:
    assert safe_text(given) == held


@given(ANYTHING)
def test_whatever_a_page_says_can_be_packed_and_read_again(value: Any) -> None:
    packed = dumps(value)
    assert b"\\u0000" not in packed or "\\u0000" in repr(value)
    assert orjson.loads(packed) == orjson.loads(dumps(make_safe(value)))


@given(st.dictionaries(st.text(max_size=5), st.integers(-(2**63), 2**63 - 1) | st.text("abc", max_size=5)))
def test_what_is_in_order_is_not_touched(value: dict[str, Any]) -> None:
    clean = {key.replace("\0", "").encode("utf-8", "ignore").decode(): each for key, each in value.items()}
    assert orjson.loads(dumps(clean)) == clean


def test_equal_values_have_equal_names_whatever_their_order() -> None:
    assert dumps({"a": 1, "b": [2]}) == dumps({"b": [2], "a": 1})


def test_numbers_beyond_64_bits_are_kept_as_text() -> None:
    assert orjson.loads(dumps({"n": 10**30, "m": 5})) == {"n": "1" + "0" * 30, "m": 5}


@pytest.mark.parametrize(
    ("number", "stored"),
    [
        pytest.param(2**53 + 1, 2**53 + 1, id="above 53 bits"),
        pytest.param(2**63 - 1, 2**63 - 1, id="the largest that both databases have"),
        pytest.param(-(2**63), -(2**63), id="the smallest"),
        pytest.param(2**63, str(2**63), id="one more, which SQLite would read as a float"),
        pytest.param(2**64 - 1, str(2**64 - 1), id="the largest that the encoder writes"),
    ],
)
def test_an_integer_is_stored_alike_whatever_stands_beside_it(number: int, stored: int | str) -> None:
    assert orjson.loads(dumps([number])) == [stored]
    assert orjson.loads(dumps([number, "\0"])) == [stored, ""]


class _Row(NamedTuple):
    """As statements are given rows."""

    id: int
    content: dict[str, Any]


@pytest.mark.parametrize("value", ["plain", "a\0b", "a\ud83c", 2**60, 2**70], ids=ascii)
def test_rows_with_names_are_packed_as_plain_ones(value: Any) -> None:
    rows = [_Row(1, {"value": value, "inner": (_Row(2, {}),)})]
    assert dumps(rows) == dumps([(1, {"value": value, "inner": [[2, {}]]})])


def test_rows_with_names_need_no_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larder.store.json_safe.make_safe", _refuse)
    assert dumps([_Row(1, {"a": "b"})]) == b'[[1,{"a":"b"}]]'


def _refuse(value: Any) -> Any:
    raise AssertionError(f"copied to be made safe: {value}")
