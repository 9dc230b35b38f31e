"""Times of day: `20.00 uur`, `aanvang 20:00`, `8pm`, `half acht`, `van 14 tot 16 uur`.

Times are removed from the text before days are searched, so that 20.30 is never the 20th of a month. Numbers
with a dot and no word beside them are times only once a day is known.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import time

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.calendar_names import any_of
from larder.stages.normalize.dates.mentions import DateMention
from larder.stages.normalize.dates.words import BETWEEN, CARDINALS, MONTH

_NUMBER_WORDS = any_of(
    {word: n for word, n in CARDINALS.items() if n <= 15 and word not in ("a", "an", "een")}
)
_HOUR = r"(?:[01]?\d|2[0-4])"
_MINUTE = r"[0-5]\d"
_DAY = 24 * 60
_MARK = r"[:.u]|h(?=\d)|\s?(?:uur|uhr|u|h)\s(?=[0-5]\d\b)"
_HALF_DAY = r"(?:\s?(?P<half{0}>[ap])\.?\s?m\b\.?)"
_UNIT = r"(?:\s*(?:uur|uhr|u|h|hrs|hod(?:in)?|o'?\s?clock)(?![a-zäöü]))"
_AT = frozenset({
    "om", "um", "at", "rond", "tegen", "gegen", "around", "kl", "kl.", "klo", "godz", "godz.", "ore",
    "alle", "às", "las",
})  # fmt: skip
_DOOR = r"(?:doors|deuren|deur|zaal(?:\s+open)?|inloop|einlass|ingang|entrance|open)"
_BEFORE = (
    rf"(?:\b(?:rond|tegen|gegen|around|om|aanvang|aanvangstijd|vanaf|van|starts?|begin|beginn|begint"
    rf"|um|ab|von|at|from|show|tijd|time|zeit|ore|alle|às|las|{_DOOR})\b[:\s]*"
    r"|\b(?:kl|klo|godz)\b\.?[:\s]*)"
)
_TO = (
    r"\s*(?:-|tot|t/m|to|until|till|bis|en|and|through|und|à|a|al|alle|hasta(?:\s+las)?|do|às|até(?:\s+às)?|jusqu'à|til|till)\s*"
    r"(?:ca\.?\s*)?"
)


def _reading(n: int) -> str:
    """One time: hours, perhaps minutes and seconds, perhaps am or pm."""
    return (
        rf"(?P<h{n}>{_HOUR})"
        rf"(?:(?P<s{n}>{_MARK})(?P<m{n}>{_MINUTE})(?::(?P<x{n}>{_MINUTE}))?)?"
        rf"(?:{_HALF_DAY.format(n)}|{_UNIT.replace('(?:', f'(?P<u{n}>', 1)})?"
    )


_RANGE = lazy_pattern(
    rf"(?P<before>{_BEFORE}|{BETWEEN}\s+)?(?<![\d.:,/-]){_reading(1)}{_TO}{_reading(2)}(?![\d:/]|\.\d|-\d)"
)
_SINGLE = lazy_pattern(rf"(?P<before>{_BEFORE})?(?<![\d.:,/-]){_reading(1)}(?![\d:/]|\.\d|-\d|\.?\s*{MONTH})")
_MONTH_BEHIND = lazy_pattern(rf"\.?\s*{MONTH}(?!\.?\s+\d\d?,?\s+(?:19|20)\d\d)")
"""`10:00 - 22 nov` ends on a day, `10am-4 May 5 2027` at an hour."""
_DOTTED = rf"(?:{_HOUR})\.{_MINUTE}(?!\d|[:/]|\.\d)"
_LOOSE = lazy_pattern(rf"(?<![\d.:,/-])(?P<start>{_DOTTED})(?:{_TO}(?P<end>{_DOTTED}))?")
_DOORS = lazy_pattern(rf"{_DOOR}\b[:\s]*$")
_CLOSING = lazy_pattern(
    r"(?:einde|eindtijd|eind|ends?|ende|tot|until|till|bis)\b[:\s]*(?:ca\.?\s*|circa\s*)?$"
)
_NAMED = lazy_pattern(r"\b(?:noon|midnight|middernacht|mitternacht|12\s+uur\s+'?s\s+middags)\b")
_SPOKEN = lazy_pattern(
    rf"(?:(?P<minutes>\d{{1,2}}|{_NUMBER_WORDS}|kwart|quarter|viertel)\s+(?:minuten\s+|minutes\s+)?"
    rf"(?P<side>over|voor|past|to|nach|vor)\s+)?(?P<half>(?:half\s+past|half|halb)\s+)?"
    rf"(?P<hour>\d{{1,2}}|{_NUMBER_WORDS})\b(?![:.]?\d|\.?\s*{MONTH})"
)
_SPOKEN_LIKE = lazy_pattern(r"hal[bf]\s|\s(?:over|voor|past|to|nach|vor)\s")
"""What any spoken time contains, and hardly anything else: fast to search."""
_HOUR_WORD = lazy_pattern(rf"\b(?:om|um|at|rond)\s+(?P<hour>{_NUMBER_WORDS})\b")
_EVENING = lazy_pattern(r"avond|evening|tonight|abend|\bnight\b|at night")
_AFTERNOON = lazy_pattern(r"middag|afternoon|nachmittag")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading:
    """One time and its position; `end` for a range."""

    begin: int
    until: int
    start: time
    end: time | None = None
    doors: bool = False
    """Whether it is when doors open, not the start."""
    closing: bool = False
    """Whether it is the end."""


def find_clocks(text: str) -> list[ClockReading]:
    """The certain times, in the order of the text."""
    readings: list[ClockReading] = []
    for clock in [*_ranges(text), *_singles(text), *_names(text), *_spoken(text), *_hour_words(text)]:
        if all(clock.until <= other.begin or clock.begin >= other.until for other in readings):
            readings.append(clock)
    return sorted(readings, key=lambda clock: clock.begin)


def find_loose_clocks(text: str) -> list[ClockReading]:
    """Times with a dot, for use once a day is known."""
    return [
        ClockReading(
            begin=m.start(),
            until=m.end(),
            start=_dotted(m["start"]),
            end=_dotted(m["end"]) if m["end"] else None,
        )
        for m in _LOOSE.finditer(text)
    ]


def _dotted(reading: str) -> time:
    hour, minute = reading.split(".")
    return time(int(hour) % 24, int(minute))


def blank_out(text: str, parts: Sequence[ClockReading | DateMention]) -> str:
    """The text with these parts replaced by spaces, so that positions stay the same."""
    for part in parts:
        text = text[: part.begin] + " " * (part.until - part.begin) + text[part.until :]
    return text


def _ranges(text: str) -> Iterator[ClockReading]:
    for match in _RANGE.finditer(text):
        if not (_is_sure(match, 1) or _is_sure(match, 2)) or (
            _is_date_like(match, 1) and not _is_sure(match, 1)
        ):
            continue
        if not _is_sure(match, 2) and _MONTH_BEHIND.match(text, match.end()):
            continue
        first, second = _halves(match)
        start = _time(match, 1, first, text)
        end = _time(match, 2, second, text)
        if start and end:
            yield ClockReading(begin=match.start(), until=match.end(), start=start, end=end)


def _singles(text: str) -> Iterator[ClockReading]:
    for match in _SINGLE.finditer(text):
        if not _is_sure(match, 1):
            continue
        start = _time(match, 1, match["half1"], text)
        if start:
            label = text[: match.start("h1")]
            yield ClockReading(
                begin=match.start(),
                until=match.end(),
                start=start,
                doors=bool(_DOORS.search(label)),
                closing=bool(_CLOSING.search(label)),
            )


def _is_sure(match: re.Match[str], n: int) -> bool:
    """Whether it is certain: a colon, am or pm, a unit, or a word such as `aanvang` with minutes after it."""
    if match[f"s{n}"] not in (None, ".") or match[f"half{n}"] or match[f"u{n}"]:
        return True
    before = match["before"]
    return n == 1 and bool(before) and (match["s1"] == "." or before.split()[0].strip(":") in _AT)


def _is_date_like(match: re.Match[str], n: int) -> bool:
    return match[f"s{n}"] == "." and int(match[f"m{n}"]) <= 12


def _halves(match: re.Match[str]) -> tuple[str | None, str | None]:
    """Both halves of a range: in `8 - 11pm` both are pm, in `11 - 1pm` only the second.

    The shorter range is meant.
    """
    halves = match["half1"], match["half2"]
    if halves == (None, None) or None not in halves or max(int(match["h1"]), int(match["h2"])) > 12:
        return halves
    ways = [(halves[0] or half, halves[1] or half) for half in "ap"]
    return min(ways, key=lambda way: (_minutes(match, 2, way[1]) - _minutes(match, 1, way[0]) - 1) % _DAY)


def _minutes(match: re.Match[str], n: int, half: str) -> int:
    return _half_day(int(match[f"h{n}"]), half) * 60 + int(match[f"m{n}"] or 0)


def _time(match: re.Match[str], n: int, half: str | None, text: str) -> time | None:
    hour, minute = int(match[f"h{n}"]), int(match[f"m{n}"] or 0)
    hour = _half_day(hour, half) if half else _by_daypart(hour, text, exact=match[f"m{n}"] is not None)
    return time(hour % 24, minute, int(match[f"x{n}"] or 0)) if hour <= 24 else None


def _half_day(hour: int, half: str) -> int:
    if hour > 12:
        return hour
    return hour % 12 + (12 if half == "p" else 0)


def _by_daypart(hour: int, text: str, *, exact: bool) -> int:
    """`vanavond om 8` is 20:00; a time with minutes and a two-digit hour stays as it is."""
    if not 1 <= hour < 12 or (exact and hour >= 10):
        return hour
    evening, afternoon = _EVENING.search(text), _AFTERNOON.search(text)
    if (evening and hour >= 5) or (afternoon and hour <= 7):
        return hour + 12
    return hour


def _names(text: str) -> Iterator[ClockReading]:
    for match in _NAMED.finditer(text):
        hour = 0 if match[0].startswith("mi") else 12
        yield ClockReading(begin=match.start(), until=match.end(), start=time(hour))


def _spoken(text: str) -> Iterator[ClockReading]:
    """`half acht`, `kwart over 8`, `tien voor half zeven`; in English `half past seven`."""
    for match in _SPOKEN.finditer(text) if _SPOKEN_LIKE.search(text) else ():
        if match["half"] or (match["side"] and not (match["minutes"].isdecimal() and match["side"] == "to")):
            minutes = _spoken_minutes(match)
            if minutes is not None:
                hour = _by_daypart(minutes // 60 % 24, text, exact=False)
                yield ClockReading(begin=match.start(), until=match.end(), start=time(hour, minutes % 60))


def _hour_words(text: str) -> Iterator[ClockReading]:
    for match in _HOUR_WORD.finditer(text):
        hour = _by_daypart(CARDINALS[match["hour"]], text, exact=False)
        yield ClockReading(begin=match.start(), until=match.end(), start=time(hour % 24))


def _spoken_minutes(match: re.Match[str]) -> int | None:
    hour = _number(match["hour"])
    if hour is None or not 1 <= hour <= 24:
        return None
    total = hour * 60
    if match["half"]:
        total += 30 if "past" in match["half"] else -30
    if match["side"]:
        away = 15 if match["minutes"] in ("kwart", "quarter", "viertel") else _number(match["minutes"])
        if away is None or away > 30:
            return None
        total += away if match["side"] in ("over", "past", "nach") else -away
    return total % (24 * 60)


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() else CARDINALS.get(word)
