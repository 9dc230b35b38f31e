"""Reads programmes of one day below a strip of days: `Sat 7 | Sun 8 | Mon 9`, then the films of that day.

The days of a strip lead to other pages or panels: they are no events. What has a time below the strip takes
place on the day that the strip marks, else on the day of the page's address, of a heading, or on the first.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from turbohtml import Element, Text

from larder.sdk.calendar_names import month_numbers
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import day_key, is_weekday, without_when
from larder.stages.parse.agenda.timetables.entries import timed_entries_behind
from larder.stages.parse.heuristic.page_position import lineage, name_of
from larder.stages.parse.heuristic.sibling_rows import rows_of
from larder.stages.parse.pagination.days import day_of

MIN_STRIP, MIN_REPEATED = 4, 2
MAX_STRIP = 62
MAX_AROUND = 2_000
MAX_CLIMB = 5
MAX_OTHER = 3

_MONTHS = month_numbers()
_MARKED = re.compile(
    r"(?:^|[\s_-])(?:is-)?(?:active|actief|aktiv|actif|activo|attivo|current|selected|today|chosen)(?:$|[\s_-])"
)
_SAYS_CHOSEN = re.compile(
    r"seleccionad|selected|geselecteerd|ausgewählt|sélectionn|selezionat|wybran|vald(?!\w)|valgt",
    re.IGNORECASE,
)
_HEADINGS = "h1, h2, h3, h4, h5"


@dataclass(frozen=True, slots=True, kw_only=True)
class DayStrip:
    """The days of a strip, in order, and the element that contains nothing else."""

    element: Element
    days: tuple[Mention, ...]


def strips_in(found: list[Mention]) -> list[DayStrip]:
    """The strips among the days of a page: consecutive days, each a control, with no other text between."""
    strips = []
    for run in _runs(found):
        around = _around(run)
        if around is not None and _has_days_only(around, run) and sum(map(_is_control, run)) >= len(run) - 1:
            strips.append(DayStrip(element=around, days=tuple(run)))
    return strips


def chosen_day(strip: DayStrip, others: list[Mention], page: Page) -> Mention:
    """The day whose programme follows the strip, as a mention of the whole strip."""
    marked = [day for day in strip.days if _is_marked(day, strip.element)]
    unlinked = [day for day in strip.days if _link_of(day) is None]
    chosen = next((each[0] for each in (marked, unlinked) if len(each) == 1), None)
    chosen = chosen or _addressed(strip, page) or _headed(strip, others) or strip.days[0]
    return Mention(element=strip.element, text=chosen.text, year=chosen.year, exact=chosen.exact[:10])


def undated_entries(strip: DayStrip, others: list[Mention]) -> list[Element]:
    """The timed entries below a strip that show no day of their own."""
    dated = {node for each in others for node in (each.element, *lineage(each.element, MAX_CLIMB * 2))}
    return [entry for entry in timed_entries_behind(strip.element) if entry not in dated]


def other_days(strips: list[DayStrip], found: list[Mention]) -> list[Mention]:
    """The days outside strips; in rows that show a day of a strip, no others: those are of premieres."""
    listed = [day for strip in strips for day in strip.days]
    within, keys = {day.element for day in listed}, {day_key(day.text) for day in listed}
    others = [each for each in found if each.element not in within]
    rows = rows_of([each.element for each in others]) if strips else {}
    shown = {rows[each.element] for each in others if day_key(each.text) in keys}
    return [each for each in others if day_key(each.text) in keys or rows.get(each.element) not in shown]


def repeat_days(strips: list[DayStrip], others: list[Mention]) -> bool:
    """Whether several rows of a page show days of its strips again."""
    keys = {day_key(day.text) for strip in strips for day in strip.days}
    return sum(day_key(each.text) in keys for each in others) >= MIN_REPEATED


def without_heading_of(chosen: Mention, others: list[Mention]) -> list[Mention]:
    """The page's other days without a heading that repeats the chosen one."""
    return [each for each in others if day_key(each.text) != day_key(chosen.text) or not _is_in_heading(each)]


def _is_in_heading(day: Mention) -> bool:
    return day.element.closest(_HEADINGS) is not None


