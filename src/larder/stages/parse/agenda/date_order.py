"""Decides whether `03/12/2026` is in December or March, by the page's other dates, language and region.

A number above twelve can only be a day: one date that has it decides for all the dates of its page. Where
neither such a date nor the region tells, whatever the page says twice does: the same day in numbers and as
`2026-12-03` in a link or a stamp, or with its weekday. And of which month are the first and last cells of a
month's grid? The order of their numbers decides.
"""

import re
from calendar import month_name
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache, lru_cache

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.calendar_names import any_of, month_numbers, weekday_numbers
from larder.sdk.page import Page
from larder.stages.parse.agenda.patterns import MONTH, ONE_DAY, WEEKDAY, days_in, has_year

_DAY_FIRST_REGIONS = frozenset({"gb", "uk", "ie", "au", "nz", "in", "za", "sg", "hk", "mt", "ke", "ng", "eu"})
_NUMBERS = re.compile(
    r"(?<![\d/-])(?P<a>\d\d?)"
    r"(?:/(?P<b>\d\d?)(?:/(?P<year>(?:20)?\d\d)|\s(?P<apart>20\d\d))?|-(?P<dashed>\d\d?)-(?P<full>20\d\d))"
    r"(?![\d/-])"
)
"""Matches `3/12/2026`, `3/12 2026`, `3/12`, `3-12-2026`."""
_DAY_BEHIND = re.compile(r"(?<!\d)(0?[1-9]|1[0-2])[.-](1[3-9]|2\d|3[01])[.-](20\d\d)(?!\d)")
"""Matches `11.26.2026`, whose second number can only be a day."""
_MACHINE = re.compile(r"(?<!\d)20\d\d(?:-(?=\d\d-)|/(?=\d\d/)|(?=\d{4}(?!\d)))(\d\d)[-/]?(\d\d)(?!\d)")
"""Matches `2026-12-03`, `2026/12/03`, `20261203`, anywhere in the markup."""
LAST_MONTH = 12
SHORTEST_MONTH = 28
DAY_DIGITS = 2
SEASON_BEGINS = 8
"""First month of a season; earlier months are in its second year."""
_BARE_YEAR = re.compile(r"(?<!\d)(20\d{2})(?!\d)")
_SEASON = re.compile(r"(?<!\d)(20\d{2})\s?[/–-]\s?((?:20)?\d{2})(?![\d/–-])")
_WEEKDAYS, _MONTHS = weekday_numbers(), month_numbers()
_WORDS = re.compile(r"[^\W\d_]+|\d+")


def with_day_first(texts: Iterable[str], page: Page) -> dict[str, str]:
    """The texts with ambiguous dates, each with its dates as `3.12.2026` in the page's order."""
    texts = list(texts)
    plain = {text: _DAY_BEHIND.sub(r"\2.\1.\3", text) for text in texts if _DAY_BEHIND.search(text)}
    written = {text: found for text in texts if (found := list(_NUMBERS.finditer(text)))}
    if not written:
        return plain
    pairs = [
        (int(each["a"]), int(each["b"] or each["dashed"])) for found in written.values() for each in found
    ]
    day_first = _is_day_first(pairs, page)
    if day_first is None:
        return plain
    order = _with_day_first if day_first else _month_first
    return plain | {text: _NUMBERS.sub(order, text) for text in written}


def _with_day_first(found: re.Match[str]) -> str:
    return f"{found['a']}.{found['b'] or found['dashed']}.{_year(found)}"


def _month_first(found: re.Match[str]) -> str:
    return f"{found['b'] or found['dashed']}.{found['a']}.{_year(found)}"


def _year(found: re.Match[str]) -> str:
    return found["year"] or found["apart"] or found["full"] or ""


def _is_day_first(pairs: list[tuple[int, int]], page: Page) -> bool | None:
    """Whether the day is first; None if neither the dates nor the region show it."""
    days_before = any(first > LAST_MONTH for first, _ in pairs)
    days_behind = any(second > LAST_MONTH for _, second in pairs)
    if days_before != days_behind:
        return days_before
    root = page.first("html")
    language, _, region = ((root.attr("lang") if root is not None else "") or "").lower().partition("-")
    if language and language != "en":
        return True
    return True if region in _DAY_FIRST_REGIONS else _is_told_twice(page, pairs)


def _is_told_twice(page: Page, pairs: list[tuple[int, int]]) -> bool | None:
    """The order by the rest of the page: other dates, machine-readable days, weekdays."""
    dated = filter(_year, _NUMBERS.finditer(page.visible))  # without a year, `24/7` is not a date
    seen = [(int(each["a"]), int(each["b"] or each["dashed"])) for each in dated]
    machine = {(int(each[1]), int(each[2])) for each in _MACHINE.finditer(page.text)}
    days = set(pairs)
    signs = (
        (any(a > LAST_MONTH >= b for a, b in seen), any(b > LAST_MONTH >= a for a, b in seen)),
        (
            sum((b, a) in machine for a, b in days if a != b),
            sum((a, b) in machine for a, b in days if a != b),
        ),
        _fitting_weekdays(page.visible),
    )
    return next((before > behind for before, behind in signs if before != behind), None)


def _fitting_weekdays(text: str) -> tuple[int, int]:
    """The number of dates that match the weekday beside them, read day first and month first."""
    before = behind = 0
    for found in filter(_year, _weekday_dates().finditer(text)):
        year = int(_year(found) or 0)
        a, b = int(found["a"]), int(found["b"] or found["dashed"])
        named = weekday_numbers("en")[found["weekday"].lower()]
        before += _falls_on(named, year, month=b, day=a)
        behind += _falls_on(named, year, month=a, day=b)
    return before, behind


