"""Follows days that rise down a page: after the 31st, or after December, comes the next month, or year.

A heading names the month or the year that its list begins in. Only days that rose before go on: in an
archive, whose days fall, an earlier day is in the same month or year.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from turbohtml import Element

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.calendar_names import month_numbers
from larder.stages.parse.agenda.date_order import month_beside
from larder.stages.parse.agenda.patterns import has_year, lone_month

MIN_RISING = 2
MIN_FALL = 14
LATE_MONTH, EARLY_MONTH = 11, 2
MAX_BESIDE = 40
MIN_ALIKE = 2

_MONTHS = month_numbers()
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_IN_NUMBERS = re.compile(r"(?<!\d)(\d\d?)[.-]\s?(\d\d?)\.?(?!\d)")
_NUMBERED = lazy_pattern(r"(?P<day>0?[1-9]|[12]\d|3[01])\.\s?(?:[-–—|:]\s*(?:[^\W\d_]|$)|$)")


@dataclass(slots=True)
class MonthHeading:
    """The month of the heading above, and how the days below it run."""

    name: str = ""
    last: int = 0
    rising: int = 0

    def begin(self, name: str) -> None:
        """Another heading, if it names a month."""
        if name:
            self.name, self.last, self.rising = name, 0, 0

    def year_of(self, day: str, year: str) -> str:
        """The year of a day below the heading; the month goes on where the days begin again."""
        number = next((int(word) for word in _WORDS.findall(day) if word.isdecimal()), 0)
        month = _MONTHS.get(self.name.casefold().strip("."))
        if month and self.rising >= MIN_RISING and number <= self.last - MIN_FALL:
            self.name, year = month_beside(month, year if year.isdecimal() else "", 1)
            self.rising = 0
        self.rising = self.rising + 1 if number >= self.last else self.rising
        self.last = number
        return year


def rolled_years(days: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The year of each day: that of the heading above, and the next one behind its December."""
    heading, before, rising, more = "", (0, 0), 0, 0
    for text, year in days:
        if not year.isdecimal() or has_year(text):
            yield year
            continue
        if year != heading:
            heading, before, rising, more = year, (0, 0), 0, 0
        at = _month_and_day(text)
        if at is not None:
            begins_again = before[0] >= LATE_MONTH and at[0] <= EARLY_MONTH and rising >= MIN_RISING
            more += begins_again
            rising = rising + 1 if at >= before else 0
            before = at
        yield str(int(year) + more)


def _month_and_day(text: str) -> tuple[int, int] | None:
    words = [word.casefold() for word in _WORDS.findall(text)]
    months = [_MONTHS[word] for word in words if word in _MONTHS]
    days = [int(word) for word in words if word.isdecimal() and len(word) <= 2]
    if months and days:
        return months[0], days[0]
    found = _IN_NUMBERS.search(text)
    return (int(found[2]), int(found[1])) if found else None


def numbered_day(text: str, parent: Element) -> str:
    """The day that a line below a month begins with (`5. - Choir`), if the lines beside it begin alike."""
    found = _NUMBERED.match(text)
    if found is None or not isinstance(parent.parent, Element):
        return ""
    beside = (each for each in islice(parent.parent.children, MAX_BESIDE) if isinstance(each, Element))
    lines = [each.text.strip() for each in beside if each.tag == parent.tag]
    days = [int(each["day"]) for line in lines if (each := _NUMBERED.match(line))]
    counted = days == list(range(1, len(days) + 1)) and len(days) > 1
    alike = len(days) >= MIN_ALIKE or _is_below_month(parent.parent)
    return found["day"] if alike and len(days) == len(lines) and days == sorted(days) and not counted else ""


def _is_below_month(around: Element) -> bool:
    """Whether an element is right below the heading of a month."""
    before = around.previous_sibling
    while before is not None and not isinstance(before, Element):
        before = before.previous_sibling
    return before is not None and lone_month(before.text.strip()) is not None
