"""The text of a page with a selector for each piece, so that a person can choose fields by clicking.

No HTML of the page is rendered, only text and selectors made of tags and classes. A selector is offered only
if its first match is the piece itself, within its row where rows repeat.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from turbohtml import Element, Text

from larder.sdk import Page

MAX_PIECES = 240
"""Pieces of text."""
MAX_TEXT = 90
MAX_ROWS = 3
"""Rows shown of each kind."""
MAX_ELEMENTS, MAX_DEPTH, MAX_SIBLINGS = 20_000, 40, 6
"""Limits on elements of a page, ancestors and siblings."""
MIN_SIMILARITY = 0.5
"""Share of elements that similar rows have in common."""
_INVISIBLE = frozenset({"script", "style", "template", "head", "noscript", "svg", "select"})
_NAME = re.compile(r"[A-Za-z_][\w-]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of text."""

    text: str
    path: str
    """Its selector, within its row or else on the page."""
    link: str = ""
    """The selector of its link, as `a@href`; empty without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineBlock:
    """Adjacent pieces: those of one row, or those between rows."""

    row: str
    """The selector of all rows of this kind; empty outside of rows."""
    pieces: tuple[Piece, ...]


def outline(page: Page) -> list[OutlineBlock]:
    """The visible text from the top; of similar rows only the first few."""
    builder = _Outline(page)
    for element in page.css("body *")[:MAX_ELEMENTS]:
        text = _own_text(element)
        if text and not any(each.tag in _INVISIBLE for each in _ancestors(element)):
            builder.add(element, text)
        if builder.many >= MAX_PIECES:
            break
    return builder.blocks()


class _Outline:
    """Collects the blocks of a page while it is walked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.many = 0
        self._open: list[tuple[Element | None, str, list[Piece]]] = []
        self._rows: dict[str, list[Element]] = {}
        self._repeating: dict[Element, bool] = {}

    def add(self, element: Element, text: str) -> None:
        row = self._row_of(element)
        selector = _row_selector(row) if row is not None else ""
        if row is not None and not self._wanted(row, selector):
            return
        if not self._open or self._open[-1][0] is not row:
            self._open.append((row, selector, []))
        self._open[-1][2].append(self._piece(element, text, row))
        self.many += 1

    def blocks(self) -> list[OutlineBlock]:
        return [OutlineBlock(row=row, pieces=tuple(pieces)) for _, row, pieces in self._open]

    def _row_of(self, element: Element) -> Element | None:
        """The outermost ancestor with a similar sibling."""
        elements = list(islice(_ancestors(element), 1, None))
        for each in reversed(elements):
            if each not in self._repeating:
                self._repeating[each] = _repeats(each)
            if self._repeating[each]:
                return each
        return None

    def _wanted(self, row: Element, selector: str) -> bool:
        seen = self._rows.setdefault(selector, [])
        if not any(element is row for element in seen):
            if len(seen) >= MAX_ROWS:
                return False
            seen.append(row)
        return True

    def _piece(self, element: Element, text: str, row: Element | None) -> Piece:
        return Piece(text=text[:MAX_TEXT], path=self._path(element, row), link=self._link(element, row))

    def _link(self, element: Element, row: Element | None) -> str:
        """The selector of the anchor around it, which may be the row itself."""
        anchor = next((each for each in _ancestors(element, row) if _is_link(each)), None)
        if anchor is not None:
            return f"{self._path(anchor, row)}@href"
        return "@href" if row is not None and _is_link(row) else ""

    def _path(self, element: Element, row: Element | None) -> str:
        """The shortest selector whose first match is the element."""
        scope = row if row is not None else self.page.tree
        tried = list(_paths(element, row))
        return next((each for each in tried if scope.select_one(each) is element), tried[0])


def _paths(element: Element, row: Element | None) -> Iterator[str]:
    """Selectors, shortest first; ids only outside of rows."""
    name = element.attr("id") or ""
    if row is None and _NAME.fullmatch(name):
        yield f"#{name}"
    own = _simple(element)
    yield own
    above = list(islice(_ancestors(element, row), 1, 4))
    ancestors = own
    for each in above:
        ancestors = f"{_simple(each)} > {ancestors}"
        yield ancestors
    placed = f"{own}:nth-child({_child_index(element)})"
    yield f"{_simple(above[0])} > {placed}" if above else placed


def _repeats(element: Element) -> bool:
    siblings = (
        *islice(element.next_siblings, MAX_SIBLINGS),
        *islice(element.previous_siblings, MAX_SIBLINGS),
    )
    like = (node for node in siblings if isinstance(node, Element) and _simple(node) == _simple(element))
    return any(_similar(element, each) for each in islice(like, 2))


def _similar(one: Element, other: Element) -> bool:
    """Whether two elements have mostly the same descendants."""
    first, second = _shape(one), _shape(other)
    return bool(first) and len(first & second) >= MIN_SIMILARITY * len(first | second)


def _shape(element: Element) -> set[str]:
    inner = (node for node in element.descendants if isinstance(node, Element))
    return {_simple(each) for each in islice(inner, 100)}


def _row_selector(row: Element) -> str:
    selector = _simple(row)
    parent = row.parent
    return (
        selector if "." in selector or not isinstance(parent, Element) else f"{_simple(parent)} > {selector}"
    )


def _child_index(element: Element) -> int:
    """Its index among its siblings, from 1."""
    return 1 + sum(isinstance(node, Element) for node in element.previous_siblings)


def _own_text(element: Element) -> str:
    words = " ".join(node.data for node in element.children if isinstance(node, Text))
    return " ".join(words.split())


def _ancestors(element: Element, end: Element | None = None) -> Iterator[Element]:
    """The element and its ancestors, below `end` or below the body."""
    each: Element | None = element
    for _ in range(MAX_DEPTH):
        if each is None or each is end or each.tag in ("body", "html"):
            return
        yield each
        parent = each.parent
        each = parent if isinstance(parent, Element) else None


def _is_link(element: Element) -> bool:
    return element.tag == "a" and bool(element.attr("href"))


def _simple(element: Element) -> str:
    """The tag with its first usable class; `*` for a tag that CSS cannot name."""
    tag = element.tag if _NAME.fullmatch(element.tag) else "*"
    classes = element.attrs.get("class") or ""
    listed = classes if isinstance(classes, list) else str(classes).split()
    name = next((each for each in listed if _NAME.fullmatch(each)), "")
    return f"{tag}.{name}" if name else tag
