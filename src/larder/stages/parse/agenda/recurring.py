"""Reads recurring events without a date from an agenda: `Every Tuesday 20:00: rehearsal`.

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
from larder.stages.parse.agenda.patterns import days_in, without_times
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.agenda.titles.texts import as_title, without_time_words
from larder.stages.parse.extraction_task import MAX_BLOCK
from larder.stages.parse.heuristic.page_position import lineage

MAX_NODES = 60_000
MAX_LEAD = 20
MAX_LEAD_WORDS = 2
MAX_NAME = 80
MAX_NAME_WORDS = 8
MAX_REST_WORDS = 5
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
    r"|otwart|czynn|zamknięt|abert[oa]|fechad[oa]|öppe[nt]|öppettider|stängt|åben|åbent|lukket|newsletter|nieuwsbrief"
    r"|sprechzeit|sprechstunde|spreekuur|erreichbar|bereikbaar|schalter|balie|reception|rezeption",
    re.IGNORECASE,
)
"""Matches opening hours, which are not events."""
_BETWEEN = re.compile(r"[:,|•·–—]|\s-\s")
_TIED = re.compile(r"^\s*(?:[:|•·–—-]|\d)")
_NAMED = re.compile(r"^(?P<name>.*\S)\s*(?:[:|•·–—(]|,|\s-)$")
"""Matches a name joined to the following text: `Farmers' market:`."""
_AT = re.compile(r"^\s*(?:om|um|at|ab|from|vanaf|kl|à|a las|alle|dalle|às|o|v)\s+", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{4,}")
_PLAIN_NAME = re.compile(r"[^\W\d_a-zà-ž][\w'’&/-]*(?: [\w'’&/-]+){0,3}")
"""Matches a name of up to four words without punctuation: `Yoga for seniors every Thursday`."""
_SENTENCE_WORDS = frozenset({
    "we", "wij", "wir", "nous", "on", "noi", "you", "us", "our", "ons", "onze", "unser", "unsere", "notre",
    "er", "es", "there", "this", "dit", "deze", "dies", "meet", "meets", "treffen", "trifft", "is", "are",
    "ist", "sind", "zijn", "wordt", "not", "niet", "nicht", "also",
})  # fmt: skip
_HEADLINE_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary", "caption", "dt"})


def recurring_events(page: Page) -> list[Item]:
    """The lines of a page with a recurring day, each an item without a date."""
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
    """The block that begins with a recurring day, or with a name and then that day."""
    line = " ".join(text.data.split())
    day = recurring_day(line)
    if not day or (line.find(day) > MAX_LEAD and not _name_before(line, day)):
        return None
    parent = text.parent
    block = parent.closest(_BLOCKS) if isinstance(parent, Element) else None
    if block is None or block.closest(_NOT_EVENTS) is not None or is_in_sidebar(block, {}):
        return None
    return None if any(map(is_hidden_element, _elements((block, *lineage(block, MAX_CLIMB))))) else block


def _elements(nodes: Iterable[object]) -> Iterable[Element]:
    return (node for node in nodes if isinstance(node, Element))


def _item(block: Element, line: str) -> Item | None:
    """The line with its name: its own words after the day, else the heading above it."""
    line = " ".join(line.split())
    shown = brief_text_of(block, MAX_PIECES)
    if len(shown) > MAX_LINE or _OPENING.search(shown) or days_in(shown):
        return None
    day = recurring_day(line)
    behind = shown.partition(day)[2]
    timed = bool(time_in(shown))
    if title := _name_before(shown, day):
        return None if _is_below_hours(block) else _undated(title, shown, block)
    if _begins_as_a_sentence(line.partition(day)[0], behind):
        return None
    pieces = _BETWEEN.split(without_times(behind)) if timed or _TIED.search(behind) else []
    title = max((_name_behind(each) for each in pieces), key=len, default="")
    title = title or (_heading(block) if timed or shown == day else "")
    return _undated(title, shown, block) if title else None


def _name_behind(piece: str) -> str:
    """The name after a day, without `at` before the time; a single word may be a common one."""
    name = without_time_words(" ".join(_AT.sub("", piece).split()).strip(" -."))
    return as_title(name) or (name if _LETTERS.fullmatch(name) else "")


def _undated(title: str, shown: str, block: Element) -> Item:
    return Item(
        fields={"title": title, "date_text": shown},
        strategy=Strategy.HEURISTIC,
        score=SCORE,
        block=block.html[:MAX_BLOCK],
    )


def _name_before(line: str, day: str) -> str:
    """The name before the recurring day, if only a time and a place follow it.

    `Farmers' market: every Saturday 8 am – 1 pm`. A sentence that continues behind the day names nothing.
    """
    before, _, behind = line.partition(day)
    named = _NAMED.match(before.rstrip()) if len(before) <= MAX_NAME else None
    if named is None and (plain := _PLAIN_NAME.fullmatch(before.strip())):
        prose = any(word.casefold() in _SENTENCE_WORDS for word in plain[0].split())
        return "" if prose or _said_behind(behind) else as_title(plain[0])
    rest = [piece.strip(" .,;()-") for piece in _BETWEEN.split(without_times(behind))]
    words = [piece.split() for piece in rest if piece]
    if named is None or len(named["name"].split()) > MAX_NAME_WORDS:
        return ""
    timed = bool(time_in(behind))
    fits = not words or (timed and len(words) <= 2 and all(len(each) <= MAX_REST_WORDS for each in words))
    return as_title(named["name"].strip(" -.")) if fits else ""


def _said_behind(behind: str) -> str:
    """The text after a day, without its time."""
    return _AT.sub("", without_times(behind)).strip(" .,;()-–")


def _begins_as_a_sentence(before: str, behind: str) -> bool:
    """Whether at most two words precede a day joined to the following text: `We meet every Tuesday …`."""
    words = sum(word[:1].isalpha() for word in before.split())
    return words > MAX_LEAD_WORDS or (words > 0 and not _TIED.search(behind))


def _is_below_hours(block: Element) -> bool:
    """Whether the lines around are below a heading of opening hours."""
    for node in _elements((block, *lineage(block, MAX_CLIMB))):
        above = node.previous_sibling
        while above is not None:
            heading = above if isinstance(above, Element) else None
            if heading is not None and heading.tag in _HEADLINE_TAGS:
                return bool(_OPENING.search(brief_text_of(heading, MAX_PIECES)))
            above = above.previous_sibling
    return False


def _heading(block: Element) -> str:
    for node in _elements((block, *lineage(block, MAX_CLIMB))):
        if len(node.text) > MAX_LINE * 4 or days_in(brief_text_of(node, MAX_PIECES * 2)):
            return ""
        named = (as_title(brief_text_of(each, MAX_PIECES)) for each in node.select(_NAMES)[:6])
        if title := next((text for text in named if text and not recurring_day(text)), ""):
            return title
    return ""
