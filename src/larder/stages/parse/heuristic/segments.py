"""The texts of a page in reading order, one per text node, without menus, sidebars and related items.

One pass over the tree, bounded; what is aside is found by its name and left out with all that is in it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from turbohtml import Element, Node, Text

from larder.core.cached_property import cached_property
from larder.core.policy.trust.offer_status import offer_status
from larder.sdk.css_names import NameSearch
from larder.sdk.page import Page, texts_in
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import ASIDE_NAME
from larder.stages.parse.heuristic.vocabulary.prices import ON_REQUEST

MAX_HEAD = 1_000
MAX_SEGMENTS = 6_000
MAX_BEHIND_HEAD = 30
"""Maximum texts after the headline that may state its price."""
MAX_STATEMENT = 30
MAX_SHARED = 100
"""Maximum characters of a text whose line is cached."""

_EXCLUDED_TAGS = (
    "script", "style", "template", "noscript", "option", "select", "textarea", "head", "title",
    "nav", "footer", "aside", "form", "dialog",
)  # fmt: skip
_PAIRS = frozenset({"dl", "dt", "dd"})
"""Tags of labels and values, which are never another item's card, whatever their class: `grid-item`."""
_ALPHANUMERIC = re.compile(r"[^\W_]")
_EXCLUDED_NAME = re.compile(
    r"mortgage|calculator|hypothe|hipote|finanz|mutuo|agent|broker|makler|advertiser|anbieter|contact|"
    r"filter|search|near-?by|school|statistic|trend|lead-?form|tooltip|neighbou?rs|alert|cookie|consent|"
    r"(?:^|[\s_-])map(?:$|[\s_-])|(?:^|[\s_-])menu(?:$|[\s_-])"
)


class Segment(NamedTuple):
    """One text as written, the same as one line, and its parent element."""

    text: str
    holder: Element


_segment: Any = partial(tuple.__new__, Segment)
"""Creates a segment from a pair in half the time of the constructor: a page has hundreds."""


@dataclass(frozen=True, kw_only=True)
class Segments:
    """The page's own texts, and how many of them precede its headline."""

    texts: tuple[Segment, ...]
    head: int

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The texts as one."""
        return tuple([text for text, _ in self.texts])


def says_unpriced(page: Page) -> bool:
    """Whether a short text right after the headline says "sold" or "on request" in place of a price."""
    shown = page.cached(segments)
    close = (each.text for each in shown.texts[shown.head : shown.head + MAX_BEHIND_HEAD])
    return any(len(text) <= MAX_STATEMENT and _is_unpriced(text) for text in close)


def _is_unpriced(text: str) -> bool:
    return offer_status(text) is not None or ON_REQUEST.search(text) is not None


def segments(page: Page) -> Segments:
    """The texts of the page's body, without those of menus, footers, forms and other items."""
    _, head = page.cached(headline)
    first = next((node for node, _ in texts_in(head, MAX_HEAD)), None) if head is not None else None
    away = _excluded_nodes(page, head)
    at = next((at for at, (node, _) in enumerate(page.texts) if node == first), 0)
    before = _segments_of(page.texts[:at], away)
    found = before + _segments_of(page.texts[at:], away)
    return Segments(texts=tuple(found[:MAX_SEGMENTS]), head=len(before) if len(before) < MAX_SEGMENTS else 0)


def _segments_of(texts: Sequence[tuple[Text, str]], away: set[Node]) -> list[Segment]:
    found = [
        _segment((line, node.parent))
        for node, text in texts
        if node not in away and (line := _shared_line(text) if len(text) <= MAX_SHARED else _line(text))
    ]
    return _with_squares(found) if any(each[0] == "2" for each in found) else found


def _excluded_nodes(page: Page, head: Element | None) -> set[Node]:
    """Hidden nodes and those beside the item, with their descendants, except the headline's ancestors."""
    near: set[Node] = {head, *head.ancestors} if head is not None else set()
    away: set[Node] = set()
    for group in (*map(page.css, _EXCLUDED_TAGS), *page.called_groups(_is_excluded_name)):
        for element in group:  # ancestors first: a group adds each node once
            if element not in near and element not in away and element.tag not in _PAIRS:
                away.add(element)
                away.update(element.descendants)
    return away


def _line(text: str) -> str:
    """The text as one line; empty if it has neither letter nor digit."""
    line = " ".join(text.split())
    return line if line[:1].isalnum() or _ALPHANUMERIC.search(line) else ""


_shared_line = lru_cache(maxsize=4_096)(_line)
"""Cached, as the pages of a site share most of their short texts."""


def _with_squares(found: Sequence[Segment]) -> list[Segment]:
    """Joins a raised 2 to the text before it that ends in `m` or `ft`."""
    squared: list[Segment] = []
    for each in found:
        if (
            each.text == "2"
            and each.holder.tag == "sup"
            and squared
            and squared[-1].text.endswith(("m", "ft"))
        ):
            last = squared.pop()
            squared.append(Segment(f"{last.text}²", last.holder))
        else:
            squared.append(each)
    return squared


_is_excluded_name = NameSearch(ASIDE_NAME, _EXCLUDED_NAME)
