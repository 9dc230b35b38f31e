"""Reads dates with dateparser, in languages without rules of our own: about a thousand times slower."""

from datetime import datetime
from functools import lru_cache

from dateparser.date import DateDataParser

MAX_TEXT = 80


def ask_dateparser(
    text: str, *, now: datetime, languages: tuple[str, ...], prefer: str, month_first: bool
) -> tuple[datetime, bool] | None:
    """The moment, and whether its time of day was named; None if dateparser finds none."""
    if len(text) > MAX_TEXT:
        return None
    settings = {
        "RELATIVE_BASE": now.replace(tzinfo=None),
        "PREFER_DATES_FROM": prefer if prefer in ("future", "past") else "current_period",
        "DATE_ORDER": "MDY" if month_first else "DMY",
        "REQUIRE_PARTS": ["day", "month"],
        "RETURN_TIME_AS_PERIOD": True,
    }
    answer = DateDataParser(languages=_known(languages), settings=settings).get_date_data(text)
    return (answer.date_obj, answer.period == "time") if answer.date_obj else None


@lru_cache(maxsize=64)
def _known(languages: tuple[str, ...]) -> list[str] | None:
    from dateparser.languages.loader import default_loader  # noqa: PLC0415 - only when asked

    known = [
        code
        for code in languages
        if code in default_loader.get_locale_map([code], None, use_given_order=False)
    ]
    return known or None
