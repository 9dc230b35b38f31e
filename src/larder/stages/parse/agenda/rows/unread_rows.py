"""Finds rows that are built as the dated rows beside them, and whose day could not be read: `5 XII 2026`.

Each is an item without a date. No record is made of it, but it is counted: a run does not pass over it in
silence. Rows with links are not among them, as their own pages are read.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from turbohtml import Element, Node

from larder.core.model.item import Item, Strategy
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.titles.choice import chosen_titles
from larder.stages.parse.extraction_task import MAX_BLOCK
from larder.stages.parse.heuristic.page_position import lineage

MIN_ROWS = 3
MAX_ROWS = 200
MAX_PIECES = 60
SCORE = 0.2

_DAY_LIKE = re.compile(r"(?<![\d.,:€$£])(?:0?[1-9]|[12]\d|3[01])(?:[.]?\s?[^\W\d_]{1,12}\b|[./-]\d)")
"""Matches what could be a day: a number and a word, or two numbers."""


def unread_rows(rows: Iterable[Element]) -> list[Item]:
    """The rows beside these that no day was found in, each as an item with its title and its text."""
    dated = list(dict.fromkeys(rows))
    inside: set[Node] = {node for row in dated for node in (row, *lineage(row))}
    held = Counter((row.parent, *_kind(row)) for row in dated)
    likely = {
        sibling
        for (parent, tag, names), times in held.items()
        if times >= MIN_ROWS and names and isinstance(parent, Element)
        for sibling in islice(parent.children, MAX_ROWS)
        if isinstance(sibling, Element) and _kind(sibling) == (tag, names) and _is_unread(sibling, inside)
    }
    titles = chosen_titles(likely)
    return [
        Item(
            fields={"title": title.text, "date_text": spaced_text(row, MAX_PIECES)},
            strategy=Strategy.HEURISTIC,
            score=SCORE,
            block=row.html[:MAX_BLOCK],
        )
        for row, title in titles.items()
    ]


def _kind(row: Element) -> tuple[str, str]:
    names = (row.attr("class") or "").split()[:1]
    cells = [f"{len(row.select('td'))} cells"] if row.tag == "tr" else []
    return row.tag, " ".join(names or cells)


def _is_unread(row: Element, inside: set[Node]) -> bool:
    if row in inside or row.tag == "a" or row.select_one("a[href]") is not None:
        return False
    text = spaced_text(row, MAX_PIECES)
    return bool(text) and _DAY_LIKE.search(text) is not None
