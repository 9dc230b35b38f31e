"""Puts a day together whose parts are separate elements, or that a badge shows twice: `11 / Thu / Jun`."""

import re

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.calendar_names import month_numbers, weekday_numbers
from larder.stages.parse.agenda.patterns import WEEKDAY, first_day, short_date

MAX_ASSEMBLED = 48

_MONTHS = month_numbers()
_WEEKDAYS = weekday_numbers()
_WORDS = lazy_pattern(r"[^\W\d_]+|\d+")


def said_once(text: str) -> str:
    """Removes a number shown before a day that repeats it: `21 November 21, 2026`."""
    return _SAID_BEFORE.sub(r"\2", text) if text[:1].isdecimal() else text


_SAID_BEFORE = lazy_pattern(r"^\W*(\d\d?)\.?\s+([^\W\d]+\s+\1(?:st|nd|rd|th)?,?\s+20\d\d)")
_SAID_TWICE = lazy_pattern(r"((?<!\d)(\d\d?)\.?\s+[^\W\d]+)\s+\2$")
"""Matches `10 December 10`: a date tag and the date beside it, not the year 2010."""


def assembled_date(text: str) -> str:
    """The day in a short text with its parts in order: `11 Thursday Jun` is `Thursday 11 Jun`."""
    if len(text) > MAX_ASSEMBLED:
        return ""
    text = said_once(text)
    if found := first_day(text):
        return _SAID_TWICE.sub(r"\1", found[0].strip())
    words = _WORDS.findall(_COUNT.sub(" ", text))
    months = [word for word in words if word.casefold() in _MONTHS]
    days = [word for word in words if word.isdecimal() and len(word) <= 2 and 1 <= int(word) <= 31]
    if len(months) != 1 or len(days) != 1:
        return assembled_numbers(text) or (
            short_date(text, called=False) if _WEEKDAY_AND_SHORT.fullmatch(text) else ""
        )
    names = [word for word in words if word.casefold() in _WEEKDAYS and word != months[0]]
    years = [word for word in words if re.fullmatch(r"20\d\d", word)]
    return " ".join([*names[:1], days[0], months[0], *years[:1]])


_WEEKDAY_AND_SHORT = lazy_pattern(rf"\W*{WEEKDAY}\W*\d\d?(?:\.\s?\d\d?\.|/\d\d?)\W*", re.IGNORECASE)
"""Matches `Mo / 16.11.`, each part in its own element."""
_COUNT = lazy_pattern(r"\(\s*\d+\s*\)")
"""Matches `July (9)`: the number of events in that month."""


def cell_day(text: str) -> tuple[str, str] | None:
    """A day with its month, and its year, from a calendar cell's name: `21 November`."""
    words = _WORDS.findall(text)
    months = [word for word in words if word.casefold() in _MONTHS]
    days = [word for word in words if word.isdecimal() and len(word) <= 2]
    years = [word for word in words if word.isdecimal() and len(word) == 4]
    return (f"{int(days[0])} {months[0]}", (years or [""])[0]) if len(months) == len(days) == 1 else None


_BY_NUMBERS = lazy_pattern(
    rf"\W*(?P<name>{WEEKDAY})\W*(?P<day>0?[1-9]|[12]\d|3[01])[.,]?\s+(?P<month>0?[1-9]"
    rf"|1[0-2])\W*(?P<year>20\d\d)?\W*",
    re.IGNORECASE,
)


def assembled_numbers(text: str) -> str:
    """The day of a weekday and two numbers in separate elements: `Fr / 20 / 11`."""
    found = _BY_NUMBERS.fullmatch(text) if len(text) <= MAX_ASSEMBLED else None
    if found is None:
        return ""
    return (
        f"{found['name']} {found['day']} {_MONTH_NAMES[int(found['month'])]} {found['year'] or ''}".rstrip()
    )


_MONTH_NAMES = {
    number: name for name, number in sorted(month_numbers("en").items(), key=lambda each: len(each[0]))
}
"""The longest name of each month, so that no following text can be read as part of it."""
