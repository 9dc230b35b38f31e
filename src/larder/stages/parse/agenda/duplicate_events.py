"""Merges duplicate events: one item for each event, however often the page shows its date.

The same title at the same moment is said twice; a day without a time says less than the same day with one,
a day without a year less than the same day with one.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from larder.core.model.identity import are_siblings
from larder.core.model.item import Item
from larder.stages.parse.agenda.patterns import day_key, short_date
from larder.stages.parse.agenda.start_times import time_in

_ISO = re.compile(r"(?P<year>\d{4})-(?P<day>\d\d-\d\d)(?:[T ](?P<hour>\d\d):(?P<minute>\d\d))?")
_YEAR = re.compile(r"(?<!\d)20\d{2}(?!\d)")
_CLOCK = re.compile(r"\D*(\d{1,2})(?:\s?[:.uh]\s?(\d\d))?")
_HALF = re.compile(r"([ap])\.?\s?m", re.IGNORECASE)

HourMinute = tuple[int, int]


class _Moment(NamedTuple):
    title: str
    day: frozenset[int] | str
    year: str
    clock: HourMinute | None
    address: str = ""
    """The address or venue, for an event whose duplicate differs in it: then they are two."""


def without_duplicates(items: Sequence[Item]) -> list[Item]:
    """Keeps each title once a time; without a time, only if no event of that title and day has one."""
    seen: dict[_Moment, Item] = {}
    for item in items:
        moment = _moment(item)
        if moment in seen and are_siblings(_url(seen[moment]), _url(item)):
            moment = moment._replace(address=_url(item))
        elif moment in seen and moment.clock is None and _is_other_venue(seen[moment], item):
            moment = moment._replace(address=_venue(item))
        seen.setdefault(moment, item)
    by_day: dict[tuple[str, frozenset[int] | str], list[_Moment]] = {}
    for moment in seen:
        by_day.setdefault((moment.title, moment.day), []).append(moment)
    return [
        item for moment, item in seen.items() if not _is_duplicate(moment, by_day[(moment.title, moment.day)])
    ]


def _is_other_venue(one: Item, other: Item) -> bool:
    """Whether both events have a venue, and the venues differ."""
    return bool(_venue(one) and _venue(other)) and _venue(one) != _venue(other)


def _venue(item: Item) -> str:
    return str(item.fields.get("venue") or "").casefold()


def _url(item: Item) -> str:
    return str(item.fields.get("url") or "")


def _is_duplicate(moment: _Moment, others: Iterable[_Moment]) -> bool:
    return any(
        (moment.year == other.year or not moment.year or not other.year)
        and (
            (moment.clock is None and other.clock is not None)
            or (moment.clock == other.clock and not moment.year and bool(other.year))
        )
        for other in others
    )


def _moment(item: Item) -> _Moment:
    title = str(item.fields["title"]).casefold()
    exact = _ISO.match(str(item.fields.get("starts_at") or ""))
    if exact is not None:
        clock = (int(exact["hour"]), int(exact["minute"])) if exact["hour"] else None
        return _Moment(title, day_key(exact["day"]), exact["year"], clock)
    text = str(item.fields.get("starts_at") or item.fields.get("date_text"))
    year = _YEAR.search(text)
    behind = text.removeprefix(short_date(text, called=True))  # `02.12` of `02.12 17.00` is not a time of day
    return _Moment(title, day_key(text) or text, year[0] if year else "", _clock_of(time_in(behind)))


def _clock_of(written: str) -> HourMinute | None:
    """The hour and minute at which a written time begins; 12 hours are added for `pm`."""
    first = _CLOCK.match(written) if written else None
    if first is None:
        return None
    hour, half = int(first[1]), _HALF.search(written)
    if half is not None:
        hour = hour % 12 + (12 if half[1].lower() == "p" else 0)
    return hour, int(first[2] or 0)
