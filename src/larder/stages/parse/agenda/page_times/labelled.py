"""Completes the event of a page by times with a label, and by the clock time that it shows."""

from collections.abc import Callable
from dataclasses import replace

from turbohtml import Element, Node

from larder.core.model.item import Item
from larder.sdk.page import Page
from larder.stages.parse.agenda.own_days import shown_beside
from larder.stages.parse.agenda.patterns import TIME
from larder.stages.parse.agenda.sessions import as_local_time, is_utc
from larder.stages.parse.agenda.start_times import (
    clock_key,
    closing_time_in,
    doors_time_in,
    is_range,
    labelled_clock,
    may_end_at,
    may_label_times,
    start_label_in,
    time_in,
)
from larder.stages.parse.heuristic.page_position import lineage

MAX_DEPTH = 60
MAX_LABELLED = 60
_MIDNIGHT = "T00:00"

_LABELS: tuple[Callable[[str], str], ...] = (start_label_in, doors_time_in, closing_time_in)


def with_labelled_times(items: list[Item], page: Page) -> list[Item]:
    """Adds a labelled start to the only event, if it has no time or only that of the doors, and an end."""
    shown = str(items[0].fields.get("date_text") or "") if len(items) == 1 else ""
    if not shown or items[0].fields.get("starts_at"):
        return items
    clock = time_in(shown)
    starts, doors, ends = page.cached(_labelled_times)
    if len(starts) == 1 and (not clock or clock_key(clock) in doors):
        start = next(iter(starts.values()))
        shown, clock = f"{shown.replace(clock, '').strip() if clock else shown} {start}", start
    if len(ends) == 1 and clock and TIME.fullmatch(clock) and "ends_at" not in items[0].fields:
        end = next(iter(ends.values()))
        shown = f"{shown} - {end}" if not is_range(clock) and may_end_at(clock, end) else shown
    return [replace(items[0], fields={**items[0].fields, "date_text": shown})]


def _labelled_times(page: Page) -> tuple[dict[str, str], frozenset[str], dict[str, str]]:
    """Labelled starts, openings of doors and ends, by their time as key; starts and ends as written."""
    if not may_label_times(page.text):
        return {}, frozenset(), {}
    beside = shown_beside(page)
    texts = [(node, " ".join(text.split())) for node, text in page.texts]
    brief = [text for node, text in texts if len(text) <= MAX_LABELLED and not _is_in(node, beside)]
    found: list[dict[str, str]] = [{}, {}, {}]
    for before, text, behind in zip(["", *brief], brief, [*brief[1:], ""], strict=False):
        for named, label_in in zip(found, _LABELS, strict=True):
            if clock := labelled_clock(before, text, behind, label_in):
                named.setdefault(clock_key(clock), clock)
    starts, doors, ends = found
    return starts, frozenset(doors), ends


def _is_in(node: Node, boxes: frozenset[Element]) -> bool:
    return bool(boxes) and any(each in boxes for each in lineage(node, MAX_DEPTH))


def with_shown_clock(items: list[Item], page: Page) -> list[Item]:
    """Removes the UTC stamp of times if the page shows the clock times of all of them, which are local.

    Of some only, they are those of other events: at 13:00 UTC one begins, and at one o'clock another.
    """
    stamped = [str(item.fields.get("starts_at", "")) for item in items]
    if not any(map(is_utc, stamped)):
        return items
    shown = {text for _, raw in page.texts if len(text := " ".join(raw.split())) <= MAX_LABELLED}
    clocks = {clock for text in shown if (clock := time_in(text))}
    local = [_shown_among(start, clocks) if is_utc(start) else start for start in stamped]
    if any(is_utc(start) and _MIDNIGHT not in start for start in local):  # a day without a time shows none
        return items
    pairs = zip(items, local, strict=True)
    return [
        replace(item, fields={**item.fields, "starts_at": start}) if start else item for item, start in pairs
    ]


def _shown_among(start: str, clocks: set[str]) -> str:
    return next((local for clock in clocks if (local := as_local_time(start, clock)) != start), start)
