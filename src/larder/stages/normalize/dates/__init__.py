"""Reads dates and times as agendas and adverts write them, with their time zone.

Dates of a dozen languages, `today` and `tomorrow` in all of them, and other relative days in Dutch, English
and German, are read here, in microseconds; dateparser is used for other languages only. No text makes it
raise; the result for a text without a day or time is None.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from larder.sdk.calendar_names import with_full_months
from larder.stages.normalize.dates.clock import ClockReading, blank_out, find_clocks, find_loose_clocks
from larder.stages.normalize.dates.mentions import (
    DateMention,
    find_loose_mentions,
    find_mentions,
    with_spaces,
)
from larder.stages.normalize.dates.relative import find_moment, find_relative
from larder.stages.normalize.dates.resolve import resolve_days, resolve_range
from larder.stages.normalize.dates.words import AND, BETWEEN, UNTIL, WEEKDAY, plain_spelling

__all__ = ["When", "parse_when"]

MAX_TEXT = 300
_OWN_RULES = frozenset({"nl", "en", "de"})
_CLOCK_ALONE = len("20.00 - 22.00")
_SEASONS = (1, 7)
"""A month of each half of the year."""
_END_OF_DAY = time(23, 59, 59)
_OPEN_DAILY = timedelta(days=7)
"""Ranges of more days have no time of their own: from ten to five is when an exhibition is open."""
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:?\d\d.*|/.*)?|20\d{6}(?:T\d{4,6}.*)?")
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
_LINK = re.compile(rf"[\s,.()|@]*(?:{UNTIL})[\s.]*(?:{WEEKDAY}[.,]*)?[\s,]*")
_UNTIL = re.compile(UNTIL)
_ALSO = re.compile(rf"[\s,.]*{AND}\s*(?:{WEEKDAY}[.,]*)?\s*")
_OPEN_START = re.compile(
    r"^(?:nog\s+)?(?:te\s+zien\s+)?(?:t\s?/\s?m|tot(?:\s+en\s+met)?|until|till|bis(?:\s+zum)?"
    r"|jusqu'au|hasta(?:\s+el)?|fino\s+al|até(?:\s+ao?)?|t\.o\.m\.?|til\s+og\s+med)\s+$"
)
_BETWEEN = re.compile(rf"\b{BETWEEN}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A moment or a range of time, aware. Without `time_known` only the days count."""

    start: datetime
    end: datetime | None = None
    time_known: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """The time, zone and languages that a text is parsed with."""

    now: datetime
    zone: tzinfo
    prefer: str
    languages: tuple[str, ...]

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def month_first(self) -> bool:
        """Whether 8/10 is August 10th: if English is read and the clock is not a European one."""
        home = getattr(self.zone, "key", "")
        return self.languages[:1] == ("en",) and not home.startswith(
            ("Europe/", "Australia/", "Asia/", "Africa/")
        )

    def at(self, day: date, clock: time | None = None) -> datetime:
        return datetime.combine(day, clock or time(0), tzinfo=self.zone)


def parse_when(
    text: str | None,
    *,
    now: datetime,
    languages: Sequence[str] = ("nl", "en", "de"),
    tz: tzinfo | str | None = None,
    prefer: str = "future",
) -> When | None:
    """The day or time that `text` names, in `tz` (else in that of `now`).

    A missing year is the nearest that `prefer` allows: `future`, `past` or `nearest`.
    """
    if not isinstance(text, str) or not (trimmed := text.strip()[:MAX_TEXT]):
        return None
    zone = _zone(tz) or now.tzinfo or UTC
    local = now.astimezone(zone) if now.tzinfo else now.replace(tzinfo=zone)
    frame = _Frame(now=local, zone=zone, prefer=prefer, languages=_codes(languages))
    try:
        return _machine(trimmed, frame) or _read(trimmed, frame) or _by_dateparser(trimmed, frame)
    except (ValueError, OverflowError):  # a year 0, a moment after the end of the calendar
        return None


def _codes(languages: Sequence[str]) -> tuple[str, ...]:
    listed = (languages,) if isinstance(languages, str) else languages
    return tuple(language.lower()[:2] for language in listed)


