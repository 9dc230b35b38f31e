"""Declared selectors: the short and the long form, and what is said about mistakes."""

from typing import Any

import pytest

from larder.core.errors import BadInput
from larder.sdk import Page
from larder.sdk.selectors import read_selectors

ROW = """<li class=card data-id=7><h2><a href=/7 title="Long name">Short</a></h2>
<span class=old>€ 9</span><span class=new>€ 7</span><p class=facts>2 rooms, 54,5 m²</p>
<img src=a.jpg><img src=b.jpg></li>"""


def value(declared: Any) -> Any:
    part = read_selectors({"index": {"row": "li", "fields": {"x": declared}}}).index
    assert part is not None
    (row,) = part.rows(Page("", ROW).tree)
    return part.read(row).get("x")


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param("h2 a", "Short", id="text"),
        pytest.param("h2 a@href", "/7", id="attribute"),
        pytest.param("@data-id", "7", id="the row's own attribute"),
        pytest.param([".none", ".new", ".old"], "€ 7", id="first alternative that finds something"),
        pytest.param({"css": ".facts", "regex": r"([\d,]+) m²"}, "54,5", id="group of a regex"),
        pytest.param({"css": ".facts", "regex": r"\d rooms"}, "2 rooms", id="regex without a group"),
        pytest.param({"css": "img", "attr": "src", "many": True}, ["a.jpg", "b.jpg"], id="all of them"),
        pytest.param(".none", None, id="nothing there"),
        pytest.param({"css": ".facts", "regex": "sauna"}, None, id="regex without a match"),
    ],
)
def test_a_field_is_read_as_declared(declared: Any, expected: Any) -> None:
    assert value(declared) == expected


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        pytest.param([], "selectors: expected a mapping, got a list", id="no mapping"),
        pytest.param({"list": {}}, "selectors.list: there is no such key", id="unknown part"),
        pytest.param({"index": {"fields": {"title": "a"}}}, "selectors.index: `row` is missing", id="no row"),
        pytest.param({"detail": {"fields": {}}}, "selectors.detail: `fields` is missing", id="no fields"),
        pytest.param({"detail": {"fields": {"title": "a[["}}}, "selectors.detail.fields.title: invalid CSS",
                     id="bad CSS"),
        pytest.param({"detail": {"fields": {"p": {"css": "a", "regex": "("}}}}, "fields.p.regex",
                     id="bad regex"),
        pytest.param({"detail": {"fields": {"p": {"css": 3}}}}, "fields.p: expected text, got a number",
                     id="a number"),
        pytest.param({"detail": {"fields": {"p": {"xpath": "a"}}}}, "p.xpath: there is", id="unknown form"),
        pytest.param({"detail": {"fields": {"p": []}}}, "fields.p: no selector",
                     id="no alternative"),
        pytest.param({"index": {"row": "li", "rows": "x", "fields": {"t": "a"}}}, "index.rows: there is no",
                     id="misspelt"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(declared: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message.replace("[", r"\[").replace("(", r"\(")):
        read_selectors(declared)
