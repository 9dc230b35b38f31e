"""Titles that begin with a number which could be a time: `4.48 Psychosis`, and not `19.30 Choir`.

With a point, and nothing behind it that says so (`uur`, a dash), it is a time only where the row names no
other one and most such rows begin with a number, too.
"""

import re
from collections.abc import Mapping

from turbohtml import Element

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.page import text_of
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.titles.texts import Candidate

MAX_MARKED = 20
MIN_TIMED_TITLES = 2
"""Minimum different titles that begin with a time for any of them to be a time."""
_MARKED = "h1, h2, h3, h4, h5, h6, a[href], strong, b, [class*=title i], [class*=titel i]"
_NUMBERED = lazy_pattern(
    r"(?<![\d.,:])\d{1,2}\.[0-5]\d\s+(?!(?:uur|uhr|hrs?|h|u|[ap]\.?m)(?!\w))[^\W\d_]", re.IGNORECASE
)


def begins_with_number(title: str) -> bool:
    """Whether a title begins with a number that could be a time."""
    return title[:1].isdecimal() and _NUMBERED.match(title) is not None


def with_own_numbers(titles: Mapping[Element, Candidate]) -> dict[Element, Candidate]:
    """The titles of rows, with the numbers that are part of them."""
    numbered = {row: text for row, own in titles.items() if (text := _with_number(row, own.text))}
    if not numbered:
        return dict(titles)
    untimed = {row for row in titles if not time_in(text_of(row).replace(numbered.get(row, ""), " "))}
    possible = {row for row in numbered if row in untimed}
    different = len({titles[row].key for row in possible})
    times = possible if different >= MIN_TIMED_TITLES and 2 * len(possible) >= len(untimed) else set()
    return {
        row: own if row not in numbered or row in times else own._replace(text=numbered[row])
        for row, own in titles.items()
    }


def _with_number(row: Element, title: str) -> str:
    """The text of the element that is a number and the title; empty if there is none."""
    if _NUMBERED.search(row.text) is None:
        return ""
    texts = (text_of(each) for each in (row, *row.select(_MARKED)[:MAX_MARKED]))
    return next((text for text in texts if text.endswith(title) and _is_number(text[: -len(title)])), "")


def _is_number(before: str) -> bool:
    return _NUMBERED.fullmatch(f"{before}x") is not None
