"""Finds what an agenda says of days that come again without a date: `Every Tuesday 20:00: rehearsal`.

Such a line is an item with its words for a date. No record is made of it (nobody knows which Tuesdays
are left out), but it is counted: a run does not pass over it in silence.
"""

import re
from collections.abc import Iterable
from itertools import islice

from turbohtml import Element, Text

from larder.core.model.item import Item, Strategy
from larder.sdk.calendar_names import recurring_day
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.agenda.element_names import is_hidden_element, is_in_sidebar
from larder.stages.parse.agenda.patterns import days_in, time_in, without_times
from larder.stages.parse.agenda.titles.texts import as_title
from larder.stages.parse.extraction_task import MAX_BLOCK
from larder.stages.parse.heuristic.page_position import lineage

MAX_NODES = 60_000
MAX_LEAD = 20
MAX_LINE = 160
MAX_PIECES = 40
MAX_LINES = 50
MAX_CLIMB = 2
SCORE = 0.2

_BLOCKS = "p, li, tr, dd, dt, td, h2, h3, h4, h5, h6, div"
_NOT_EVENTS = "nav, footer, header, aside, script, style, form, option, [hidden]"
_NAMES = "h2, h3, h4, h5, strong, b, a[href]"
_OPENING = re.compile(
    r"open|geopend|gesloten|closed|clos(?:e|ing)|hours|uren|kassa|box.?office|geöffnet|öffnungs|geschlossen|kasse|ouvert"
    r"|fermé|horaires?|guichet|abiert[oa]|cerrad[oa]|horario|taquilla|apert[oaie]|chius[oaie]|orari[oa]?|biglietteria"
    r"|otwart|czynn|zamknięt|abert[oa]|fechad[oa]|öppe[nt]|öppettider|stängt|åben|åbent|lukket|newsletter|nieuwsbrief",
    re.IGNORECASE,
)
"""When a house is open is no event."""
_BETWEEN = re.compile(r"[:,|•·–—]|\s-\s")
_TIED = re.compile(r"^\s*(?:[:|•·–—-]|\d)")


def recurring_events(page: Page) -> list[Item]:
    """The lines of a page that name a day which comes again, each an item without a date."""
    body = page.first("main") or page.first("body")
    if body is None or not recurring_day(page.visible):
        return []
    known: dict[Element, Item] = {}
    for node in islice(body.descendants, MAX_NODES):
        if isinstance(node, Text) and len(node.data) <= MAX_LINE and len(known) < MAX_LINES:
            block = _block(node)
            if block is not None and block not in known and (item := _item(block, node.data)) is not None:
                known[block] = item
    return list(known.values())


def _block(text: Text) -> Element | None:
    """The block that begins with a day that comes again."""
    day = recurring_day(text.data)
    if not day or " ".join(text.data.split()).find(" ".join(day.split())) > MAX_LEAD:
        return None
    parent = text.parent
    block = parent.closest(_BLOCKS) if isinstance(parent, Element) else None
    if block is None or block.closest(_NOT_EVENTS) is not None or is_in_sidebar(block, {}):
        return None
    return None if any(map(is_hidden_element, _elements((block, *lineage(block, MAX_CLIMB))))) else block


def _elements(nodes: Iterable[object]) -> Iterable[Element]:
    return (node for node in nodes if isinstance(node, Element))


def _item(block: Element, line: str) -> Item | None:
    """The line with what names it: its own words behind the day, else the heading that it stands below."""
    line = " ".join(line.split())
    shown = brief_text_of(block, MAX_PIECES)
    if len(shown) > MAX_LINE or _OPENING.search(shown) or days_in(shown):
        return None
    day = recurring_day(line)
    behind = shown.partition(day)[2]
    timed = bool(time_in(shown))
    pieces = _BETWEEN.split(without_times(behind)) if timed or _TIED.search(behind) else []
    title = max((as_title(each.strip(" -.")) for each in pieces), key=len, default="")
    title = title or (_heading(block) if timed or shown == day else "")
    if not title:
        return None
    return Item(
        fields={"title": title, "date_text": shown},
        strategy=Strategy.HEURISTIC,
        score=SCORE,
        block=block.html[:MAX_BLOCK],
    )


def _heading(block: Element) -> str:
    for node in _elements((block, *lineage(block, MAX_CLIMB))):
        if len(node.text) > MAX_LINE * 4 or days_in(brief_text_of(node, MAX_PIECES * 2)):
            return ""
        named = (as_title(brief_text_of(each, MAX_PIECES)) for each in node.select(_NAMES)[:6])
        if title := next((text for text in named if text and not recurring_day(text)), ""):
            return title
    return ""
