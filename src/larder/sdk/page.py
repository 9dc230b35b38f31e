"""A page as an adapter sees it: text, tree and the readings of both, each made once and only when asked for.

Everything here is bounded and never raises on what a site sent: past `MAX_BYTES` a page is cut, and says so.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import turbohtml
from turbohtml import Document, Element, Node, PlainText, Text

from larder.sdk.charset import decode
from larder.sdk.embedded import State, read_states
from larder.sdk.jsonld import Json, read_json_ld
from larder.sdk.jsontext import loads
from larder.sdk.meta import read_meta
from larder.sdk.microdata import read_microdata

T = TypeVar("T")

MAX_BYTES = 10 * 1024 * 1024

_UNSEEN = frozenset({"script", "style", "template", "head"})
_PLAIN = PlainText(layout="strict", bullet="")


def text_of(node: Node | None) -> str:
    """The words a reader would see in `node`: one line, scripts and styles left out."""
    if node is None:
        return ""
    inner = node.children
    if (
        len(inner) == 1
        and isinstance(inner[0], Text)
        and isinstance(node, Element)
        and node.tag not in _UNSEEN
    ):
        return " ".join(inner[0].data.split())  # nothing to lay out: most elements are like that
    return " ".join(node.to_text(_PLAIN).split())


class Page:
    """One fetched page and everything that can be read from it."""

    def __init__(self, url: str, body: bytes | str, content_type: str | None = None) -> None:
        self.url = url
        self.content_type = content_type
        self.cut = len(body) > MAX_BYTES
        self._body = body[:MAX_BYTES]
        self._made: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"Page({self.url!r}, {len(self._body)} bytes)"

    @cached_property
    def text(self) -> str:
        """The decoded source of the page."""
        return self._body if isinstance(self._body, str) else decode(self._body, self.content_type)

    @cached_property
    def tree(self) -> Document:
        """The parsed page; broken HTML is read as a browser would."""
        return turbohtml.parse(self.text, positions=False)

    @cached_property
    def visible(self) -> str:
        """What a reader would see, one line."""
        return text_of(self.tree)

    @cached_property
    def language(self) -> str | None:
        """The language the page declares: two letters."""
        root = self.tree.select_one("html")
        declared = (root.attr("lang") or root.attr("xml:lang") or "") if root is not None else ""
        return declared.strip().lower()[:2] or None

    def once(self, read: Callable[["Page"], T]) -> T:
        """What `read` makes of this page, made only once however many ask."""
        if read not in self._made:
            self._made[read] = read(self)
        made: T = self._made[read]
        return made

    def css(self, selector: str) -> list[Element]:
        """All elements that match, in document order."""
        return self.tree.select(selector)

    def first(self, selector: str) -> Element | None:
        """The first element that matches."""
        return self.tree.select_one(selector)

    def json_ld(self) -> list[dict[str, Json]]:
        """Every JSON-LD node of the page, `@graph` opened, broken blocks repaired where they can be."""
        return self._json_ld

    def microdata(self) -> list[dict[str, Json]]:
        """Top-level microdata items in the shape of JSON-LD nodes."""
        return self._microdata

    def embedded(self) -> list[State]:
        """The state objects that scripts carry (`__NEXT_DATA__`, `window.x = {…}`)."""
        return self._embedded

    def meta(self) -> dict[str, str]:
        """Open Graph and other meta tags, names in lower case, the first of each name."""
        return self._meta

    def json(self) -> Any:
        """The body itself where it is JSON, else None."""
        return self._json

    @cached_property
    def _json_ld(self) -> list[dict[str, Json]]:
        return read_json_ld(self.tree)

    @cached_property
    def _microdata(self) -> list[dict[str, Json]]:
        return read_microdata(self.tree)

    @cached_property
    def _embedded(self) -> list[State]:
        return read_states(self.tree)

    @cached_property
    def _meta(self) -> dict[str, str]:
        return read_meta(self.tree)

    @cached_property
    def _json(self) -> Any:
        return loads(self.text) if self.text.lstrip()[:1] in ("{", "[") else None
