"""Titles of events that are listed as days below a heading: a committee with its meetings.

Believed only where a page has several such lists: below a single heading the days may be anything's.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from turbohtml import Element, Text

from larder.sdk.page import Page, brief_text_of, text_of
from larder.stages.parse.agenda.mentions import MAX_NODES
from larder.stages.parse.agenda.patterns import begins_with_day, first_day, without_when
from larder.stages.parse.agenda.titles.choice import link_of
from larder.stages.parse.agenda.titles.texts import Candidate, as_title
from larder.stages.parse.heuristic.page_position import lineage

MIN_DAYS = 2
MAX_PIECES = 20
MAX_ROW_PIECES = 60
MAX_HEADING = 110
MIN_ROWS = 6
MIN_ROWS_A_LABEL = 3
MIN_HEADED_SHARE = 0.8

MAX_CARD_HEADINGS = 60
MAX_CARD_CLIMB = 6

_CARD_HEADINGS = "h1, h2, h3, h4, h5"
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6", "summary", "caption", "legend"})
_HEADING_ROLES = frozenset({"tab", "heading"})
"""What unfolds a part of a page heads it."""


def section_titles(page: Page, days: Iterable[Element]) -> dict[Element, Candidate]:
    """For each day the heading above it, where several headings have several days each."""
    wanted, body = set(days), page.first("body")
    if len(wanted) < MIN_DAYS * MIN_DAYS or body is None:
        return {}
    tags = _HEADINGS | {"h1"} if len(page.css("h1")) >= MIN_ROWS_A_LABEL else _HEADINGS
    lines = [
        node
        for node in islice(body.descendants, MAX_NODES)
        if isinstance(node, Element)
        and (node in wanted or (_is_heading(node, tags) and not begins_with_day(text_of(node))))
    ]
    labels = {_title(each) for each in lines if each not in wanted and text_of(each).strip().endswith(":")}
    found = (_headings_of_several(_above(lines, wanted, each)) for each in (labels, set[str]()))
    return next(filter(None, found), {})


def _above(lines: list[Element], wanted: set[Element], labels: set[str]) -> dict[Element, Element]:
    """The heading above each day that is no label; one that returns, above nearly all of them, is one."""
    titles = Counter(_title(node) for node in lines if node not in wanted)
    returning = {text for text, times in titles.items() if times > 1}
    while True:
        above: dict[Element, Element] = {}
        heading: Element | None = None
        for node in lines:
            if node not in wanted:
                heading = heading if _title(node) in labels else node
            elif heading is not None:
                above[node] = heading
        most = Counter(_title(each) for each in above.values()).most_common(1)
        if not most or most[0][0] not in returning or most[0][1] < MIN_HEADED_SHARE * len(above):
            return above
        labels = {*labels, most[0][0]}


def main_headings_above(rows: Iterable[Element], page: Page) -> dict[Element, str]:
    """The main heading right above each row, where a page has several: one a film, say."""
    wanted, body = set(rows), page.first("body")
    if body is None or len(page.css("h1")) < MIN_ROWS_A_LABEL:
        return {}
    found, above = "", dict[Element, str]()
    for node in islice(body.descendants, MAX_NODES):
        if isinstance(node, Element) and node.tag == "h1":
            found = _title(node) or found
        elif isinstance(node, Element) and node in wanted and found:
            above[node] = found
    return above


def titles_above(days: Sequence[Element]) -> dict[Element, Candidate]:
    """The headings right before days that stand alone, where most days of a page have one of their own."""
    before = {day: _element_before(day) for day in days}
    heads = {day: head for day, head in before.items() if head is not None and head.tag in _HEADINGS}
    titles = {day: text for day, head in heads.items() if (text := _title(head))}
    if len(set(titles.values())) < MIN_ROWS_A_LABEL or 2 * len(titles) < len(days):
        return {}
    return {day: Candidate(text=text, weight=0, href=link_of(heads[day])) for day, text in titles.items()}


def _element_before(node: Element) -> Element | None:
    """The element right before another one, with no text between them."""
    before = node.previous_sibling
    while isinstance(before, Text) and before.data.isspace():
        before = before.previous_sibling
    return before if isinstance(before, Element) else None


def _is_heading(element: Element, tags: frozenset[str]) -> bool:
    """An empty one heads nothing."""
    named = element.tag in tags or element.attr("role") in _HEADING_ROLES
    return named and next(iter(element.stripped_strings), None) is not None


def without_labels(titles: dict[Element, Candidate], page: Page) -> dict[Element, Candidate]:
    """The titles of rows, without labels (`OV`, `3D`) that most rows repeat below headings that name them."""
    times = Counter(best.key for best in titles.values())
    below = [row for row, best in titles.items() if times[best.key] > 1 or not _has_own_heading(row, best)]
    own = {titles[row].key for row in below if not _is_time_alone(row)}
    if (own and len(below) < MIN_ROWS) or len(own) * MIN_ROWS_A_LABEL > len(below):
        return titles
    above = section_titles(page, below)
    headed = {best.text for best in above.values()}
    few = len(above) < MIN_HEADED_SHARE * len(below) or len(headed) <= len(own)
    return titles if few else {row: best for row, best in titles.items() if row not in above}


def _has_own_heading(row: Element, title: Candidate) -> bool:
    return any(_title(each) == title.text for each in row.select("h2, h3, h4, h5, h6")[:MIN_ROWS])


def _is_time_alone(row: Element) -> bool:
    """Whether a row shows only a day or a time, whatever its link is called: `Peak - book Dune`."""
    text = brief_text_of(row, MAX_ROW_PIECES)
    return bool(text) and not without_when(text)


def titles_of_cards(titles: dict[Element, Candidate]) -> dict[Element, Candidate]:
    """For days and times alone, named by what no reader sees, the only heading of the card around them."""
    unnamed = [row for row, best in titles.items() if not best.text or best.text not in text_of(row)]
    unseen = [row for row in unnamed if _is_time_alone(row)]
    around = {row: _headed_card(row) for row in unseen}
    held = Counter(card for card in around.values() if card is not None)
    found: dict[Element, Candidate] = {}
    for row, card in around.items():
        heads = card.select(_CARD_HEADINGS)[:MAX_CARD_HEADINGS] if card is not None and held[card] > 1 else []
        highest = min((head.tag for head in heads if _title(head)), default="")
        named = {text: head for head in heads if head.tag == highest and (text := _title(head))}
        if len(named) == 1:
            text, head = named.popitem()
            found[row] = Candidate(text=text, weight=0, href=link_of(head))
    return found


def _headed_card(row: Element) -> Element | None:
    """The nearest element around a row, up to its list's entry, that contains a heading with a title."""
    for node in lineage(row, MAX_CARD_CLIMB):
        if not isinstance(node, Element) or node.tag in ("body", "main"):
            return None
        if any(map(_title, node.select(_CARD_HEADINGS)[:MAX_CARD_HEADINGS])):
            return node
    return None


def _headings_of_several(above: dict[Element, Element]) -> dict[Element, Candidate]:
    day_counts = Counter(above.values())
    titles = {each: text for each, days in day_counts.items() if days >= MIN_DAYS and (text := _title(each))}
    if len(set(titles.values())) < MIN_DAYS:
        return {}
    return {
        day: Candidate(text=titles[heading], weight=0, href=link_of(heading))
        for day, heading in above.items()
        if heading in titles
    }


def _title(heading: Element) -> str:
    text = brief_text_of(heading, MAX_PIECES).strip(" :")
    return as_title(text) if len(text) <= MAX_HEADING and not first_day(text) else ""
