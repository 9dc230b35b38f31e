"""Reads machine-readable dates of an element: `datetime` and similar attributes."""

import re
from datetime import date, timedelta
from itertools import islice

from turbohtml import Element

from larder.stages.parse.agenda.element_names import is_published_name
from larder.stages.parse.agenda.patterns import day_key, days_in
from larder.stages.parse.agenda.rows.day_pieces import MAX_ASSEMBLED
from larder.stages.parse.agenda.start_times import time_in

MAX_PIECES = 20

_EXACT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[\d:.]*\s?(?:Z|[+-]\d{2}:?\d{2})?)?")
_NOON = re.compile(r"T12:00:00Z$")
_MIDNIGHT = re.compile(r"[T ]00:00(?::00(?:\.0+)?)?Z$")
"""Matches midnight in UTC: a shown day equal to the stamp's is right, not the evening before it."""
_FULL_DAY = re.compile(r"^(?=.*\d)(?=.*[^\W\d_]{3})(?!.*[-–—/])")
"""Matches a day with a month in letters, but no range of days."""
_EXACT_IN = ("datetime", "content", "title", "data-date", "data-start", "data-start-date", "data-datetime")


def machine_date(element: Element, names: str, *, called: bool) -> tuple[str, Element] | None:
    """The stamp of a time or date element, or of its first piece, with its element; None without one."""
    if (not called and element.tag not in ("time", "abbr")) or is_published_name(names):
        return None
    spanned = element.tag not in ("time", "abbr") and not is_brief(element)  # holds all events of a day
    if own := None if spanned else _stamp(element):
        return own, element
    small = element.tag != "time" and 0 < len(pieces_of(element)) <= MAX_ASSEMBLED
    inner = element.select_one("[title], [datetime]") if small else None
    stamp = _stamp(inner) if inner is not None else None
    return (stamp, inner) if stamp and inner is not None else None


def _stamp(element: Element) -> str | None:
    values = (value.strip() for name in _EXACT_IN if (value := element.attr(name)))
    return next((found[0] for value in values if (found := _EXACT.fullmatch(value))), None)


def readable_start(written: str) -> str:
    """The start if it contains a day in any notation; empty for values such as `30_04_252025 00:00`."""
    return written if not written or _MACHINE_DAY.match(written) or days_in(written) else ""


_MACHINE_DAY = re.compile(
    r"\s*(?:\d{4}-?\d\d-?\d\d|\d{10}(?:\d{3})?$|\D*\d{1,4}\W{1,3}\d{1,2}\W{1,3}\d{1,4})"
)


def trusted_stamp(exact: str, text: str, shown: str) -> str:
    """The stamp, reduced to its day if its time is a placeholder; empty if it is of another day."""
    if _NOON.search(exact) and not time_in(text):  # Drupal's stamp for a day without a time
        return exact[:10]
    if _MIDNIGHT.search(exact) and day_key(shown) == day_key(exact[5:10]) and not time_in(text):
        return exact[:10]
    return "" if shown and _is_of_another_day(exact, shown) else exact


def _is_of_another_day(exact: str, shown: str) -> bool:
    """Whether a stamp differs from the shown day by more than a time zone; the shown day is right."""
    own = day_key(shown)
    if not _FULL_DAY.search(shown) or len(own) < 2:
        return False
    try:
        stamped = date.fromisoformat(exact[:10])
        near = [stamped + timedelta(days=step) for step in (-1, 0, 1)]
    except (ValueError, OverflowError):  # a day that no calendar has
        return True
    return own not in [frozenset({each.day, each.month}) for each in near]


def is_brief(element: Element) -> bool:
    """Whether an element is small enough to be a date."""
    return next(islice(element.descendants, MAX_PIECES, None), None) is None


def pieces_of(element: Element) -> str:
    """An element's texts, separated by spaces; empty if it is too large to be a date."""
    return spaced_text(element, MAX_PIECES)


def spaced_text(element: Element, most: int) -> str:
    """An element's texts, separated by spaces; empty if it has more than `most` nodes."""
    if next(islice(element.descendants, most, None), None) is not None:
        return ""
    return " ".join(" ".join(element.strings).split())
