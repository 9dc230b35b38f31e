"""Finds the stage or room of each act: the heading above the timed entries of a day.

Believed only where a day has several such headings, each above entries that begin with a time.
"""

from collections.abc import Iterable, Mapping
from itertools import islice

from turbohtml import Element

from larder.sdk.page import brief_text_of
from larder.stages.parse.agenda.patterns import first_day
from larder.stages.parse.agenda.timetables.entries import begins_with_time
from larder.stages.parse.agenda.titles.texts import as_title

MIN_STAGES = 2
MAX_LEVELS = 2
MAX_SIBLINGS = 80
MAX_HEADING = 60
MAX_PIECES = 12

_HEADINGS = frozenset({"h3", "h4", "h5", "h6"})


def stages_of(below: Mapping[Element, Iterable[Element]]) -> dict[Element, str]:
    """By act, its stage, if each day's acts are below headings of stages."""
    found: dict[Element, str] = {}
    for entries in below.values():
        stages = {entry: stage for entry in entries if (stage := _heading_above(entry))}
        if len(set(stages.values())) >= MIN_STAGES and all(map(begins_with_time, stages)):
            found |= stages
    return found


def _heading_above(entry: Element) -> str:
    node = entry
    for _ in range(MAX_LEVELS):
        for before in islice(node.previous_siblings, MAX_SIBLINGS):
            if isinstance(before, Element) and before.tag in _HEADINGS:
                text = brief_text_of(before, MAX_PIECES)
                return as_title(text) if len(text) <= MAX_HEADING and not first_day(text) else ""
        if not isinstance(node.parent, Element):
            return ""
        node = node.parent
    return ""
