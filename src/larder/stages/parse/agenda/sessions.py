"""Reads the times of a row: the time nearest to its day, or several in a list of performances."""

import re
from collections import Counter
from itertools import islice, takewhile

from turbohtml import Element, Node, Text

from larder.core.lazy_pattern import lazy_pattern
from larder.stages.parse.agenda.labels import says_other_day
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import TIME, TIME_TEXT, WEEKDAY, day_key, days_in
from larder.stages.parse.agenda.split_ranges import END_NAME
from larder.stages.parse.agenda.start_times import closing_time_in, listed_clocks, time_in, without_own_day
from larder.stages.parse.extraction_task import Fields
from larder.stages.parse.heuristic.page_position import name_of

MAX_PARTS = 150
MAX_AROUND = 900
MAX_SESSIONS = 40
MAX_BESIDE = 60

MAX_ENDS = 8
MAX_END_PIECES = 6
_ENDS = "[class*=end i], [class*=eind i], [class*=fin i]"
_CLOCKS = "time, a, li, span, button, td, div"
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_HAS_CLOCK = re.compile(r"\d\s*[:.h]\s*\d\d|\d\s*[ap]\.?m", re.IGNORECASE)
_UTC = re.compile(r"(?:Z|[+-]00:?00)$")
_RANGE_MARK = re.compile(
    r"[-\u2010-\u2015\u2212]|\b(?:to|tot|bis|until|till?|até|à|a|hasta|do|al|alle)\b", re.IGNORECASE
)
_THROUGH = r"(?:[-\u2010-\u2015]|t/m|tot(?: en met)?|to|bis|au|al?|do|till?|à|through)"
_WEEKDAYS_TEXT = rf"\b{WEEKDAY}\.?\s*{_THROUGH}\s*{WEEKDAY}\b"
_WEEKDAYS = lazy_pattern(_WEEKDAYS_TEXT, re.IGNORECASE)
_OPENING_HOURS = lazy_pattern(rf"{_WEEKDAYS_TEXT}.{{0,25}}?{TIME_TEXT}", re.IGNORECASE)
_SHORT_DAY = lazy_pattern(r"(?<![\d.])\d\d?\.\s?(?:0?[1-9]|1[0-2])\.(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])\d\d?/\d\d?(?![\d/])")
_WALL = re.compile(r"T(\d\d):(\d\d)")


def when_of(mention: Mention, row: Element) -> list[Fields]:
    """The date fields, one set for each performance."""
    row = mention.scope or row
    if "T" in mention.exact or re.search(r"\d \d\d:", mention.exact):
        around = _text_with_time(mention, row)
        start, shown = as_local_time(mention.exact, around), mention.with_time(around)
        return [{"starts_at": start, "ends_at": mention.until, "date_text": _with_end(shown)}]
    clocks = session_times(row)
    if not clocks and (after := _behind_row(row)) is not None and not time_in(spaced_text(row, MAX_PARTS)):
        clocks = session_times(after) or _clocks_behind(row)
    return _date_texts(mention, clocks, _text_with_time(mention, row), row)


def _clocks_behind(row: Element) -> list[str]:
    """The times after a day in separate elements: `<span>Fri 20 Nov</span> <a>19:00</a> <a>21:30</a>`."""
    behind = (node for node in islice(row.next_siblings, MAX_SESSIONS) if isinstance(node, Element))
    clocks = (_time_alone(node) for node in behind)
    return list(dict.fromkeys(takewhile(TIME.fullmatch, clocks)))


def _with_end(shown: str) -> str:
    """The visible text beside a machine-readable start, if it has an end time."""
    return shown if _RANGE_MARK.search(time_in(shown)) else ""


def when_below(mention: Mention, entry: Element) -> list[Fields]:
    """The same for an entry below a day: the day is the heading's, and so is the time where it has none."""
    own = untitled_text(entry, mention)[:MAX_AROUND]
    if not time_in(own):
        own = spaced_text(mention.element, MAX_PARTS)
        own = own if time_in(own) or entry.tag not in _HEADINGS else _time_behind_row(entry)
    return _date_texts(mention, session_times(entry), own, entry)


def _date_texts(mention: Mention, clocks: list[str], around: str, row: Element) -> list[Fields]:
    clocks = clocks if clocks or mention.until else list(listed_clocks(without_own_day(around, mention.text)))
    if len(clocks) > 1:
        return [{"date_text": f"{mention.day} {clock}"} for clock in clocks]
    shown = mention.with_time(around)
    return [
        {
            "date_text": shown if mention.until else _with_named_end(shown, row, around),
            "ends_at": mention.until,
        }
    ]


def _with_named_end(shown: str, row: Element, around: str) -> str:
    """The text with an end time from an element named so, or after a word for the end."""
    clock = time_in(shown)
    if not clock or _RANGE_MARK.search(clock):
        return shown
    named = (each for each in row.select(_ENDS)[:MAX_ENDS] if END_NAME.search(name_of(each)))
    ends = (text for each in named if TIME.fullmatch(text := spaced_text(each, MAX_END_PIECES)))
    end = next((text for text in ends if text != clock), "") or closing_time_in(around)
    return f"{shown} - {end}" if end else shown


