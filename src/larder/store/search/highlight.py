"""A snippet of a record with the search hits marked.

The text is escaped for HTML, and the marks are characters that no text has, so that a page may replace them
by `<mark>` and show the rest as it is.
"""

import re
from collections.abc import Mapping
from html import escape
from itertools import pairwise
from typing import Any

from larder.store.search.parsed_query import ParsedQuery
from larder.store.search.words import fold

BEGIN, END = "\ue000", "\ue001"
"""Around each hit; private-use characters, removed from every text."""
LENGTH = 160

_UNCLEAN = re.compile(f"[&<>\"'{BEGIN}{END}]")
_WORD = re.compile(r"[^\W_]+")
_FIELDS = ("title", "venue", "address", "brand", "description")


def highlight(query: ParsedQuery, content: Mapping[str, Any]) -> str:
    """A snippet of the field with most hits; of the title where there are none."""
    best, hits, most = "", list[_Match](), -1
    for name in _FIELDS:
        if isinstance(content.get(name), str):
            text = " ".join(content[name].split())
            found = _hits(query, text)
            words = len({word for _, _, word in found})
            if words > most:
                best, hits, most = text, found, words
            if most == len(query.words):
                break  # no other field has more
    return _snippet(best, [(start, end) for start, end, _ in hits]) if most >= 0 else ""


_Match = tuple[int, int, str]


def _hits(query: ParsedQuery, text: str) -> list[_Match]:
    """The matches in a text as (start, end, query word)."""
    return [
        (match.start(), match.end(), word)
        for match in _WORD.finditer(text)
        for word in query.matched_by(fold(match[0]))
    ]


def _snippet(text: str, hits: list[tuple[int, int]]) -> str:
    start, end = _window(text, hits[0][0] if hits else 0)
    inside = sorted({hit for hit in hits if start <= hit[0] and hit[1] <= end})
    edges = [start, *(at for hit in inside for at in hit), end]
    clean = _clean if _UNCLEAN.search(text) else str
    pieces = [clean(text[a:b]) for a, b in pairwise(edges)]
    marked = "".join(f"{BEGIN}{piece}{END}" if i % 2 else piece for i, piece in enumerate(pieces))
    return ("… " if start else "") + marked.strip() + (" …" if end < len(text) else "")


def _window(text: str, hit: int) -> tuple[int, int]:
    """The window of text around the first hit."""
    start = text.rfind(" ", 0, max(hit - LENGTH // 4, 0)) + 1 if hit > LENGTH // 4 else 0
    if len(text) - start <= LENGTH:
        return start, len(text)
    cut = text.rfind(" ", start, start + LENGTH)
    return start, cut if cut > hit else start + LENGTH


def _clean(piece: str) -> str:
    return escape(piece.replace(BEGIN, "").replace(END, ""))
