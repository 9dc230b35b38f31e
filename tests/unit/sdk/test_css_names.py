"""Elements by their authors' names: the same as selectors would find, in the same order."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.sdk import Page
from larder.sdk.css_names import MAX_KNOWN, MAX_KNOWN_LENGTH, NameSearch

NAMES = st.sampled_from(["price", "Price-now", "old", "stock", "", "a price b", "PRICED"])
ELEMENTS = st.lists(st.tuples(st.sampled_from(["b", "i", "h2"]), NAMES, NAMES), max_size=12)


@given(ELEMENTS)
def test_called_finds_what_selectors_find(elements: list[tuple[str, str, str]]) -> None:
    html = "".join(f'<{tag} class="{a}" id="{b}">x</{tag}>' for tag, a, b in elements)
    page = Page("", html)
    found = page.called(lambda name: "price" in name.lower(), also="h2")
    assert found == page.css("[class*=price i], [id*=price i], h2")


@pytest.mark.parametrize("others", [0, 20], ids=["few names", "more names than stems"])
@given(elements=ELEMENTS)
def test_l14_a_search_by_stems_finds_what_the_pattern_matches(
    others: int, elements: list[tuple[str, str, str]]
) -> None:
    html = "".join(f'<{tag} class="{a}" id="{b}\nx">x</{tag}>' for tag, a, b in elements)
    html += "".join(f'<p class="c{number}" id="i{number}">x</p>' for number in range(others))
    pattern = re.compile(r"price(?!d)|(?:^|[\s_-])now|sto?ck|ol?d")
    page = Page("", html)
    matched = page.called_groups(lambda name: pattern.search(name.lower()) is not None)
    assert page.called_groups(NameSearch(pattern)) == matched


def test_below_an_id_only_its_own_descendants_count() -> None:
    page = Page(
        "", "<div class=a><p id=x><b class=b>1</b></p><i class=b>2</i></div><u id=x><b class=b>3</b></u>"
    )
    assert [each.text for each in page.css("#x .b")] == ["1", "3"]
    assert page.css("#x .a .b") == []
    first = page.first("#x .b")
    assert first is not None
    assert first.text == "1"
    assert page.first("#none .b") is None
    assert page.first("#x") == page.css("#x")[0]


def test_l14_what_was_judged_on_earlier_pages_counts_on_later_ones() -> None:
    """Also where so many names came between that all were forgotten, and for names too long to be kept."""
    search = NameSearch(re.compile(r"price"))
    long_name = "x" * MAX_KNOWN_LENGTH + "price"
    pages = [frozenset({"price-now", "old", long_name}), frozenset({"old", f"{long_name} b", "price-2"})]
    crowd = frozenset(f"c{number} {'price' * (number % 2)}" for number in range(MAX_KNOWN - 2))
    for names in (*pages, *pages, crowd, *pages, crowd | {"price-now", "a", "b", "c"}, *pages):
        assert search.among(names) == {name for name in names if "price" in name}
        assert len(search.known) <= MAX_KNOWN
        assert all(len(name) <= MAX_KNOWN_LENGTH for name in search.known)
