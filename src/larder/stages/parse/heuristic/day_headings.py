"""Agendas that group their events below days: the day is a heading, and what follows it happens then."""

from collections import Counter
from collections.abc import Iterable

from turbohtml import Element

from larder.stages.parse.heuristic.dates import Mention

MAX_BELOW = 60
FEWEST = 2
"""One day above some text is no agenda."""

_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6", "dt", "caption"})
_LISTS = frozenset({"ul", "ol", "dl", "table", "tbody"})
_ENTRIES = "li, dd, tr"


def below_days(mentions: Iterable[Mention], rows: dict[Element, Element]) -> dict[Element, list[Element]]:
    """For every mention that is a heading by itself: the elements that follow it up to the next one."""
    alone = [
        each.element
        for each in mentions
        if each.element.tag in _HEADINGS and rows[each.element] is each.element
    ]
    common = Counter((element.tag, element.parent) for element in alone)
    days = {element for element in alone if common[element.tag, element.parent] >= FEWEST}
    return {day: _following(day, days) for day in days}


def _following(day: Element, days: set[Element]) -> list[Element]:
    found: list[Element] = []
    for node in day.next_siblings:
        if not isinstance(node, Element):
            continue
        if node in days or node.tag == day.tag or len(found) >= MAX_BELOW:
            break
        found.extend(node.select(_ENTRIES)[:MAX_BELOW] if node.tag in _LISTS else [node])
    return found
