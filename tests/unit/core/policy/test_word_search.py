"""Words grouped by their first letters match what they match one by one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.word_search import WordSearch, alternatives, grouped, required_texts

_WORDS = r"""
    sold[ -]?out|\bno stock\b|sold|(?:ausser|nicht) lieferbar
    nicht (?:mehr )?(?:verfügbar|auf lager)|épuisé|no longer|s?old
"""


def test_alternatives_are_cut_outside_of_brackets_only() -> None:
    assert list(alternatives(r"a(?:b|c)|[|]d|\|e")) == ["a(?:b|c)", "[|]d", r"\|e"]


def test_alternatives_that_begin_alike_are_tried_together() -> None:
    assert grouped(["sold", "sale", "let"]) == "s(?:old|ale)|let"


@pytest.mark.parametrize("text", ["SOLD-OUT", "Nicht mehr verfügbar", "no stock"])
def test_words_are_found_in_any_case(text: str) -> None:
    found = WordSearch(_WORDS).fullmatch(text)
    assert found is not None
    assert found[0] == text.lower()


def test_a_word_that_must_stand_alone_is_not_found_in_another() -> None:
    assert WordSearch(r"\bexpired\b").search("unexpired") is None
    assert WordSearch(r"\bexpired\b|exact").search("it expired.") is not None


_ONE_BY_ONE = re.compile("|".join(line.strip() for line in _WORDS.strip().splitlines()))
_PIECES = (
    "sold",
    "out",
    "no",
    "stock",
    "nicht",
    "mehr",
    "verfügbar",
    "épuisé",
    "old",
    "s",
    " ",
    "-",
    "lieferbar",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join))
def test_grouped_words_match_as_the_list_of_them_does(text: str) -> None:
    expected = _ONE_BY_ONE.search(text)
    found = WordSearch(_WORDS).search(text)
    assert (found and found.span()) == (expected and expected.span())


def test_l14_each_match_holds_a_stem() -> None:
    assert required_texts(r"relat(?!ive)|cross-?sell|(?:^|[\s_-])vendor|sto?ck") == {
        "relat",
        "cross",
        "vendor",
        "st",
    }
    with pytest.raises(ValueError, match="no plain text"):
        required_texts(r"(?:map|menu)")
