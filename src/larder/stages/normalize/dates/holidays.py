"""Days that agendas name by holiday: Kerst, Koningsdag, Pasen, Silvester."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from larder.stages.normalize.dates.mentions import DateMention


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _from_easter(days: int) -> Callable[[int], date]:
    return lambda year: easter(year) + timedelta(days=days)


def _kings_day(year: int) -> date:
    """April 27th; the day before if that is a Sunday."""
    day = date(year, 4, 27)
    return day - timedelta(days=1) if day.weekday() == 6 else day


def easter(year: int) -> date:
    """Easter Sunday (the anonymous Gregorian computus)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


_NAMES: tuple[tuple[str, Callable[[int], date]], ...] = (
    (r"(?:2e|tweede)\s+kerstdag|boxing\s+day|zweiter\s+weihnachtstag", _fixed(12, 26)),
    (r"kerstavond|christmas\s+eve|heiligabend|heilig\s?abend", _fixed(12, 24)),
    (r"(?:(?:1e|eerste)\s+)?kerstdag|kerst(?:mis)?|christmas(?:\s+day)?|weihnachten", _fixed(12, 25)),
    (r"oudjaar(?:s(?:dag|avond))?|oudejaars(?:dag|avond|nacht)|oud\s+(?:en|&)\s+nieuw"
     r"|new\s+year'?s\s+eve|silvester", _fixed(12, 31)),
    (r"nieuwjaar(?:sdag)?|new\s+year'?s\s+day|neujahr", _fixed(1, 1)),
    (r"sinterklaas(?:avond)?|pakjesavond", _fixed(12, 5)),
    (r"koningsdag|king'?s\s+day", _kings_day),
    (r"bevrijdingsdag", _fixed(5, 5)),
    (r"(?:nationale\s+)?dodenherdenking", _fixed(5, 4)),
    (r"allerheiligen", _fixed(11, 1)),
    (r"halloween", _fixed(10, 31)),
    (r"valentijnsdag|valentine'?s\s+day|valentinstag", _fixed(2, 14)),
    (r"goede\s+vrijdag|good\s+friday|karfreitag", _from_easter(-2)),
    (r"(?:2e|tweede)\s+paasdag|easter\s+monday|ostermontag", _from_easter(1)),
    (r"(?:(?:1e|eerste)\s+)?paasdag|pasen|easter(?:\s+sunday)?|ostersonntag|ostern", _from_easter(0)),
    (r"hemelvaart(?:sdag)?|ascension\s+day|christi\s+himmelfahrt", _from_easter(39)),
    (r"(?:2e|tweede)\s+pinksterdag|whit\s+monday|pfingstmontag", _from_easter(50)),
    (r"(?:(?:1e|eerste)\s+)?pinksterdag|pinksteren|pentecost|pfingsten", _from_easter(49)),
)  # fmt: skip
_ANY = re.compile("|".join(names for names, _ in _NAMES))
_PATTERNS = tuple((re.compile(rf"\b(?:{names})\b(?:\s+(?P<y>20\d\d))?"), rule) for names, rule in _NAMES)


def find_holidays(text: str, today: date) -> Iterator[DateMention]:
    """Each named holiday, in the year beside it or else the next one."""
    for pattern, rule in _PATTERNS if _ANY.search(text) else ():
        for match in pattern.finditer(text):
            years = (int(match["y"]),) if match["y"] else (today.year, today.year + 1)
            days = (rule(year) for year in years)
            day = next((day for day in days if match["y"] or day >= today), None)
            if day:
                yield DateMention(begin=match.start(), until=match.end(), day=day)
