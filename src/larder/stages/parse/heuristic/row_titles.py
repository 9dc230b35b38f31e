"""What the row of an index is called: its heading, what is marked as title, its link, its first words."""

import re
from itertools import islice

from turbohtml import Element

from larder.sdk.page import text_of
from larder.stages.parse.agenda.patterns import DATE, TIME
from larder.stages.parse.heuristic.words import EVENT_WORDS

MAX_TITLE = 200
MAX_ROW = 8_000
MAX_PARTS = 1_500

_HEADS = "h1, h2, h3, h4"
_TITLED = "[itemprop=name], [class*=title i], [class*=titel i], [class*=name i], [class*=artist i]"
_WORD = re.compile(r"[^\W\d_]+")


def is_huge(row: Element) -> bool:
    """More text than one row ever has: reading it again and again would cost more than it tells."""
    return next(islice(row.descendants, MAX_PARTS, None), None) is not None or len(row.text) > MAX_ROW


def row_title(row: Element) -> str:
    """What a row is called: its heading, what its author marks as title, its link, its first words."""
    for selector in (_HEADS, _TITLED, "a[href]"):
        for element in row.select(selector)[:12]:
            if text := _as_title(text_of(element) or element.attr("title") or ""):
                return text
    shown = text_of(row)
    words = _as_title(shown) if len(shown) < MAX_TITLE else ""
    return words if words[:1].isalpha() and not DATE.match(words) else ""


def _as_title(text: str) -> str:
    """A text that can be a title: not a date, a time, a price or a button."""
    bare = TIME.sub(" ", DATE.sub(" ", text))
    bare = " ".join(bare.split()).strip(" -–|@,:;·•")
    if len(bare) < 3 or len(text) > MAX_TITLE or is_generic(bare):
        return ""
    return text if len(bare) > 0.6 * len(text) else bare


def is_generic(text: str) -> bool:
    """Only words that any event page has: no title."""
    return all(word.casefold() in EVENT_WORDS for word in _WORD.findall(text))
