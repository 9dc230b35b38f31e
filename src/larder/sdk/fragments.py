"""Elements below an id, cut out of the page and parsed alone.

Parsing a large page is not worth it if only elements below a few ids are needed. This works for markup as
machines write it: in lower case, ids in quotes, tags closed. The end of an element is found by counting
tags; if that fails, and for every selector that does not begin with an id, the tree of the whole page is
used.
"""

import re
from functools import lru_cache
from typing import Protocol

import turbohtml
from turbohtml import Element

from larder.core.cached_property import cached_property
from larder.sdk.raw_markup import Markup

MAX_PART = 100_000
"""Maximum bytes of a part that is parsed alone; a larger one is most of the page."""
MAX_SAME = 20
"""Maximum elements with one id that are read; a valid page has one."""

_BELOW_ID = re.compile(r"#([\w-]+)(?:\s+([^,>+~\s][^,>+~]*))?")
_IDS = re.compile(rb""" id=["']([^"'\s]+)["']""")
_OPENING = re.compile(rb"<([a-z][a-z0-9]*)\s")
_VOID = frozenset({b"input", b"img", b"meta", b"link"})
_LOOSE = frozenset({b"p", b"li", b"dt", b"dd", b"tr", b"td", b"th", b"thead", b"tbody", b"tfoot", b"option"})
"""Tags that need no closing tag."""


class WholePage(Protocol):
    """The whole page, for selectors that need more than a fragment."""

    def css(self, selector: str) -> list[Element]: ...  # noqa: D102


@lru_cache(maxsize=1_024)
def rooted(selector: str) -> tuple[str, str]:
    """Whether `#price .new` and the like can be found below the element with that id."""
    match = _BELOW_ID.fullmatch(selector)
    return (match[1], f":scope {match[2]}" if match[2] else "") if match else ("", "")


class Parts:
    """The elements of one page that have an id."""

    def __init__(self, markup: Markup, full_page: WholePage) -> None:
        self._markup = markup
        self._whole = full_page
        self._cut: dict[str, list[Element | None]] = {}

    def css(self, selector: str) -> list[Element]:
        """All elements that match `#id` or something below it, in document order."""
        root, rest = rooted(selector)
        parts = self._with_id(root) if root else [None]
        elements = [part for part in parts if part is not None]
        if len(elements) < len(parts):
            return self._whole.css(selector)
        return [element for part in elements for element in part.select(rest)] if rest else elements

    def first(self, *selectors: str) -> Element | None:
        """The first element that matches the first successful one of these selectors."""
        found = (self.css(selector) for selector in selectors)
        return next((elements[0] for elements in found if elements), None)

    def _with_id(self, name: str) -> list[Element | None]:
        if name not in self._cut:
            places = self._places.get(name.encode(), [])[:MAX_SAME]
            places = [at for at in places if not self._markup.is_inert(at)]
            self._cut[name] = [self._part(at) for at in places]
        return self._cut[name]

    @cached_property
    def _places(self) -> dict[bytes, list[int]]:
        """The position of each id, found in one pass over the body."""
        places: dict[bytes, list[int]] = {}
        for match in _IDS.finditer(self._markup.body, max(0, self._markup.body.find(b"<body"))):
            places.setdefault(match[1], []).append(match.start())
        return places

    def _part(self, at: int) -> Element | None:
        """The element with the id at `at`; None if its end is not known."""
        start = self._markup.body.rfind(b"<", 0, at)
        opening = _OPENING.match(self._markup.body, start) if start >= 0 else None
        end = self._end(opening[1], start) if opening else -1
        inner = turbohtml.parse_fragment(self._markup.piece(start, end)).children if end > at else ()
        return inner[0] if len(inner) == 1 and isinstance(inner[0], Element) else None

    def _end(self, tag: bytes, start: int) -> int:
        """The end of the element that begins at `start`; -1 if it is not known."""
        if tag in _VOID:
            return self._markup.end_of_tag(start) + 1
        depth, at = 0, start
        while tag not in _LOOSE and (match := _steps(tag).search(self._markup.body, at, start + MAX_PART)):
            at = match.end()
            if match["inert"]:
                at = self._markup.body.find(b"-->" if match["inert"] == b"!--" else b"</script", at)
            else:
                depth += -1 if match["close"] else 1
            if depth == 0 or at < 0:
                return self._markup.body.find(b">", at) + 1 if at >= 0 else -1
        return -1


@lru_cache(maxsize=256)
def _steps(tag: bytes) -> re.Pattern[bytes]:
    """A pattern of what changes the depth in a tag, its own kind, and of what must be skipped."""
    return re.compile(rb"<(?:(?P<close>/)?" + tag + rb"(?=[\s/>])|(?P<inert>script(?=[\s/>])|!--))")
