"""A page as its own words, each with the selectors that would find it: for choosing by pointing.

Nothing of the page is rendered: what is shown is text, and selectors made of its tags and classes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from turbohtml import Element, Text

from larder.sdk import Page

MOST = 240
"""Pieces of text that are shown."""
LONGEST = 90
_UNSEEN = frozenset({"script", "style", "template", "head", "noscript", "svg"})
_NAME = re.compile(r"[A-Za-z_][\w-]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A few words of the page."""

    text: str
    selectors: Sequence[str]
    """Of the element itself, then of those around it."""


def outline(page: Page) -> list[Piece]:
    """What a reader sees, from the top."""
    found: list[Piece] = []
    for element in page.css("body *"):
        if len(found) >= MOST:
            break
        text = _own_text(element)
        if text and not any(each.tag in _UNSEEN for each in _upwards(element)):
            chain = [selector for each in _upwards(element) if (selector := _selector(each))]
            found.append(Piece(text=text[:LONGEST], selectors=list(dict.fromkeys(chain))[:4]))
    return found


def _own_text(element: Element) -> str:
    words = " ".join(node.data for node in element.children if isinstance(node, Text))
    return " ".join(words.split())


def _upwards(element: Element) -> Iterator[Element]:
    each: Element | None = element
    for _ in range(6):
        if each is None or each.tag in ("body", "html"):
            return
        yield each
        parent = each.parent
        each = parent if isinstance(parent, Element) else None


def _selector(element: Element) -> str:
    """Short and likely to last: the id, else the tag with its first plain class."""
    name = element.attrs.get("id") or ""
    if isinstance(name, str) and _NAME.fullmatch(name):
        return f"#{name}"
    classes = element.attrs.get("class") or ""
    listed = classes if isinstance(classes, list) else str(classes).split()
    plain = next((each for each in listed if _NAME.fullmatch(each)), "")
    return f"{element.tag}.{plain}" if plain else element.tag
