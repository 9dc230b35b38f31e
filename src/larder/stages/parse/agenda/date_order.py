"""Is `03/12/2026` the third of December or March 12th? The page's other dates, language and region decide.

A number above twelve can only be a day: one date that has it decides for all the dates of its page. And of
which month are the first and last cells of a month's grid? The order of their numbers decides.
"""

import re
from calendar import month_name
from collections.abc import Iterable, Sequence

from larder.sdk.page import Page

_DAY_FIRST_REGIONS = frozenset({"gb", "uk", "ie", "au", "nz", "in", "za", "sg", "hk", "mt", "ke", "ng", "eu"})
_NUMBERS = re.compile(
    r"(?<![\d/-])(?P<a>\d\d?)"
    r"(?:/(?P<b>\d\d?)(?:/(?P<year>(?:20)?\d\d)|\s(?P<apart>20\d\d))?|-(?P<dashed>\d\d?)-(?P<full>20\d\d))"
    r"(?![\d/-])"
)
"""`3/12/2026`, `3/12 2026`, `3/12`, `3-12-2026`."""
LAST_MONTH = 12
SHORTEST_MONTH = 28


def with_day_first(texts: Iterable[str], page: Page) -> dict[str, str]:
    """Those texts whose order of day and month the page decides, each with its dates as `3.12.2026`."""
    written = {text: found for text in texts if (found := list(_NUMBERS.finditer(text)))}
    if not written:
        return {}
    pairs = [
        (int(date["a"]), int(date["b"] or date["dashed"])) for found in written.values() for date in found
    ]
    day_first = _is_day_first(pairs, page)
    if day_first is None:
        return {}
    return {text: _NUMBERS.sub(_with_day_first if day_first else _month_first, text) for text in written}


def _with_day_first(date: re.Match[str]) -> str:
    return f"{date['a']}.{date['b'] or date['dashed']}.{_year(date)}"


def _month_first(date: re.Match[str]) -> str:
    return f"{date['b'] or date['dashed']}.{date['a']}.{_year(date)}"


def _year(date: re.Match[str]) -> str:
    return date["year"] or date["apart"] or date["full"] or ""


def _is_day_first(pairs: list[tuple[int, int]], page: Page) -> bool | None:
    """Does the day stand first? None where neither the dates nor the region tell."""
    days_before = any(first > LAST_MONTH for first, _ in pairs)
    days_behind = any(second > LAST_MONTH for _, second in pairs)
    if days_before != days_behind:
        return days_before
    root = page.first("html")
    language, _, region = ((root.attr("lang") if root is not None else "") or "").lower().partition("-")
    if language and language != "en":
        return True
    return True if region in _DAY_FIRST_REGIONS else None


def months_in_grid(days: Sequence[int]) -> list[int]:
    """Of each cell of a month's grid: -1, 0 or 1 for a day of the month before, of the month, or after it.

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
    """The month before or after another, by its English name, and its year where that is known."""
    years, at = divmod(month - 1 + step, LAST_MONTH)
    return month_name[at + 1], str(int(year) + years) if year else ""