def _runs(found: list[Mention]) -> Iterator[list[Mention]]:
    """Runs of days that follow each other by one, each once."""
    run: list[Mention] = []
    for mention in [each for each in found if not (each.in_cell or each.in_prose or each.until)]:
        if run and _follows(run[-1], mention):
            run.append(mention)
            continue
        if len(run) >= MIN_STRIP:
            yield run
        run = [mention]
    if len(run) >= MIN_STRIP:
        yield run


def _follows(early: Mention, late: Mention) -> bool:
    before, after = _number(early), _number(late)
    return after == before + 1 or (after == 1 and before in _MONTH_ENDS)


def _number(mention: Mention) -> int:
    """The day of the month; 0 if there is none."""
    found = _NUMBER.search(mention.exact[8:10] or mention.text)
    return int(found[0]) if found else 0


_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_MONTH_ENDS = frozenset({28, 29, 30, 31})


def _around(run: list[Mention]) -> Element | None:
    """The smallest element around all days of a run."""
    last = {run[-1].element, *lineage(run[-1].element, MAX_CLIMB * 2)}
    above = (node for node in (run[0].element, *lineage(run[0].element, MAX_CLIMB * 2)) if node in last)
    found = next(above, None)
    inside = isinstance(found, Element) and found.tag not in ("body", "main", "html")
    return found if inside and isinstance(found, Element) and len(found.text) <= MAX_AROUND else None


def _has_days_only(around: Element, run: list[Mention]) -> bool:
    """Whether an element has few texts that are no days: a mark such as `(selected)`, a label."""
    if len({each.element for each in run}) < len(run):
        return False
    texts = (node.data for node in islice(around.descendants, MAX_AROUND) if isinstance(node, Text))
    other = (text for text in texts if not text.isspace() and _has_words(without_when(text)))
    return sum(1 for _ in other) <= max(1, len(run) // MAX_OTHER)


def _has_words(text: str) -> bool:
    words = (word.strip("()[],.:;|·•‹›«»<>") for word in text.split())
    return any(
        word[:1].isalpha() and not is_weekday(word) and word.casefold() not in _MONTHS for word in words
    )


def _is_control(day: Mention) -> bool:
    """Whether a day leads to its programme: a link, a button, an entry with data for a script."""
    near = [node for node in (day.element, *lineage(day.element, 2)) if isinstance(node, Element)]
    return (
        any(
            node.tag in ("a", "button", "option", "label")
            or node.attr("role") in ("tab", "button", "option")
            or node.attr("onclick") is not None
            or any(name.startswith("data-") for name in node.attrs)
            or _NAVIGATES.search(name_of(node)) is not None
            for node in near
        )
        or day.element.select_one("a[href], button") is not None
    )


_NAVIGATES = re.compile(
    r"(?<![a-z])(?:tabs?|date-?link|day-?link|slider|swiper|carousel|picker|option)(?![a-z])"
)


def _link_of(day: Mention) -> Element | None:
    around = day.element.closest("a[href]")
    return around if around is not None else day.element.select_one("a[href]")


def _is_marked(day: Mention, strip: Element) -> bool:
    for node in (day.element, *lineage(day.element, MAX_CLIMB)):
        if node is strip or not isinstance(node, Element):
            break
        current = (node.attr("aria-current") or "false") != "false" or node.attr("aria-selected") == "true"
        if current or _MARKED.search(name_of(node).lower()):
            return True
    return _SAYS_CHOSEN.search(brief_text_of(day.element, MAX_CLIMB * 4)) is not None


def _addressed(strip: DayStrip, page: Page) -> Mention | None:
    """The day that the page's address names."""
    here: date | None = day_of(page.url)
    wanted = frozenset({here.day, here.month}) if here else None
    return next((day for day in strip.days if day_key(day.text) == wanted), None) if wanted else None


def _headed(strip: DayStrip, others: list[Mention]) -> Mention | None:
    """The day of the strip that the only other day in a heading names."""
    keys = {day_key(each.text) for each in others if _is_in_heading(each)}
    return next((day for day in strip.days if keys == {day_key(day.text)}), None)
