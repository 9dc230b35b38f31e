"""The texts of a page in reading order, one per text node, without menus, sidebars and related items.

One pass over the tree, bounded; what stands aside is found by its name and left out with all that is in it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from turbohtml import Element, Node

from larder.core.policy.trust.offer_status import offer_status
from larder.sdk.css_names import NameSearch
from larder.sdk.page import Page, texts_in
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import ASIDE_NAME
from larder.stages.parse.heuristic.price_words import ON_REQUEST

MAX_HEAD = 1_000
MAX_SEGMENTS = 6_000
MAX_BEHIND_HEAD = 30
"""Texts behind the headline that may tell its price."""
MAX_STATEMENT = 30
MAX_SHARED = 100
"""Characters of a text whose line is cached."""

_EXCLUDED_TAGS = (
    "script", "style", "template", "noscript", "option", "select", "textarea", "head", "title",
    "nav", "footer", "aside", "form", "dialog",
)  # fmt: skip
_ALPHANUMERIC = re.compile(r"[^\W_]")
_EXCLUDED_NAME = re.compile(
    r"mortgage|calculator|hypothe|hipote|finanz|mutuo|agent|broker|makler|advertiser|anbieter|contact|"
    r"filter|search|near-?by|school|statistic|trend|lead-?form|tooltip|neighbou?rs|alert|cookie|consent|"
    r"(?:^|[\s_-])map(?:$|[\s_-])|(?:^|[\s_-])menu(?:$|[\s_-])"
)


class Segment(NamedTuple):
    """One text as it stands, in one line, and the element that holds it."""

    text: str
    holder: Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Segments:
    """The page's own texts, and how many of them come before its headline."""

    texts: tuple[Segment, ...]
    head: int


def says_unpriced(page: Page) -> bool:
    """Does a short text close behind the headline say "sold" or "on request", where a price would stand?"""
    shown = page.cached(segments)
    close = (each.text for each in shown.texts[shown.head : shown.head + MAX_BEHIND_HEAD])
    return any(len(text) <= MAX_STATEMENT and _is_unpriced(text) for text in close)


def _is_unpriced(text: str) -> bool:
    return offer_status(text) is not None or ON_REQUEST.search(text) is not None


def segments(page: Page) -> Segments:
    """The texts of the page's body; those of menus, footers, forms and other things are left out."""
    _, head = page.cached(headline)
    first = next((node for node, _ in texts_in(head, MAX_HEAD)), None) if head is not None else None
    away = _excluded_nodes(page, head)
    found: list[Segment] = []
    before = 0
    for node, text in page.texts:
        if node == first:
            before = len(found)
        if node in away:
            continue
        line = _shared_line(text) if len(text) <= MAX_SHARED else _line(text)
        if line and isinstance(holder := node.parent, Element):
            found.append(_squared(line, holder, found) if line == "2" else Segment(line, holder))
            if len(found) >= MAX_SEGMENTS:
                break
    return Segments(texts=tuple(found), head=before)


def _excluded_nodes(page: Page, head: Element | None) -> set[Node]:
    """What is unseen or stands beside the thing, with all that is in it; what holds the headline does not."""
    near: set[Node] = {head, *head.ancestors} if head is not None else set()
    away: set[Node] = set()
    for group in (*map(page.css, _EXCLUDED_TAGS), *page.called_groups(_is_excluded_name)):
        for element in group:  # an outer one before those in it: a group adds each node once
            if element not in near and element not in away:
                away.add(element)
                away.update(element.descendants)
    return away


def _line(text: str) -> str:
    """The text in one line; nothing where it has neither letter nor digit."""
    line = " ".join(text.split())
    return line if line[:1].isalnum() or _ALPHANUMERIC.search(line) else ""


_shared_line = lru_cache(maxsize=4_096)(_line)
"""The pages of a site have most of their short texts in common."""


def _squared(text: str, holder: Element, found: list[Segment]) -> Segment:
    """A raised 2 behind `m` or `ft` belongs to its unit."""
    if holder.tag == "sup" and found and found[-1].text.endswith(("m", "ft")):
        last = found.pop()
        return Segment(f"{last.text}²", last.holder)
    return Segment(text, holder)


_is_excluded_name = NameSearch(ASIDE_NAME, _EXCLUDED_NAME)
