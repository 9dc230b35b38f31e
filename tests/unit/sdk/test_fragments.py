"""A part is what the whole page's tree would show, read without building that tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.sdk import Page, text_of


def shown(html: str, selector: str) -> tuple[list[str], list[str], bool]:
    """What the part says, what the tree says, and whether the part needed the tree."""
    page = Page("https://x.test/", html)
    part = [text_of(each) for each in page.parts.css(selector)]
    needed = "tree" in vars(page)
    return part, [text_of(each) for each in page.css(selector)], needed


@pytest.mark.parametrize(
    ("html", "selector", "needs_tree"),
    [
        pytest.param('<div><b id="x">1</b></div>', "#x", False, id="by id"),
        pytest.param("<b class=q id='x'>1</b>", "#x", False, id="other quotes"),
        pytest.param('<div id="x"><div>1</div><i class="y">2</i></div>3', "#x .y", False, id="below an id"),
        pytest.param('<div id="x"><div>1</div>2</div>3', "#x", False, id="nested in its like"),
        pytest.param('<div id="x"><script>"<div>"</script>1</div>2', "#x", False, id="a script in it"),
        pytest.param('<div id="x"><!-- <div> -->1</div>2', "#x", False, id="a comment in it"),
        pytest.param('<i id="x">1</i><p><i id="x">2</i>', "#x", False, id="an id used twice"),
        pytest.param("<script>'<b id=\"x\">'</script><b id=\"x\">2</b>", "#x", False, id="in a script"),
        pytest.param('<b id="xy">1</b>', "#x", False, id="none"),
        pytest.param('<ul><li id="x">1<li>2</ul>', "#x", True, id="a tag that need not be closed"),
        pytest.param('<div id="x">1', "#x", True, id="a tag that is never closed"),
        pytest.param('<b id="x">1</b><i>2</i>', "#x + i", True, id="a selector that looks around"),
        pytest.param("<h1>1</h1>", "h1", True, id="a selector without an id"),
    ],
)  # fmt: skip
def test_a_part_is_as_the_tree_has_it(html: str, selector: str, needs_tree: bool) -> None:
    part, whole, needed = shown(html, selector)
    assert part == whole
    assert needed is needs_tree


def test_attributes_of_a_tag_without_content() -> None:
    page = Page("", '<p><input type="hidden" id="x" value="a>b"><p>')
    found = page.parts.first("#nothing", "#x")
    assert found is not None
    assert found.attr("value") == "a>b"
    assert page.parts.first("#nothing") is None


NAMES = st.sampled_from(["div", "span", "b"])
NESTED = st.recursive(
    st.text("ab ", max_size=3),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", NAMES, st.lists(inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.lists(NESTED, max_size=3), st.lists(NESTED, max_size=3), NAMES)
def test_whatever_stands_in_it_and_around_it(inside: list[str], around: list[str], tag: str) -> None:
    html = f'{"".join(around)}<{tag} id="x">{"".join(inside)}</{tag}>{"".join(around)}'
    part, whole, _ = shown(html, "#x")
    assert part == whole
