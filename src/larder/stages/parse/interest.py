"""How many people are interested in a thing or saved it: "123 interested", "45 opgeslagen".

Only a short text with nothing else counts, with its number in it: "Interested?" is a question.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from html import unescape
from itertools import islice

from turbohtml import Element, Text

from larder.sdk.page import Page
from larder.stages.parse.heuristic.headline import source_around
from larder.stages.parse.heuristic.segments import segments

MAX_TEXT = 60
MAX_NODES = 400
BEFORE, AFTER = 20, 120
"""Texts around the headline that may be about the page's own thing."""
BYTES_AROUND = 20_000, 100_000
"""Number of bytes that contain these texts."""

_COUNT = r"\d{1,3}(?:[.,\s\u00a0]\d{3})+|\d{1,9}"
_INTEREST_WORDS = (
    r"(?:people |persons |users |others )?(?:are |is |have |has )?"
    r"(?:interested|going|attending|saved(?: this| it)?|saves|"
    r"favou?rites|favou?rited|likes|bookmarks|watching|watchers)"
    r"|(?:personen |mensen |keer |x )?"
    r"(?:ge[ïi]nteresseerd(?:en)?|opgeslagen|bewaard|favoriet(?:en)?|aanwezig)"
    r"|(?:personen |mal |x |nutzer )?"
    r"(?:interessiert|interessierte|interessenten|gemerkt|gespeichert|vorgemerkt|merkungen)"
    r"|(?:personnes? )?(?:int[ée]ress[ée]e?s?|favoris|enregistrements)|participants"
    r"|(?:personas )?(?:interesad[oa]s?|favoritos|guardados|asistentes)"
    r"|(?:persone )?(?:interessat[ie]|preferiti|salvataggi|partecipanti)"
)
_NUMBERED = re.compile(rb">[\s\xc2\xa0]*+(?=[\d&])(?:&nbsp;[\s\xc2\xa0]*+)*+(\d[^<>]{3,100})")
"""A text that begins with a number, in the page's bytes; matched without backtracking."""
_STEMS = tuple(
    b"int nteres going attend save favo like bookmark watch opgeslagen bewaard aanwezig merk gespeichert "
    b"enregistr particip guardad asistent preferit salvatag partecip".split()
)
"""The ASCII beginnings of the words for interest in every language."""
_INTEREST = re.compile(rf"({_COUNT})\s?(?:×\s?)?(?:{_INTEREST_WORDS})\W*", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def interest_of(text: str) -> str:
    """The count in a short text; empty if it has none."""
    found = _INTEREST.fullmatch(text.strip()) if len(text) <= MAX_TEXT else None
    return found[1] if found else ""


def interest_in(parts: Iterable[Element], page: Page) -> str:
    """The count in a row of a page."""
    if not page.cached(_any_row_may_state_interest):
        return ""
    nodes = (node for part in parts for node in islice(part.descendants, MAX_NODES))
    texts = (" ".join(node.data[: 2 * MAX_TEXT].split()) for node in nodes if isinstance(node, Text))
    return next((count for text in texts if text and (count := interest_of(text))), "")


def page_interest(page: Page) -> str:
    """The count near a detail page's headline."""
    if not _may_state_interest(page, source_around(page, *BYTES_AROUND)):
        return ""
    shown = page.cached(segments)
    near = shown.texts[max(0, shown.head - BEFORE) : shown.head + AFTER]
    return next((count for segment in near if (count := interest_of(segment.text))), "")


def _any_row_may_state_interest(page: Page) -> bool:
    return _may_state_interest(page, page.unscripted)


def _may_state_interest(page: Page, source: bytes) -> bool:
    """Whether a text begins like a count of interest, checked without building a tree."""
    texts = _NUMBERED.findall(source)
    small = b"\n".join(texts).lower()
    if not (stems := [stem for stem in _STEMS if stem in small]):
        return False
    with_stem = (text for text in texts if any(stem in small for small in (text.lower(),) for stem in stems))
    likely = (page.markup.decoded(text) for text in with_stem)
    return any(_INTEREST.match(" ".join(unescape(text).split())) for text in likely)
