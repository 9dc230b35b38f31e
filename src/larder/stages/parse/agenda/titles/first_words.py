"""Reads the first words of a row: its title if nothing in it is marked as one.

Of several lines any but the first may be the title, too: what returns in many rows is a place.
"""

import re
from collections.abc import Iterator
from itertools import dropwhile, islice
from typing import NamedTuple

from turbohtml import Element, Node, Text

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.page import text_of
from larder.stages.parse.agenda.element_names import is_alone_in_line, is_subtitle_name, place_cells
from larder.stages.parse.agenda.patterns import TIME, TIME_TEXT, begins_with_day, days_in, without_when
from larder.stages.parse.agenda.relative_days import is_ordinal
from larder.stages.parse.agenda.titles.texts import AT_PLACE, MAX_TITLE, Candidate, as_title
from larder.stages.parse.agenda.words import (
    has_common_words_only,
    holds_documents,
    is_document,
    is_icon,
    is_label_of_link,
    price_in,
    without_document_words,
)
from larder.stages.parse.heuristic.page_position import name_of

_SENTENCE = re.compile(r"(?<=\w{3})\.\s")
_CUT = re.compile(r"\s[-–—|:]\s|\s?[\[(]|\.\s|\s[•·]\s")
_LABEL = re.compile(r"[^\W\d_][\w ]{1,20}:\s")
_COMMA = re.compile(r"\s*(?:uur|uhr|h)?\s*,", re.IGNORECASE)
_MARKS = frozenset({"em", "i", "u", "font", "big"})
MAX_NODES = 60
MAX_LINES = 8
_LETTER = re.compile(r"[^\W\d_]")


def first_words(row: Element, weight: float) -> Iterator[Candidate]:
    """The beginning of the text of a row without marked texts, without its time."""
    lines = _lines(row) if row.select_one("br") is not None else []
    if alone := _first_alone(row):
        behind_time = any(found.text == alone and found.behind_time for found in lines)
        yield Candidate(text=alone, weight=weight + (0.0 if behind_time else 0.1))
    for at, line in enumerate(lines):
        yield Candidate(text=line.text, weight=weight + (0.05 if line.marked else 0.0) - 0.02 * at)
    shown = _row_text(row)
    words = without_document_words(without_when(shown[: MAX_TITLE * 2]))
    text = as_title(_first_part(words))
    if text and text[0].isalpha() and not begins_with_day(text) and not AT_PLACE.match(text):
        yield Candidate(text=text, weight=weight)


def block_texts(row: Element) -> list[str]:
    """The texts of a row's blocks that can be titles."""
    return [line.text for line in _lines(row)]


def behind_dated_name(row: Element) -> list[str]:
    """What a line says behind its time and a colon, below the name of a day and the day in bold.

    `<b>1. Advent, 29 November</b><br>11:00: Carol Service`.
    """
    bold = row.select_one("strong, b")
    line = bold.next_sibling if bold is not None else None
    if bold is None or not isinstance(line, Element) or line.tag != "br":
        return []
    named, behind = text_of(bold), line.next_sibling
    days = days_in(named)
    if not days or days[-1].end() < len(named.rstrip()) or not isinstance(behind, Text):
        return []
    clock = _LABELLING_TIME.match(" ".join(behind.data.split()))
    text = as_title(clock["said"]) if clock else ""
    return [text] if text else []


_LABELLING_TIME = lazy_pattern(rf"{TIME_TEXT}(?:\s*(?:uhr|uur|hrs?|h))?\s*:\s+(?P<said>.+)", re.IGNORECASE)


class _Line(NamedTuple):
    text: str
    marked: bool
    """Whether it is marked differently from the row's other text."""
    behind_time: bool
    """Whether it follows a time and a comma: `20.00, Town Hall`."""


def _lines(row: Element) -> list[_Line]:
    """The lines of a row (blocks or between `<br>`) that can be its title: no date, price or label."""
    lines: list[list[Text]] = [[]]
    for node in islice(row.descendants, MAX_NODES):
        if isinstance(node, Text) and not node.data.isspace() and not is_label_of_link(node):
            if lines[-1] and node.parent is not lines[-1][-1].parent and _begins_line(node, row):
                lines.append([])
            lines[-1].append(node)
        elif isinstance(node, Element) and node.tag == "br":
            lines.append([])
    return [line for texts in lines[:MAX_LINES] if texts and (line := _as_line(texts)) is not None]


def _begins_line(text: Text, row: Element) -> bool:
    """Whether it is the first text of a block, or the first after one."""
    node: Node | None = text
    while node is not None and node is not row:
        before = node.previous_sibling
        if isinstance(node, Element) and node.tag in _BLOCKS:
            return True
        if isinstance(before, Text) and not before.data.isspace():
            return False
        if isinstance(before, Element):
            return before.tag in _BLOCKS
        node = node.parent
    return True


_BLOCKS = frozenset({"div", "p", "li", "td", "dd", "dt", "section", "header", "footer"})


def _as_line(texts: list[Text]) -> _Line | None:
    shown = " ".join(" ".join(text.data for text in texts).split())
    text = as_title(without_when(shown))
    if not text or _LABEL.match(shown) or price_in(shown) or AT_PLACE.match(text):
        return None
    holder = texts[0].parent
    marked = len(texts) == 1 and isinstance(holder, Element) and holder.tag in _MARKS
    clock = TIME.match(shown)
    behind_time = clock is not None and _COMMA.match(shown, clock.end()) is not None
    return _Line(text, marked, behind_time)


def _first_alone(row: Element) -> str:
    """The row's first words after its day, if they are all of their element."""
    nodes = (
        node for node in islice(row.descendants, 60) if isinstance(node, Text) and not is_label_of_link(node)
    )
    words = ((node, text) for node in nodes if (text := without_when(" ".join(node.data.split()))))
    first, text = next((each for each in words if _LETTER.search(each[1])), (None, ""))
    holder = first.parent if first is not None else None
    if first is None or not isinstance(holder, Element) or not is_alone_in_line(first, row):
        return ""
    if is_subtitle_name(name_of(holder)) or has_common_words_only(text):
        return ""
    return "" if holder.closest("td") in place_cells(row) or AT_PLACE.match(text) else as_title(text)


def _row_text(row: Element) -> str:
    """The row's texts, separated by spaces; for a table's row the first cell that is not only a date."""
    if row.tag == "tr":
        places = place_cells(row)
        shown = (cell for cell in row.select("td, th")[:8] if cell not in places)
        cells = (text_of(cell) for cell in shown if not holds_documents(cell))
        return next((text for text in cells if as_title(text) and text[-1] != ":"), "")
    nodes = (node for node in islice(row.descendants, 200) if isinstance(node, Text))
    shown_texts = (node.data for node in nodes if not _is_dead_or_document(node))
    texts = dropwhile(_is_day_or_space, shown_texts)
    return " ".join(" ".join(texts).split())[: MAX_TITLE * 3]


def _is_day_or_space(text: str) -> bool:
    return text.isspace() or is_ordinal(text)


def _is_dead_or_document(text: Text) -> bool:
    """Whether it is a link to a document, or is named `Video` or `Minutes`, even without a target."""
    link = text.parent
    if not isinstance(link, Element) or link.tag != "a":
        return is_icon(text)
    return is_document(link) or has_common_words_only(text.data)


def _first_part(text: str) -> str:
    """A long text up to its first bracket, full stop or dash."""
    if len(text) <= 30:
        return text
    cut = _CUT.search(text, 4) if len(text) > 80 else _SENTENCE.search(text, 12)
    return text[: cut.start()] if cut else text
