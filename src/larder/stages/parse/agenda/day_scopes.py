"""Finds the part of a row that belongs to each of its days: a film's times on Friday and on Saturday."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from turbohtml import Element, Node

from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import day_key
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.heuristic.page_position import lineage

MAX_PARTS = 200


def with_scopes(pairs: Sequence[tuple[Mention, Element]]) -> list[tuple[Mention, Element]]:
    """Days with their rows; for a row with several days that have times of their own, each day's part."""
    by_row: dict[Element, list[Mention]] = {}
    for mention, row in pairs:
        by_row.setdefault(row, []).append(mention)
    scopes = {
        mention.element: scope
        for row, days in by_row.items()
        if len({day_key(day.text) for day in days}) > 1
        for mention, scope in _scopes(days, row)
    }
    return (
        [(replace(day, scope=scopes.get(day.element)), row) for day, row in pairs] if scopes else list(pairs)
    )


def _scopes(days: Sequence[Mention], row: Element) -> list[tuple[Mention, Element]]:
    """The outermost element around each day without another day; none unless each shows a time."""
    within: Counter[Node] = Counter(node for day in days for node in (day.element, *lineage(day.element)))
    found = []
    for day in days:
        scope = day.element
        for node in lineage(day.element):
            if node is row or not isinstance(node, Element) or within[node] > 1:
                break
            scope = node
        found.append((day, scope))
    timed = all(time_in(spaced_text(scope, MAX_PARTS)) for _, scope in found)
    return found if timed and len({scope for _, scope in found}) == len(found) else []
