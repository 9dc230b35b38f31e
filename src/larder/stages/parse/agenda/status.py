"""Reads an event's status: the words for cancelled, postponed, moved and sold out in its row or page.

Only short texts and badges count: a sentence may say what happens if something is cancelled.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Text

from larder.core.policy.word_search import WordSearch
from larder.sdk.page import brief_text_of
from larder.stages.parse.agenda.element_names import is_hidden_element, is_related_name
from larder.stages.parse.agenda.patterns import days_in
from larder.stages.parse.heuristic.page_position import lineage, name_of

MAX_BADGE = 40
MAX_LINE = 120
MAX_TEXT = 4_000
MAX_CLIMB = 8
MAX_NODES = 200
MIN_STATUS = 4
"""Matches `full` alone, which may be the price without a reduction."""

_STATES = {
    "cancelled": r"cancel+ed|geannuleerd|afgelast|gecanceld|gaat niet door|abgesagt|fällt aus"
    r"|entfällt|annulée?|cancelad[oa]|suspendid[oa]|annullat[oa]|cancellat[oa]|odwołan\w*|inställ[td]\w*|aflyst|avlyst|zrušeno",
    "postponed": r"postponed|uitgesteld|verschoben|reportée?|aplazad[oa]|pospuest[oa]|rinviat[oa]|adiad[oa]"
    r"|przełożon\w*|uppskjut\w*|udsat|utsatt|odloženo",
    "moved": r"rescheduled|new date|moved(?: to)?"
    r"|(?:venue|location|time)(?: (?:&|and) (?:venue|location|time))? change"
    r"|verplaatst|nieuwe datum|verlegt|neuer termin"
    r"|nouvelle date|déplacée?|nueva fecha|reprogramad[oa]|spostat[oa]|nuova data",
    "sold_out": r"sold[ -]?out|fully booked|registration(?: is)? full|event(?: is)? full|^full$"
    r"|uitverkocht|volgeboekt|ausverkauft|ausgebucht|complet"
    r"|agotad[oa]s?"
    r"|entradas agotadas|esaurit[oa]|tutto esaurito|wyprzedan\w*|slutsål[dt]|udsolgt|utsolgt"
    r"|vyprodáno|esgotad[oa]",
}
_STATE_PATTERNS = {
    state: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for state, words in _STATES.items()
}
_STATE_WORDS = WordSearch(*_STATES.values())
"""Stems of these words: a fast check of a text whose parts may be joined."""
_TO = r"(?:to|till?|until|auf(?: den)?|naar|tot|au|al|a|para(?: el)?|per il|na|til)"
_NEW_DAY = re.compile(
    rf"(?<!\w)(?:(?:{_STATES['postponed']}|{_STATES['moved']})\s+{_TO}(?: the)?"
    r"|new date|nieuwe datum|neuer termin|nouvelle date|nueva fecha|nuova data)\s*:?\s*$",
    re.IGNORECASE,
)
"""Matches text before a new day: `verlegt auf den`, `moved to`, `new date:`."""
_NOT = re.compile(r"(?:not|niet|nicht|pas|non?|never|if|als|wenn|si|se)\s+(?:\w+\s+)?$", re.IGNORECASE)
_BADGES = (
    "[class*=status i], [class*=badge i], [class*=label i], [class*=flag i], "
    "[class*=sold i], [class*=cancel i], [class*=tag i], button, a, span, strong, em, b"
)


def status_in(row: Element, title: str, beside: frozenset[Element]) -> str:
    """`cancelled`, `postponed`, `moved`, `sold_out`, or empty; skips elements hidden or in `beside`."""
    if status := status_of(title):
        return status
    if not _STATE_WORDS.search(row.text[:MAX_TEXT]):
        return ""
    badges = ((each, brief_text_of(each, 8)) for each in row.select(_BADGES)[:80])
    said = [(each, status_of(text)) for each, text in badges if len(text) <= MAX_BADGE]
    said += [(holder, _stated_in(text)) for holder, text in _texts(row)]
    return next((status for each, status in said if status and not _is_passed_over(each, row, beside)), "")


def _texts(row: Element) -> Iterator[tuple[Element, str]]:
    """The texts of a row that may state its status, each with its element."""
    for node in islice(row.descendants, MAX_NODES):
        holder = node.parent if isinstance(node, Text) else None
        if isinstance(node, Text) and isinstance(holder, Element):
            text = node.data.strip()
            yield from [(holder, text)] if MIN_STATUS < len(text) <= MAX_LINE else []


def _stated_in(text: str) -> str:
    """The status in a line: in all of it, in a part between dashes or bars, or after its dash."""
    if _STATE_WORDS.search(text) is None:
        return ""
    if is_status(text) or names_new_day(text):
        return status_of(text)
    behind = _DASH_FIRST.match(text)
    led = (state for state, words in _STATE_PATTERNS.items() if behind and words.match(text, behind.end()))
    return next((status_of(part) for part in _PARTS.split(text) if is_status(part)), next(led, ""))


_PARTS = re.compile(r"\s[-–—|•·]+\s|!+(?:\s|$)")
_DASH_FIRST = re.compile(r"[-–—]+\s*")


def _is_passed_over(badge: Element, row: Element, beside: frozenset[Element]) -> bool:
    """Whether a badge or an ancestor is hidden, or another event's."""
    if any(isinstance(each, Element) and is_hidden_element(each) for each in badge.descendants):
        return True  # its visible children are read by themselves
    for node in (badge, *lineage(badge, MAX_CLIMB)):
        if node is row or not isinstance(node, Element):
            return False
        if is_hidden_element(node) or node in beside or is_related_name(name_of(node)):
            return True
    return False


def is_status(text: str) -> bool:
    """Whether a text is only such a word."""
    return any(pattern.fullmatch(text.strip("!()[]-–—:|*· ")) for pattern in _STATE_PATTERNS.values())


def names_new_day(text: str) -> bool:
    """Whether a text names or links to the new day of a moved event: `Verlegt auf den 14.01.2027`."""
    if _STATE_WORDS.search(text) is None:
        return False
    return any(map(is_before_new_day, (text, *(text[: day.start()] for day in days_in(text)))))


def is_before_new_day(text: str) -> bool:
    """Whether a text ends with words for the new day of a moved event."""
    return _NEW_DAY.search(text) is not None


@lru_cache(maxsize=4_096)
def status_of(text: str) -> str:
    """The status in a short text; empty if it has none or negates it."""
    if len(text) > 200 or _STATE_WORDS.search(text) is None:
        return ""
    for state, pattern in _STATE_PATTERNS.items():
        found = pattern.search(text)
        if found and not _NOT.search(text[: found.start()]):
            return state
    return ""
