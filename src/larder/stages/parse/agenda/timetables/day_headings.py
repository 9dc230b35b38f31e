"""Reads agendas grouped by day: finds days that head their events, or that number a calendar's cells."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice, pairwise

from turbohtml import Element, Node

from larder.sdk.page import text_of
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.mentions import Mention, stands_alone
from larder.stages.parse.agenda.patterns import begins_with_day, days_in
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.timetables.entries import (
    ENTRIES,
    HEADINGS,
    LISTS,
    MAX_BELOW,
    begins_with_time,
    can_be_entry,
    cell_entries,
    content_children,
    entry_kind,
    is_heading,
    is_stage_heading,
    spanned_rows,
)

MAX_HEADING = 160
MIN_CALENDAR_DAYS = 5
MIN_FOLLOWING_SHARE = 0.8

_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")


def is_day_heading(mention: Mention) -> bool:
    """Whether the day is alone in its element."""
    return not mention.in_prose and stands_alone(mention) and len(text_of(mention.element)) <= MAX_HEADING


def is_empty_calendar(days: Iterable[Mention]) -> bool:
    """Whether these are consecutive days without times or links: a calendar without events."""
    found = list(islice(days, MAX_BELOW))
    if len(found) < MIN_CALENDAR_DAYS or any(
        not is_day_heading(day) or _has_time_or_link(day) for day in found
    ):
        return False
    numbers = [set(map(int, _NUMBER.findall(day.text))) for day in found]
    follow = sum(1 in late or any(n + 1 in late for n in early) for early, late in pairwise(numbers))
    return follow >= MIN_FOLLOWING_SHARE * (len(found) - 1)


def _has_time_or_link(day: Mention) -> bool:
    around = day.element.parent if isinstance(day.element.parent, Element) else day.element
    return bool(time_in(spaced_text(day.element, 40))) or (
        day.element.select_one("a[href]") is not None
        or around.tag == "a"
        or (around.tag in ("li", "tr", "p") and around.select_one("a[href], button") is not None)
    )


def heads_a_list(mention: Mention, row: Element) -> bool:
    """A day whose row is made of several events: a cell, a `dt`, or like entries behind it with headings."""
    if mention.in_cell:
        return len(cell_entries(row)) > 1
    if mention.scope is not None:
        return False
    if mention.element.tag in ("dt", "caption") or spanned_rows(mention):
        return True
    if heads_timetable(mention):
        return True
    if row is mention.element or not is_day_heading(mention):
        return False
    anchor: Node = mention.element
    while anchor.parent is not None and anchor.parent is not row:
        anchor = anchor.parent
    behind = [node for node in islice(anchor.next_siblings, MAX_BELOW) if isinstance(node, Element)]
    behind = content_children(behind[0])[:MAX_BELOW] if len(behind) == 1 else behind
    kinds = Counter(entry_kind(node) for node in behind if _has_heading(node))
    return (
        (bool(kinds) and kinds.most_common(1)[0][1] >= 2)
        or _are_timed(behind)
        or any(map(_lists_times, behind))
        or _are_stages(behind)
    )


def heads_timetable(mention: Mention) -> bool:
    """Whether it is a heading with a day right above a list of only timed entries."""
    heading = mention.element
    if heading.tag == "dt":
        return not mention.in_prose and begins_with_day(text_of(heading))
    if heading.tag not in HEADINGS or mention.in_prose or not days_in(text_of(heading)[:MAX_HEADING]):
        return False
    return is_stage_heading(heading)


def _are_stages(nodes: list[Element]) -> bool:
    """Whether several of them are headings right above lists of timed entries: the stages of a day."""
    return sum(map(is_stage_heading, nodes)) > 1


def _lists_times(node: Element) -> bool:
    lists = [node] if node.tag in LISTS else node.select("ul, ol, dl")[:2]
    return _are_timed(entry for each in lists for entry in each.select(ENTRIES)[:MAX_BELOW])


def _are_timed(entries: Iterable[Element]) -> bool:
    """Whether several entries have a link and begin with a time."""
    timed = (
        entry for entry in entries if begins_with_time(entry) and entry.select_one("a[href]") is not None
    )
    return len(list(islice(timed, 2))) > 1


def _has_heading(node: Element) -> bool:
    if is_heading(node) or node.select_one("h2, h3, h4, h5, h6, [class*=title i]") is None:
        return False
    return can_be_entry(node)