def _falls_on(weekday: int, year: int, *, month: int, day: int) -> bool:
    try:
        return date(year % 100 + 2000, month, day).weekday() == weekday
    except ValueError:
        return False


@cache
def _weekday_dates() -> re.Pattern[str]:
    weekday = any_of(weekday_numbers("en"))
    return re.compile(rf"\b(?P<weekday>{weekday})\b[.,]?\s+{_NUMBERS.pattern}", re.IGNORECASE)


def months_in_grid(days: Sequence[int]) -> list[int]:
    """For each cell of a month's grid: -1, 0 or 1 for the month before, the month itself, or the next.

    Only a grid that shows the whole month tells: its cells begin anew with 1.
    """
    ones = [at for at, day in enumerate(days) if day == 1 and (at == 0 or days[at - 1] >= SHORTEST_MONTH)]
    if not ones:
        return [0] * len(days)
    first = ones[0]
    behind = ones[1] if len(ones) > 1 else len(days)
    before, after = days[:first], days[behind:]
    whole = set(days[first:behind]) >= set(range(1, SHORTEST_MONTH + 1))
    beside = all(day > SHORTEST_MONTH - 7 for day in before) and all(day <= 14 for day in after)
    if not whole or not beside or len(ones) > 2:
        return [0] * len(days)
    return [-1] * len(before) + [0] * (behind - first) + [1] * len(after)


def month_beside(month: int, year: str, step: int) -> tuple[str, str]:
    """The month before or after another, by its English name, with its year if known."""
    years, at = divmod(month - 1 + step, LAST_MONTH)
    return month_name[at + 1], str(int(year) + years) if year else ""


_DAY_AND_MONTH = lazy_pattern(r"(?<!\d)\d\d?[.-]\s?\d\d?\.?(?!\d)")
"""Matches a day in numbers whose order no language changes: `4-1`, `4.1.`."""


@lru_cache(maxsize=4_096)
def is_years_weekday(text: str, year: str) -> bool:
    """Whether a day can be in a year: false if its weekday only fits the year before or after it."""
    words = [word.casefold() for word in _WORDS.findall(text)]
    named = [_WEEKDAYS[word] for word in words if word in _WEEKDAYS and word not in _MONTHS]
    month = [_MONTHS[word] for word in words if word in _MONTHS]
    days = [int(word) for word in words if word.isdecimal() and len(word) <= DAY_DIGITS]
    if not month and len(days) == DAY_DIGITS and _DAY_AND_MONTH.search(text):
        month, days = days[1:], days[:1]
    if len(named) != 1 or len(month) != 1 or len(days) != 1 or not year.isdecimal():
        return True
    fits = [_falls_on(named[0], int(year) + more, month=month[0], day=days[0]) for more in (0, 1, -1)]
    return fits[0] or not any(fits)


def with_heading_year(text: str, year: str) -> str:
    """The day with its own year, else with a heading's year that its weekday does not contradict."""
    known = has_year(text) or not year or not is_years_weekday(text, year)
    return text if known else with_year(text, year)


def with_year(text: str, year: str) -> str:
    """The day with its year; for a range over several months, the year of its beginning."""
    if numbers := _IN_NUMBERS.search(text):
        return f"{text}{year}" if text.endswith(".") else f"{text}{numbers['by']}{year}"
    months = list(_ANY_MONTH.finditer(text))
    if len(months) < 2:
        return f"{text} {year}"
    first = _FIRST_DAY.match(text)
    at = first.end() if first else months[0].end()
    return f"{text[:at].rstrip()} {year} {text[at:].lstrip()}"


_IN_NUMBERS = lazy_pattern(r"(?<!\d)\d\d?(?P<by>[./-])\d\d?\.?$")
_ANY_MONTH = lazy_pattern(rf"(?<![^\W\d_]){MONTH}", re.IGNORECASE)
_FIRST_DAY = lazy_pattern(ONE_DAY, re.IGNORECASE)


def day_below_month(text: str) -> str:
    """The weekday and day at the beginning of a text below a month's heading: `Samedi 21 à 14h`."""
    found = _BELOW_MONTH.match(text)
    return f"{found['name']} {found['day']}" if found is not None and not days_in(text) else ""


_BELOW_MONTH = lazy_pattern(
    rf"\W*(?P<name>{WEEKDAY})[\s-]*(?P<day>0?[1-9]|[12]\d|3[01])(?:er|\.)?"
    r"(?=\s*(?:$|[,|–—-]\s*(?:[^\W\d_]|$)|\(|(?:à|um|at|om|ore|alle|a las)\s))",
    re.IGNORECASE,
)


def heading_year(text: str) -> str:
    """The only year in a heading, or its season: `2026/27`."""
    if season := _SEASON.search(text):
        first, second = season[1], season[1][:2] + season[2][-2:]
        return f"{first}/{second}" if int(second) == int(first) + 1 else ""
    years = set(_BARE_YEAR.findall(text))
    return years.pop() if len(years) == 1 else ""


def year_of_day(year: str, text: str) -> str:
    """The year of a heading; for a season the first one until December, then the second, by the month."""
    first, _, second = year.partition("/")
    if not second:
        return year
    month = next((_MONTHS[word] for word in _WORDS.findall(text.lower()) if word in _MONTHS), 0)
    return "" if not month else first if month >= SEASON_BEGINS else second
