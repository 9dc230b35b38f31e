"""Patterns for days and times of day, in the languages of `calendar_names`.

These patterns only find them; which day is meant is for normalize.
"""

import re
from functools import lru_cache

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.calendar_names import any_of, month_numbers, weekday_numbers, with_rounds_masked

_MONTHS = month_numbers()
_WEEKDAYS = weekday_numbers()


_END = r"(?![^\W\d_])"
MONTH = rf"{any_of(_MONTHS)}{_END}\.?"
WEEKDAY = rf"(?:{any_of(_WEEKDAYS)}|mar(?=[.,]{{0,2}}\s*\d\d?[/.]\d)){_END}\.?,?"
"""`mar` is Tuesday before a day in numbers."""
_FIRST_MONTH = rf"{any_of(month_numbers('en', 'nl', 'de', 'hu'))}{_END}\.?"
_DASH = r"[-\u2010-\u2015\u2212]"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?!\d)(?:\s?(?:ste|st|nd|rd|th|de|er|e|º|ª)(?!\w)|\.)?"
_SPAN = (
    rf"\s*(?:{_DASH}|→|>|(?<!\w)(?:t/m|t\.?e\.?m\.?|tot\s+en\s+met|(?:to|tot|bis|until|thru|through|au"
    rf"|al|a|do)(?!\w)"
    r"|all'))\s*"
)
_ALSO = r"\s*(?:&|\+|(?<!\w)(?:and|en|und|et|och|og)(?!\w))\s*"
_TO_DAY = rf"(?:(?:{_SPAN}|{_ALSO})(?:{WEEKDAY}\s*)?{_DAY})"
_YEAR = (
    r"(?:\s?[/-]\s?20\d{2}|\s*,?\s*(?:del?\s+)?20\d{2}(?!\d)|\s*,?\s*'\d{2}(?!\d)"
    r"|\s+\d{2}(?!\d|[:.]\d|\s*(?:[ap]\.?m|uur|uhr|u\b|h\b|:)|st|nd|rd|th"
    rf"|\.?\s*{MONTH}))"
)
_OF = r"(?:\s*(?:of|de|di|del|van|den)\s+|\s?/\s?|-|\s*,?\s*)"
_BY_DAY = rf"{_DAY}{_TO_DAY}?{_OF}{MONTH}{_YEAR}?"
_MARCH = r"(?!mar[.,]{0,2}\s*\d\d?(?:/\d|\.\d\d?\.))"
_BY_MONTH = rf"(?:20\d{{2}}\.\s)?{_MARCH}{_FIRST_MONTH}\s*{_DAY}(?![:.]\d\d){_TO_DAY}?(?!\s*{MONTH}){_YEAR}?"
_NUMBERS = (
    r"20\d{2}-\d{2}-\d{2}"
    rf"|\d\d?/\d\d?{_SPAN}\d\d?/\d\d?/(?:20)?\d{{2}}(?!\d)"
    rf"|\d\d?-\d\d?\s{_SPAN}\d\d?-\d\d?-(?:20)?\d{{2}}(?!\d)"
    rf"|(?:\d\d?\.(?:\d\d?\.)?\s?{_DASH}\s?)?(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]"
    rf"|1[0-2])[./-](?:20)?\d{{2}}(?!\d)"
    rf"|(?:\d\d?\.\s(?:\d\d?\.\s)?{_DASH}\s)?(?:0?[1-9]|[12]\d|3[01])\.\s(?:0?[1-9]"
    rf"|1[0-2])\.\s20\d{{2}}(?!\d)"
    r"|(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/(?:20)?\d{2}(?!\d)"
    r"|(?:0?[1-9]|1[0-2])[.-](?:1[3-9]|2\d|3[01])[.-]20\d{2}(?!\d)"
)
ONE_DAY = rf"(?:{WEEKDAY}\s*(?:(?:le|den|de|the|el|il)\s+)?)?(?:{_BY_DAY}|{_BY_MONTH}|{_NUMBERS})"
DATE = lazy_pattern(rf"(?<![\w/.])(?<!\d:)(?=\w){ONE_DAY}(?:{_SPAN}{ONE_DAY})?(?!\w)", re.IGNORECASE)

