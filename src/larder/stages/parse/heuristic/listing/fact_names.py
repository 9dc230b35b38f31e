"""Identifies the fact of a home that a number is, by the names of its element and of the icon beside it."""

import re
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node

from larder.sdk.page import brief_text_of
from larder.stages.parse.heuristic.page_position import lineage, name_of

_ROOM_NAMES = {
    "beds": re.compile(r"(?:^|[^a-z])bed(?:room)?s?(?:$|[^a-z])|schlafzimmer|slaapkamer|dormitorio"),
    "baths": re.compile(r"(?:^|[^a-z])bath(?:room)?s?(?:$|[^a-z])|badezimmer|badkamer|ba[ñn]os|bagni"),
    "rooms": re.compile(r"(?:^|(?<!reception)[^a-z])(?:rooms?|zimmer|kamers|pieces|locali)(?:$|[^a-z])"),
}


def named_field(holder: Element) -> str:
    """The field in the name of a number's element, of the icon in or before it, or of its container."""
    first = next(islice(holder.descendants, 1), None)
    near = (holder, first, _icon(holder.previous_sibling), *lineage(holder, 1))
    named = (_named_after(_names(each)[:400].lower()) for each in near if isinstance(each, Element))
    return next((field for field in named if field), "")


def _icon(node: Node | None) -> Node | None:
    """Whether an element has no text of its own."""
    return node if isinstance(node, Element) and not brief_text_of(node, 20) else None


def _names(element: Element) -> str:
    labels = (
        element.attr(name) or "" for name in ("title", "aria-label", "alt", "data-testid", "data-label")
    )
    return " ".join((name_of(element), *labels))


@lru_cache(maxsize=8_192)
def _named_after(names: str) -> str:
    found = [field for field, words in _ROOM_NAMES.items() if words.search(names)]
    return found[0] if len(found) == 1 else ""
