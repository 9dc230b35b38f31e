"""Titles right above their rows: `<h3>Quiz Night</h3><p>Saturday 21 November, 8pm</p>`.

Believed only where most rows have one of their own: above a list of rows is its heading.
"""

from collections.abc import Sequence
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import text_of
from larder.stages.parse.agenda.titles.texts import Candidate, as_title
from larder.stages.parse.heuristic.page_position import lineage

MIN_ROWS = 2
MIN_HEADED_SHARE = 0.6
MAX_HEADING = 110
MAX_LEVELS, MAX_SIBLINGS = 2, 12
WEIGHT = 1.9
"""Weight of a heading above a row: less than that of the row's own link or heading."""

_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6", "dt"})
_BOLD = frozenset({"strong", "b"})


def headings_above(rows: Sequence[Element]) -> dict[Element, Candidate]:
    """The heading right above each row, if most rows have one of their own."""
    if len(rows) < MIN_ROWS:
        return {}
    found = {row: heading for row in rows if (heading := _heading_above(row)) is not None}
    own = {each.key for each in found.values()}
    return found if len(found) >= MIN_ROWS and len(own) >= MIN_HEADED_SHARE * len(rows) else {}


def title_above(table: Element) -> tuple[str, str]:
    """The heading that stands before a table in what holds no other one, with its link."""
    for node in (table, *lineage(table, MAX_LEVELS)):
        if not isinstance(node, Element) or node.tag == "body" or len(node.select("table")[:2]) > 1:
            return "", ""
        for before in islice(node.previous_siblings, MAX_SIBLINGS):
            if not isinstance(before, Element) or len(before.select("table")[:1]) or before.tag == "table":
                continue
            heading = before if before.tag in _HEADINGS else before.select_one("h2, h3, h4, h5")
            if heading is not None:
                link = heading.select_one("a[href]")
                return as_title(text_of(heading)), (link.attr("href") or "") if link is not None else ""
    return "", ""


def _heading_above(row: Element) -> Candidate | None:
    before: Node | None = row.previous_sibling
    while isinstance(before, Text) and before.data.isspace():
        before = before.previous_sibling
    if not isinstance(before, Element) or not _is_heading(before):
        return None
    text = as_title(text_of(before))
    link = before.select_one("a[href]")
    href = (link.attr("href") or "") if link is not None else ""
    return Candidate(text=text, weight=WEIGHT, href=href) if 0 < len(text) <= MAX_HEADING else None


def _is_heading(element: Element) -> bool:
    """Whether it is a heading, or a paragraph that is completely bold."""
    if element.tag in _HEADINGS:
        return True
    bold = element.children[0] if element.tag == "p" and len(element.children) == 1 else None
    return isinstance(bold, Element) and bold.tag in _BOLD
