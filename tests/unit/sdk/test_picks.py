"""The long forms of a declared selector: parts that are joined, values told by their label."""

from typing import Any

import pytest
import turbohtml

from larder.sdk.selectors import BadSelector, Pick, read_selectors

SHEET = """<dl><dt>Size:</dt><dd>80 m²</dd><dt>Rooms</dt><dd>3</dd></dl>
<table><tr><th>Rent a month</th><td>€ 1,250</td></tr></table>
<p><b class="whole">12</b><sup>95</sup></p><s class="sum">€ 9</s><i class="sum">€ 7</i>"""
TREE = turbohtml.parse(SHEET)


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ({"css": "dd", "label": "Rooms"}, "3"),
        ({"css": "dd", "label": "Size"}, "80 m²"),
        ({"css": "td", "label": "Rent a month"}, "€ 1,250"),
        ({"css": "dd", "label": "Baths"}, None),
        ({"css": ".whole, sup", "join": "."}, "12.95"),
        ({"css": ".nothing", "join": "."}, None),
        ({"css": "dd", "only": True}, None),
        ({"css": "sup", "only": True}, "95"),
        ({"css": "dd", "many": True}, ["80 m²", "3"]),
        ({"css": "dd", "regex": r"(\d+) m²"}, "80"),
    ],
)
def test_the_long_forms(declared: dict[str, Any], value: Any) -> None:
    part = read_selectors({"detail": {"fields": {"it": declared}}}).detail
    assert part is not None
    (pick,) = part.fields[0].picks
    assert pick.read(TREE) == value
    assert pick.declared() == declared


@pytest.mark.parametrize("declared", ["h2 a", "h2 a@href", "@data-id"])
def test_the_short_forms_are_written_as_they_are_read(declared: str) -> None:
    part = read_selectors({"detail": {"fields": {"it": declared}}}).detail
    assert part is not None
    assert part.fields[0].picks[0].declared() == declared


def test_what_is_passed_over_does_not_count() -> None:
    part = read_selectors({"detail": {"fields": {"price": ".sum", "title": ".sum"}}}).detail
    assert part is not None
    read = part.read(TREE, {"price": lambda element: element.tag == "s"})
    assert read == {"price": "€ 7", "title": "€ 9"}
    assert Pick(css="s.sum").read(TREE, lambda _: True) is None


def test_a_label_is_text() -> None:
    with pytest.raises(BadSelector, match="expected text, got a number"):
        read_selectors({"detail": {"fields": {"rooms": {"css": "dd", "label": 3}}}})
