"""Joins date ranges whose two ends are separate elements: `<time>12 June</time> – <time>14 June</time>`.

The second day is the end of the first one's event, not an event.
"""

import re
from dataclasses import replace
from itertools import islice, pairwise

from turbohtml import Element, Node

from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import TIME, WEEKDAY, day_key, days_in
from larder.stages.parse.heuristic.page_position import lineage, name_of

MAX_CLIMB = 4
MAX_AROUND = 160
MAX_OWN_PARTS = 20

_DIVIDERS = "[class*=divider i], [class*=separator i]"
_UNTIL = re.compile(
    r"\W*(?:[-\u2010-\u2015\u2212>→]|t/m|to|tot(?: en met)?|bis|until|through|au|al|a|do|til|till|até|hasta"
    r"|(?:end|finish|einde?|ende"
    r"|fin|fine|fim|koniec|konec|slut)(?:[ -]?(?:date|time|datum|zeit|tijd|uhr))?|(?:date|heure) de fin)\W*",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"(?<!\w){WEEKDAY}", re.IGNORECASE)
_CLOCK_WORDS = re.compile(
    r"(?<!\w)(?:uhr|uur|hrs?|om|um|at|à|alle|ore|kl|klo|godz|von|van|from|de)(?!\w)\.?", re.IGNORECASE
)
"""Words before or after a time of day."""
_DASH_BEFORE_CLOCK = re.compile(r"^\s*[-\u2010-\u2015](?=\d\d?:\d\d)")
"""Matches what joins a day and its time: `7/10/2019-4:00 PM`."""
_HOUR = re.compile(r"^\W*\d{1,2}(?=\s*[-\u2010-\u2015])")
"""Matches `Sun, Oct 5, 12 - 2pm`: am or pm is only at the end."""
END_NAME = re.compile(
    r"(?<![a-z])(?:end|dtend|einde?|ende|fin|fine)(?:[-_ ]?(?:date|time))?(?![a-z])", re.IGNORECASE
)
"""Matches the name of an element with a range's end."""


def joined_ranges(mentions: list[Mention]) -> list[Mention]:
    """The mentions without the ends of ranges; each beginning carries its end."""
    ends: dict[int, int] = {}
    for at, (first, second) in enumerate(pairwise(mentions)):
        if at not in ends and _is_range(first, second):
            ends[at + 1] = at
    until = {begin: _end_of(mentions[begin], mentions[end]) for end, begin in ends.items()}
    return [
        replace(mention, until=until.get(at) or _end_within(mention))
        for at, mention in enumerate(mentions)
        if at not in ends
    ]


def _end_within(mention: Mention) -> str:
    """The end in the same element after the time: `3 May, 10:30 - Sunday, 4 May, 17:00`."""
    text = spaced_text(mention.element, MAX_OWN_PARTS)
    found = list(islice(days_in(text), 2)) if len(text) <= MAX_AROUND and TIME.search(text) else []
    if len(found) < 2 or day_key(found[0][0]) != day_key(mention.text):
        return ""
    between = text[found[0].end() : found[1].start()]
    return text[found[1].start() :] if TIME.search(between) and _leads_to_end(between) else ""


def _leads_to_end(between: str) -> bool:
    without_clock = _CLOCK_WORDS.sub(" ", TIME.sub(" ", _DASH_BEFORE_CLOCK.sub(" ", between)))
    return _UNTIL.fullmatch(_WEEKDAY.sub(" ", _HOUR.sub(" ", without_clock))) is not None


def _end_of(first: Mention, last: Mention) -> str:
    """The last day with the time beside it."""
    if first.element is last.element:
        return _end_within(first)
    return last.exact or last.with_time(spaced_text(last.element, MAX_OWN_PARTS))


def _is_range(first: Mention, second: Mention) -> bool:
    if first.element is second.element:
        end = _end_within(first)
        return bool(end) and end.startswith(second.text)
    around = _common_ancestor(first.element, second.element)
    if around is None:
        return False
    if END_NAME.search(name_of(second.element)):
        return True
    text = spaced_text(around, MAX_AROUND)
    begin, end = (_visible_text(mention) for mention in (first, second))
    _, found, rest = text.partition(begin) if begin else ("", "", "")
    if not end or not found or end not in rest:
        return False
    between = rest.partition(end)[0]
    if _leads_to_end(between):
        return True
    return not TIME.sub("", between).strip() and _is_parted_by_line(first.element, second.element)


def _is_parted_by_line(first: Element, second: Element) -> bool:
    """Whether an empty element drawn as a dash is between them: `<i class="divider"></i>`."""
    around = first.parent
    if not isinstance(around, Element) or around is not second.parent or name_of(first) != name_of(second):
        return False
    return any(not each.text.strip() for each in around.select(_DIVIDERS)[:MAX_CLIMB])


def _visible_text(mention: Mention) -> str:
    """The mention's own text; for an exact one that differs from it, the visible text."""
    text = spaced_text(mention.element, 20)
    return mention.text if mention.text in text else text


def _common_ancestor(first: Element, second: Element) -> Element | None:
    """The nearest element around both, if it is near."""
    above: set[Node] = {first, *lineage(first, MAX_CLIMB)}
    near = (node for node in lineage(second, MAX_CLIMB) if node in above)
    found = next(near, None)
    return found if isinstance(found, Element) and _is_brief(found) else None


def _is_brief(element: Element) -> bool:
    """Whether it has little text; stops early, as it may be the whole page."""
    characters_left = 4 * MAX_AROUND
    for text in element.strings:
        characters_left -= len(text)
        if characters_left <= 0:
            return False
    return True