_SHORT = lazy_pattern(
    rf"\W*(?P<day>(?:{WEEKDAY}\s*)?(?P<a>\d\d?)(?:[./-]|\.\s)(?P<b>\d\d?)\.?)(?P<more>(?![./-]?\d).{{0,80}})",
    re.IGNORECASE,
)
_LONE_MONTH = lazy_pattern(rf"\W*(?P<month>{MONTH})(?:\W+(?:del?\s)?(?P<year>20\d\d))?\W*", re.IGNORECASE)
_LONE_DAY = lazy_pattern(
    rf"\W*(?:(?P<before>{WEEKDAY})\W*)?(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|e"
    rf"|\.)?(?:\W+(?P<after>{WEEKDAY}))?\W*",
    re.IGNORECASE,
)
_LONE_WEEKDAY = lazy_pattern(rf"\W*{WEEKDAY}\W*", re.IGNORECASE)
EDGE = " -–—|@,:;·•/()"
_WORDS = lazy_pattern(r"[^\W\d_]+|\d+")

HOURS = r"(?:klo|kl|klokken|godz|ore|a las|às)"
"""Words after which a bare number is an hour."""
CLOCK = (
    r"\d{1,2}(?::\d{2}(?!\d)|\.(?!(?:0[1-9]|1[0-2])\.)\d{2}(?!\.?\d)"
    r"|\s?[uh]\s?\d{2}(?!\d|\s?mi?n))(?:\s*[ap]\.?\s?m\b\.?)?"
    r"|\d{1,2}:\s\d{2}\s?[ap]\.?m\b\.?"
    r"|\d{1,2}\s*(?:[ap]\.?\s?m\b\.?|(?:uur|uhr|hrs?|u|h|hod(?:in)?)(?!\w))|noon(?!\w)"
    rf"|\b{HOURS}\.?\s*\d{{1,2}}(?:[:.,h]\d{{2}})?(?!\d)"
)
CLOCK_TO = rf"\s*(?:{_DASH}|→|to|tot|bis|until|till|à|a|al|alle|do|até|hasta|til)\s*"
TIME_TEXT = (
    rf"(?=\w)(?<![\d.,€$£/:-])(?:\d{{1,2}}{CLOCK_TO}(?=\d))?(?:{CLOCK})"
    rf"(?:{CLOCK_TO}(?:{CLOCK}|\d{{1,2}}(?![\d:.])))?"
)
TIME = lazy_pattern(TIME_TEXT, re.IGNORECASE)
_TIME_AND_UNIT = lazy_pattern(rf"{TIME_TEXT}(?:\s*(?:uur|uhr|hrs?|hod|h)(?!\w)\.?)?", re.IGNORECASE)


def names_day(text: str) -> bool:
    """Whether a text may contain a day: a fast check before the patterns."""
    if _ANY_DIGIT.search(text) is None:
        return False
    return _PAIR.search(text) is not None or any(word in _MONTHS for word in _LETTERS.findall(text.lower()))


_ANY_DIGIT = lazy_pattern(r"\d")
_PAIR = lazy_pattern(r"\d(?:[./-]|\.\s)\d")
_LETTERS = lazy_pattern(r"[^\W\d_]+")


def first_day(text: str) -> re.Match[str] | None:
    """The first day in a text."""
    return next(iter(days_in(text)), None)


def begins_with_day(text: str) -> bool:
    """Whether a text begins with a day."""
    found = first_day(text)
    return found is not None and found.start() == 0


@lru_cache(maxsize=4_096)
def days_in(text: str) -> tuple[re.Match[str], ...]:
    """All days in a text, cached: the other functions about days use them."""
    return tuple(DATE.finditer(with_rounds_masked(text))) if names_day(text) else ()


def without_days(text: str, mark: str = " ") -> str:
    """A text with each day replaced by a mark."""
    found = days_in(text)
    begins, ends = [0, *(day.end() for day in found)], [*(day.start() for day in found), len(text)]
    return mark.join(text[begin:end] for begin, end in zip(begins, ends, strict=True))


@lru_cache(maxsize=4_096)
def without_times(text: str) -> str:
    """A text with each time of day replaced by a space."""
    return _TIME_AND_UNIT.sub(" ", text) if _ANY_DIGIT.search(text) else text


@lru_cache(maxsize=4_096)
def has_year(text: str) -> bool:
    """Whether it has a four-digit year, one with an apostrophe, or a last number after day and month."""
    return _HAS_YEAR.search(text) is not None


_HAS_YEAR = lazy_pattern(
    rf"(?<!\d)(?:19|20)\d{{2}}(?!\d)|'\d{{2}}|\d\W*{MONTH}\s+\d{{2}}$|\d[./-]\d\d?[./-]\d", re.IGNORECASE
)