def _zone(tz: tzinfo | str | None) -> tzinfo | None:
    try:
        return ZoneInfo(tz) if isinstance(tz, str) else tz
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _machine(text: str, frame: _Frame) -> When | None:
    """ISO 8601, an interval of it, or seconds since 1970."""
    if _EPOCH.fullmatch(text):
        seconds = int(text) / (1000 if len(text) == 13 else 1)
        return When(start=datetime.fromtimestamp(seconds, frame.zone), time_known=True)
    if not _ISO.fullmatch(text):
        return None
    start, _, end = text.partition("/")
    first, last = _iso(start, frame), _iso(end, frame) if end else None
    if first and last:
        return When(
            start=first[0],
            end=last[0] if last[1] else frame.at(last[0].date(), _END_OF_DAY),
            time_known=first[1],
        )
    return When(start=first[0], time_known=first[1]) if first else None


def _iso(text: str, frame: _Frame) -> tuple[datetime, bool] | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo and _has_offset_of_other_season(moment, frame.zone):
        moment = moment.replace(tzinfo=None)
    aware = moment.astimezone(frame.zone) if moment.tzinfo else moment.replace(tzinfo=frame.zone)
    return aware, len(text.strip()) > 10


def _has_offset_of_other_season(moment: datetime, zone: tzinfo) -> bool:
    """Whether the offset belongs to the other season: `2025-07-04T20:30+01:00` in Amsterdam has a fixed
    offset; the wall clock is meant.
    """
    offset, local = moment.utcoffset(), moment.replace(tzinfo=zone)
    if not offset or local.utcoffset() == offset:
        return False
    return offset in [local.replace(month=month, day=1).utcoffset() for month in _SEASONS]


def _read(text: str, frame: _Frame) -> When | None:
    return _written(
        plain_spelling(with_full_months(text, frame.languages[0] if frame.languages else None)), frame
    )


def _written(text: str, frame: _Frame) -> When | None:
    text = with_spaces(text)
    clocks = find_clocks(text)
    bare = blank_out(text, clocks)
    named = find_mentions(bare, month_first=frame.month_first)
    if not named and (moved := find_moment(text, frame.now, prefer=frame.prefer)):
        return _moved(text, *moved, frame)
    relative = _relative(bare, named, frame, timed=bool(clocks))
    mentions = _main(bare, named, relative) or find_loose_mentions(bare, month_first=frame.month_first)
    if not clocks and (mentions or len(text) <= _CLOCK_ALONE):
        clocks = find_loose_clocks(blank_out(text, mentions[:2]))
        bare = blank_out(bare, clocks)
    return _assembled(bare, mentions, clocks, frame)


def _moved(text: str, mention: DateMention, moment: datetime | None, frame: _Frame) -> When | None:
    """A time span from now: to the minute if hours are counted, else the day with its stated time."""
    if moment:
        return When(start=moment, time_known=True)
    return _assembled(text, [mention], find_clocks(blank_out(text, [mention])), frame)


def _relative(text: str, mentions: list[DateMention], frame: _Frame, *, timed: bool) -> list[DateMention]:
    """Relative days; beside a date they matter only if they form a range with it."""
    if mentions and not _UNTIL.search(blank_out(text, mentions)):
        return []
    return find_relative(blank_out(text, mentions), frame.today, prefer=frame.prefer, timed=timed)


def _main(text: str, mentions: list[DateMention], relative: list[DateMention]) -> list[DateMention]:
    """The main day: dates count before weekdays and `today`, unless the two form a range (`vandaag t/m 3
    mei`).
    """
    if not mentions or not relative:
        return mentions or relative
    before = [mention for mention in relative if mention.until <= mentions[0].begin][-1:]
    after = [mention for mention in relative if mention.begin >= mentions[0].until][:1]
    if before and _is_stretch(text, before[0], mentions[0]):
        return [before[0], mentions[0]]
    if after and len(mentions) == 1 and _is_stretch(text, mentions[0], after[0]):
        return [mentions[0], after[0]]
    return mentions


