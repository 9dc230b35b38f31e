"""The texts of a page in reading order, without what stands beside its thing: one segment a text node.

One pass over the tree, bounded; whether an element stands aside is worked out once for each element.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.place import is_aside, lineage, name_of

MAX_NODES = 60_000
MAX_SEGMENTS = 6_000
MAX_DEPTH = 200

_UNSEEN = frozenset({
    "script", "style", "template", "noscript", "option", "select", "textarea", "head", "title",
})  # fmt: skip
_ASIDE_TAGS = frozenset({"nav", "footer", "aside", "form", "dialog"})
_ALPHANUMERIC = re.compile(r"[^\W_]")
_ELSEWHERE = re.compile(
    r"mortgage|calculator|hypothe|hipote|finanz|mutuo|agent|broker|makler|advertiser|anbieter|contact|"
    r"filter|search|near-?by|school|statistic|trend|lead-?form|tooltip|neighbou?rs|alert|cookie|consent|"
    r"(?:^|[\s_-])(?:map|menu)(?:$|[\s_-])"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segment:
    """One text as it stands, in one line, and the element that holds it."""

    text: str
    holder: Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Segments:
    """The page's own texts, and how many of them come before its headline."""

    texts: tuple[Segment, ...]
    head: int


def segments(page: Page) -> Segments:
    """The texts of the page's body; those of menus, footers, forms and other things are left out."""
    body = page.first("body")
    if body is None:
        return Segments(texts=(), head=0)
    _, head = page.once(headline)
    around: dict[Node, bool] = dict.fromkeys((head, *lineage(head)), False) if head is not None else {}
    found: list[Segment] = []
    before: int | None = None
    for node in islice(body.descendants, MAX_NODES):
        if isinstance(node, Text):
            if (segment := _segment(node, around)) is not None:
                _add(segment, found)
        elif node == head:
            before = len(found)
        if len(found) >= MAX_SEGMENTS:
            break
    return Segments(texts=tuple(found), head=before or 0)


def _add(segment: Segment, found: list[Segment]) -> None:
    """A raised 2 behind `m` or `ft` belongs to its unit."""
    if segment.holder.tag == "sup" and segment.text == "2" and found and found[-1].text.endswith(("m", "ft")):
        last = found.pop()
        segment = Segment(text=f"{last.text}²", holder=last.holder)
    found.append(segment)


def _segment(node: Text, around: dict[Node, bool]) -> Segment | None:
    holder = node.parent
    if not isinstance(holder, Element) or _is_away(holder, around):  # first: a script's text is large
        return None
    data = node.data
    return Segment(text=" ".join(data.split()), holder=holder) if _ALPHANUMERIC.search(data) else None


def _is_away(element: Element, around: dict[Node, bool]) -> bool:
    """Is it unseen, or part of what stands beside the thing? Asked once of each element."""
    if (known := around.get(element)) is not None:
        return known
    path: list[Node] = []
    node: Node | None = element
    while node is not None and node not in around and len(path) < MAX_DEPTH:
        path.append(node)
        node = node.parent
    away = around.get(node, False) if node is not None else False
    for each in reversed(path):
        away = away or (isinstance(each, Element) and _is_elsewhere(each))
        around[each] = away
    return away


def _is_elsewhere(element: Element) -> bool:
    return element.tag in _UNSEEN or element.tag in _ASIDE_TAGS or _is_called_elsewhere(name_of(element))


@lru_cache(maxsize=8_192)
def _is_called_elsewhere(name: str) -> bool:
    return is_aside(name) or _ELSEWHERE.search(name.lower()) is not None
