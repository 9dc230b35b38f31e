"""Chooses the year of a date: the nearest that fits, ahead for agendas, behind for past events.

A weekday beside the date may choose another (`wo 30 sep`, read in October), but only among the years next to
now; a weekday that fits none of them counts as a typing error.
"""

from calendar import monthrange
from datetime import date, timedelta

from larder.stages.normalize.dates.mentions import DateMention

FUTURE, PAST, NEAREST = "future", "past", "nearest"
_MAX_DAYS_BACK = 60
"""How many days back a weekday may point when the future is preferred."""
_MAX_YEARS_AHEAD = 20
"""How many years ahead a year of two digits may lie."""
_LEAP = 8


def resolve_days(mention: DateMention, today: date, prefer: str) -> tuple[date, date | None] | None:
    """The first and, where the text names a range, the last day; None for the 30th of February."""
    if mention.day:
        return mention.day, mention.last
    if mention.year is not None:
        return _days(mention, full_year(mention.year, today))
    reach = _LEAP if (mention.dom, mention.month) == (29, 2) else 2
    years = range(today.year - reach, today.year + reach + 1)
    options = [days for year in years if (days := _days(mention, year))]
    return _choose(options, mention.weekday, today, prefer) if options else None


def resolve_range(
    first: DateMention, second: DateMention, today: date, prefer: str
) -> tuple[date, date] | None:
    """A range is resolved by its end: an exhibition that has begun is not next year's."""
    end = _end_after(first, second) or resolve_days(second, today, prefer)
    if end is None:
        return None
    last = end[1] or end[0]
    if first.day and second.day and last < first.day:  # `zaterdag t/m maandag`: the Monday after
        last += timedelta(days=7)
    if first.day or first.year is not None:
        start = resolve_days(first, today, prefer)
    else:
        start = next(
            (days for year in (last.year, last.year - 1) if (days := _days(first, year)) and days[0] <= last),
            None,
        )
    return (start[0], last) if start and start[0] <= last else None


def _end_after(first: DateMention, second: DateMention) -> tuple[date, date | None] | None:
    """The next such day after the beginning, if only that has a year."""
    if first.year is None or first.year < 100 or first.month is None or second.year is not None or second.day:
        return None
    opening = _days(first, first.year)
    closing = (_days(second, year) for year in (first.year, first.year + 1))
    return next((days for days in closing if opening and days and days[0] >= opening[0]), None)


def full_year(year: int, today: date) -> int:
    """The latest year with these two digits that is not far ahead."""
    if year >= 100:
        return year
    near = today.year - today.year % 100 + year
    return near - 100 if near > today.year + _MAX_YEARS_AHEAD else near


def _days(mention: DateMention, year: int) -> tuple[date, date | None] | None:
    if mention.month is None:
        return None
    length = monthrange(year, mention.month)[1]
    if mention.dom is not None:
        return (date(year, mention.month, mention.dom), None) if mention.dom <= length else None
    first, last = {"begin": (1, 10), "mid": (11, 20), "end": (21, length)}.get(mention.part, (1, length))
    return date(year, mention.month, first), date(year, mention.month, last)


def _choose(
    options: list[tuple[date, date | None]], weekday: int | None, today: date, prefer: str
) -> tuple[date, date | None]:
    ahead = [days for days in options if (days[1] or days[0]) >= today]
    behind = [days for days in reversed(options) if days[0] <= today]
    if prefer == PAST:
        ordered = behind[:2] + ahead[:1] if behind else ahead[:1]
    elif prefer == NEAREST:
        ordered = sorted(ahead[:1] + behind[:1], key=lambda days: abs((days[0] - today).days))
    else:
        lately = [days for days in behind[:1] if today - days[0] <= timedelta(days=_MAX_DAYS_BACK)]
        ordered = ahead[:1] + lately + ahead[1:2] or behind[:1]
    fitting = (days for days in ordered if weekday is not None and days[0].weekday() == weekday)
    return next(fitting, ordered[0])