def _is_stretch(text: str, first: DateMention, second: DateMention) -> bool:
    between = text[first.until : second.begin]
    if _LINK.fullmatch(between):
        return True
    if not _ALSO.fullmatch(between):
        return False
    next_day = bool(first.dom and second.dom and second.dom - first.dom == 1)
    listed = "," in text[first.begin : first.until]
    return next_day or listed or bool(_BETWEEN.search(text[: first.begin]))


def _assembled(
    text: str, mentions: list[DateMention], clocks: list[ClockReading], frame: _Frame
) -> When | None:
    if not mentions:
        return None if _has_digit(text) else _time_alone(clocks, frame)  # a remaining number may be the day
    if len(mentions) > 1 and _is_stretch(text, mentions[0], mentions[1]):
        stretch = resolve_range(mentions[0], mentions[1], frame.today, frame.prefer)
        if stretch:
            return _stretch(stretch, clocks, frame, split=mentions[1].begin)
    if _OPEN_START.search(text[: mentions[0].begin]) and (
        until := resolve_days(mentions[0], frame.today, frame.prefer)
    ):
        return _stretch((frame.today, until[1] or until[0]), clocks, frame)
    found = resolve_days(mentions[0], frame.today, frame.prefer)
    if found is None:
        raise ValueError("no such day")  # the 30th of February: dateparser need not be called
    return _stretch((found[0], found[1]), clocks, frame) if found[1] else _single(found[0], clocks, frame)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _single(day: date, clocks: list[ClockReading], frame: _Frame) -> When:
    clock = _opening(clocks)
    if clock is None:
        return When(start=frame.at(day))
    start = frame.at(day, clock.start)
    closing = clock.end or next((other.start for other in clocks if other.closing), None)
    return When(start=start, end=_after(start, closing, frame), time_known=True)


def _stretch(days: tuple[date, date], clocks: list[ClockReading], frame: _Frame, split: int = 0) -> When:
    clock = _opening([clock for clock in clocks if clock.begin < split] or clocks)
    if clock is None or (clock.end and days[1] - days[0] > _OPEN_DAILY):
        return When(start=frame.at(days[0]), end=frame.at(days[1], _END_OF_DAY))
    late = [other for other in clocks if other.begin > split and other is not clock]
    closing = clock.end or (late[0].start if late else clock.start)
    return When(start=frame.at(days[0], clock.start), end=frame.at(days[1], closing), time_known=True)


def _time_alone(clocks: list[ClockReading], frame: _Frame) -> When | None:
    """The time of today, or of tomorrow if today's is over and the future is wanted."""
    clock = _opening(clocks)
    if clock is None:
        return None
    passed = frame.at(frame.today, clock.start) < frame.now and frame.prefer == "future"
    return _single(frame.today + timedelta(days=int(passed)), clocks, frame)


def _opening(clocks: list[ClockReading]) -> ClockReading | None:
    """The start: not when doors open, not the end, if another time is given."""
    starts = [clock for clock in clocks if not clock.doors and not clock.closing]
    return next(iter(starts or clocks), None)


def _after(start: datetime, clock: time | None, frame: _Frame) -> datetime | None:
    if clock is None:
        return None
    end = frame.at(start.date(), clock)
    return end if end > start else frame.at(start.date() + timedelta(days=1), clock)


def _by_dateparser(text: str, frame: _Frame) -> When | None:
    """The date that dateparser reads in other languages; imported on demand, as loading it is slow."""
    foreign = tuple(code for code in frame.languages if code not in _OWN_RULES)
    if not foreign or not _has_digit(text):
        return None
    from larder.stages.normalize.dates.dateparser_fallback import ask_dateparser  # noqa: PLC0415 - heavy

    answer = ask_dateparser(
        text, now=frame.now, languages=foreign, prefer=frame.prefer, month_first=frame.month_first
    )
    if answer is None:
        return None
    moment, time_known = answer
    aware = moment.astimezone(frame.zone) if moment.tzinfo else moment.replace(tzinfo=frame.zone)
    return When(start=aware if time_known else frame.at(aware.date()), time_known=time_known)