@lru_cache(maxsize=4_096)
def day_key(text: str) -> frozenset[int]:
    """The numbers of a day and its month, equal for all notations of one day."""
    words = _WORDS.findall(text)
    months = [_MONTHS[word.casefold()] for word in words if word.casefold() in _MONTHS]
    days = [int(word) for word in words if word.isdecimal() and len(word) <= 2]
    return frozenset([*months[:1], *days[:1]] if months else days[:2])


@lru_cache(maxsize=4_096)
def short_date(text: str, *, called: bool) -> str:
    """The day of two numbers, recognised by the text beside them: `15/12 (man)`, `20.11., 19.30 Uhr`."""
    found = _SHORT.fullmatch(text)
    if found is None:
        return ""
    a, b = int(found["a"]), int(found["b"])
    if not (1 <= a <= 31 and 1 <= b <= 31 and min(a, b) <= 12):
        return ""
    named = re.search(WEEKDAY, found[0], re.IGNORECASE) is not None
    day = _SPACED.sub(".", found["day"].strip())
    dotted = _DOTTED.fullmatch(day) is not None
    more = found["more"].strip(" ,|·" if dotted or "/" in day else None)
    alone = not more and (called or dotted)
    if dotted and (last := _TO_SHORT.match(found["more"])):
        return f"{day} - {_SPACED.sub('.', last['day'])}"
    return day if alone or named or TIME.match(more) else ""


_SPACED = lazy_pattern(r"(?<=\d)\.\s(?=\d)")
_DOTTED = lazy_pattern(rf"(?:{WEEKDAY}\s*)?\d\d?\.\d\d?\.", re.IGNORECASE)
"""Matches a day in German notation: a price has no second full stop."""
_TO_SHORT = lazy_pattern(rf"{_SPAN}(?:{WEEKDAY}\s*)?(?P<day>\d\d?\.\s?\d\d?\.)(?!\d)", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def begins_with_piece(text: str) -> bool:
    """Whether a text's first word is a number, a month or a weekday, which is rare."""
    first = _WORDS.search(text)
    return first is not None and (first[0].isdecimal() or first[0].lower() in _PIECES)


_PIECES = frozenset(_MONTHS) | frozenset(_WEEKDAYS)


@lru_cache(maxsize=4_096)
def lone_month(text: str) -> tuple[str, str] | None:
    """The month, and its year or "", if a text has nothing else."""
    found = _LONE_MONTH.fullmatch(text)
    return (found["month"], found["year"] or "") if found else None


@lru_cache(maxsize=4_096)
def lone_day(text: str) -> tuple[str, bool] | None:
    """The day of the month if a text has nothing else, and whether its weekday is with it."""
    found = _LONE_DAY.fullmatch(text)
    if found is None:
        return None
    weekday = found["before"] or found["after"] or ""
    return f"{weekday} {found['day']}".strip(), bool(weekday)


@lru_cache(maxsize=4_096)
def is_weekday(text: str) -> bool:
    """Whether a text is only a weekday."""
    return _LONE_WEEKDAY.fullmatch(text) is not None


def without_outer_when(text: str) -> str:
    """A text without a day at its beginning or end, and without a time at its beginning: `21:00 Choir`."""
    if (clock := _CLOCK_BEFORE.match(text)) is not None:
        text = text[clock.end() :]
    for found in days_in(text):
        before, after = text[: found.start()].strip(EDGE), text[found.end() :].strip(EDGE)
        if not before or not after:
            return before or after
    return text


_CLOCK_BEFORE = lazy_pattern(
    r"\W*(?:[01]?\d|2[0-3])[:.][0-5]\d(?:\s?[ap]\.?m\.?)?(?:\s*(?:uur|uhr|hrs?|h))?[\s\-–—|:,•]+(?=[^\W\d_]{2})",
    re.IGNORECASE,
)


def without_when(text: str) -> str:
    """A text without its days, times and weekdays."""
    bare = _BEHIND_DAY.sub("", without_times(without_days(text)))
    if is_weekday(bare) or lone_month(bare):
        return ""
    bare = " ".join(bare.split()).strip(EDGE)
    return f"{bare})" if bare.count("(") > bare.count(")") and text.rstrip().endswith(")") else bare


_BEHIND_DAY = lazy_pattern(r"^\s*\(?[A-Z][a-z]?\),?(?:\s+20\d\d)?\s*$")
"""Matches `December 13 (T), 2022`."""
