"""Is `03/12/2026` the third of December or March 12th? The page's other dates, language and region decide.

A number above twelve can only be a day: one date that has it decides for all the dates of its page.
"""

import re
from collections.abc import Iterable

from larder.sdk.page import Page

_DAY_FIRST_REGIONS = frozenset({"gb", "uk", "ie", "au", "nz", "in", "za", "sg", "hk", "mt", "ke", "ng", "eu"})
_NUMBERS = re.compile(r"(?<![\d/-])(\d\d?)(?:/(\d\d?)/((?:20)?\d\d)|-(\d\d?)-(20\d\d))(?![\d/-])")
LAST_MONTH = 12


def in_order(texts: Iterable[str], page: Page) -> dict[str, str]:
    """Those texts whose order of day and month the page decides, each with its dates as `3.12.2026`."""
    written = {text: found for text in texts if (found := _NUMBERS.findall(text))}
    if not written:
        return {}
    dates = (date for found in written.values() for date in found)
    pairs = [(int(first), int(slashed or dashed)) for first, slashed, _, dashed, _ in dates]
    day_first = _decided(pairs, page)
    if day_first is None:
        return {}
    order = r"\1.\2\4.\3\5" if day_first else r"\2\4.\1.\3\5"
    return {text: _NUMBERS.sub(order, text) for text in written}


def _decided(pairs: list[tuple[int, int]], page: Page) -> bool | None:
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