def session_times(row: Element) -> list[str]:
    """Times alone in a link or list entry each: performances, not `10:00 – 14:00`."""
    found: dict[str, Element] = {}
    for element in row.select(_CLOCKS)[: MAX_SESSIONS * 8]:
        text = _time_alone(element)
        if len(text) <= 10 and _HAS_CLOCK.search(text) and TIME.fullmatch(text):
            found.setdefault(text, element)
    listed = {text: place for text, element in found.items() if (place := element.closest("a, li, button"))}
    held = Counter(listed.values())
    return [text for text, place in listed.items() if held[place] == 1][:MAX_SESSIONS]


def _time_alone(element: Element) -> str:
    """The text of an element without children; for a link or a button, the text before its notes."""
    first = element.children[0] if element.children else None
    if not isinstance(first, Text):
        return ""
    if len(element.children) == 1 or (element.tag in _BUTTONS and len(element.text.strip()) < MAX_BESIDE * 3):
        return first.data.strip()
    return ""


_BUTTONS = frozenset({"a", "button"})


def without_opening_hours(text: str, mention: Mention) -> str:
    """Removes opening hours beside the day: `Tuesday to Sunday 10am-5pm`."""
    if _WEEKDAYS.search(text) is None:
        return text
    own = spaced_text(mention.element, MAX_PARTS)
    return _OPENING_HOURS.sub(lambda found: found[0] if found[0] in own else " ", text)


def _text_with_time(mention: Mention, row: Element) -> str:
    """The text in which a time is searched: the smallest around the day with a time and no other day."""
    node: Node | None = mention.element
    most = 2 if mention.until else 1
    while isinstance(node, Element):
        text = untitled_text(node, mention)
        if len(text) < MAX_AROUND:
            text = without_opening_hours(_without_other_days(mention.text, text), mention)
        shown = without_own_day(text, mention.text)
        if len(text) < MAX_AROUND and time_in(shown) and (node is row or _days(text) <= most):
            return _text_behind_day(mention.text, text)
        if node is row or (not text and node is not mention.element):
            break
        node = node.parent
    above = row.parent
    below = _time_behind_row(above) if row.tag == "td" and isinstance(above, Element) else ""
    if beside := _time_behind_row(row):
        return beside
    text = untitled_text(above, mention) if isinstance(above, Element) else ""
    own = len(text) < MAX_AROUND and (_days(text) or len(_SLASHED.findall(text))) == 1
    shown = without_opening_hours(text, mention) if own else ""
    return below if below and not time_in(shown) else shown


def untitled_text(element: Element, mention: Mention, parts: int = MAX_PARTS) -> str:
    """The text of an element without a title whose number could be taken for a time."""
    text = spaced_text(element, parts)
    return text.replace(mention.title, " ") if mention.title else text


def _time_behind_row(row: Element) -> str:
    """The text of the element right after a row, if it has a time and no day."""
    after = _behind_row(row)
    return spaced_text(after, MAX_PARTS) if after is not None else ""


def _behind_row(row: Element) -> Element | None:
    """The element right after a row, if it is short and has a time but no day."""
    after = row.next_sibling
    while isinstance(after, Text) and after.data.isspace():
        after = after.next_sibling
    text = spaced_text(after, MAX_PARTS) if isinstance(after, Element) else ""
    dated = days_in(text) or _SHORT_DAY.search(text) or _WEEKDAYS.search(text)
    fits = len(text) < MAX_BESIDE and time_in(text) and not dated
    return after if fits and isinstance(after, Element) else None


def _without_other_days(day: str, text: str) -> str:
    """The text without times right after its other days: `Created 2 May 2026 - 09:14`."""
    own = day_key(day)
    others = [found for found in days_in(text) if not own or day_key(found[0]) != own]
    for other in reversed(others):
        clock = TIME.match(text[other.end() :].lstrip(_BEFORE_TIME))
        if clock is not None:
            behind = text[other.end() :].lstrip(_BEFORE_TIME)[clock.end() :]
            text = f"{text[: other.end()]} {behind}"
    return text


_BEFORE_TIME = " ,;:|-–@"


def _text_behind_day(day: str, text: str) -> str:
    """The text after the day, if a time follows there."""
    _, found, after = text.partition(day) if day else ("", "", "")
    return after if found and time_in(after[:60]) else text


def _days(text: str) -> int:
    own = (found for found in days_in(text) if not says_other_day(text[: found.start()]))
    return len({found[0].casefold() for found in own})


def is_utc(exact: str) -> bool:
    """Whether it is a time stamped as UTC."""
    return _UTC.search(exact) is not None and _WALL.search(exact) is not None


def as_local_time(exact: str, around: str) -> str:
    """The time without its UTC stamp if the page shows the same clock time, which is local."""
    clock = time_in(around)
    if not clock or not _UTC.search(exact) or not (wall := _WALL.search(exact)):
        return exact
    return _UTC.sub("", exact) if is_same_time(clock, int(wall[1]), int(wall[2])) else exact


def is_same_time(clock: str, hour: int, minute: int) -> bool:
    """Whether a written time begins at that hour and minute."""
    first = re.match(r"\D*(\d{1,2})(?:\s?[:.uh]\s?(\d\d))?", clock)
    if first is None or int(first[2] or 0) != minute:
        return False
    half = re.search(r"([ap])\.?\s?m", clock, re.IGNORECASE)
    written = int(first[1])
    if half is None:
        return written == hour
    return written % 12 == hour % 12 and (half[1].lower() == "p") == (hour >= 12)
