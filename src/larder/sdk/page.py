"""A page as an adapter sees it: text, tree and the data in both, each computed once and only on demand.

Everything here is bounded and never raises for a site's content: a page is cut at `MAX_BYTES`, with a note.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import turbohtml
from turbohtml import Document, Element, Node, PlainText, Text

from larder.core.cached_property import cached_property
from larder.core.model.item import RowShape
from larder.sdk.css_names import NamedElements, NameTest
from larder.sdk.embedded import EmbeddedState, attribute_states, read_states
from larder.sdk.fragments import Parts, rooted
from larder.sdk.jsonld import JsonValue, read_json_ld
from larder.sdk.lenient_json import parse_lenient_json
from larder.sdk.meta import read_meta
from larder.sdk.microdata import read_microdata
from larder.sdk.raw_markup import Markup
from larder.sdk.scripts import Script, read_scripts
from larder.sdk.shadow_roots import with_shadow_roots
from larder.sdk.state_attributes import StateAttribute, may_carry_state, read_state_attributes
from larder.sdk.urls import join

T = TypeVar("T")

MAX_BYTES = 10 * 1024 * 1024
MAX_NODES = 60_000
HEAD = 20_000
"""Bytes at the beginning of a page that hold its language and its `<base>`."""

_UNSEEN = frozenset({"script", "style", "template", "head"})
_TABLE_PARTS = frozenset({"tr", "tbody", "thead", "tfoot"})
_PLAIN = PlainText(layout="strict", bullet="")
_ROOT = re.compile(rb"<html\b[^>]{0,5000}", re.IGNORECASE)
_BASE = re.compile(rb"<base\s", re.IGNORECASE)
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]")
_LANGUAGE = re.compile(rb"\b(?:xml:)?lang\s*=\s*[\"']?\s*([a-z]{2})", re.IGNORECASE)


def text_of(node: Node | None) -> str:
    """The visible words in `node`: one line, without scripts and styles."""
    if node is None:
        return ""
    inner = node.children
    if (
        len(inner) == 1
        and isinstance(inner[0], Text)
        and isinstance(node, Element)
        and node.tag not in _UNSEEN
    ):
        return " ".join(inner[0].data.split())  # no layout needed: most elements are like that
    if isinstance(node, Element) and node.tag in _TABLE_PARTS:  # adjacent cells would be joined
        return " ".join(text for each in inner if (text := text_of(each)))
    if node.select_one("li") is None:  # without bullets the defaults give the same, much faster
        return " ".join(node.to_text().split())
    return " ".join(node.to_text(_PLAIN).split())


def texts_in(node: Node, limit: int) -> Iterator[tuple[Text, str]]:
    """The texts among the first nodes below that are not blank, each with its words."""
    for each in islice(node.descendants, limit):
        if type(each) is Text and not (text := each.data).isspace():
            yield each, text


def brief_text_of(node: Element, limit: int = 100) -> str:
    """The text of an element with few nodes; empty for a larger one, after counting up to the limit."""
    return text_of(node) if next(islice(node.descendants, limit, None), None) is None else ""


class Page:
    """One fetched page and everything that can be read from it."""

    def __init__(self, url: str, body: bytes | str, content_type: str | None = None) -> None:
        self.url = url
        self.content_type = content_type
        self.cut = len(body) > MAX_BYTES
        self.markup = Markup(body[:MAX_BYTES], content_type)
        self._made: dict[Any, Any] = {}
        self._states: dict[str, list[EmbeddedState]] = {}
        self.row_shapes: Sequence[RowShape] = ()
        """The row shapes of earlier pages of the same index."""

    def __repr__(self) -> str:
        return f"Page({self.url!r}, {len(self.markup.body)} bytes)"

    def __reduce__(self) -> tuple[type["Page"], tuple[str, bytes | str, str | None]]:
        """Pickle only the input: other processes compute the rest again."""
        return Page, (self.url, self.markup.source, self.content_type)

    @property
    def text(self) -> str:
        """The decoded source of the page."""
        return self.markup.text

    @cached_property
    def scripts(self) -> Sequence[Script]:
        """The scripts of the page, found without building a tree."""
        return list(read_scripts(self.markup))

    @cached_property
    def state_attributes(self) -> Sequence[StateAttribute]:
        """The attributes of the page that carry state."""
        if not may_carry_state(self.unscripted):
            return []
        return list(read_state_attributes(self.markup, self._gaps))

    @cached_property
    def unscripted(self) -> bytes:
        """The body without script texts: often a small part of it, and fast to search."""
        body = memoryview(self.markup.body)
        return b"".join([body[start:end] for start, end in self._gaps])

    @cached_property
    def _gaps(self) -> Sequence[tuple[int, int]]:
        """The ranges of the body outside script texts."""
        starts = [0, *(script.end for script in self.scripts)]
        ends = [*(script.start for script in self.scripts), len(self.markup.body)]
        return list(zip(starts, ends, strict=True))

    @cached_property
    def scripted(self) -> bytes:
        """The texts of its scripts."""
        return b"\n".join([self.markup.body[script.start : script.end] for script in self.scripts])

    @cached_property
    def tree(self) -> Document:
        """The parsed page; broken HTML is read as a browser would."""
        shadowed = b"shadowroot" in self.markup.body and b"shadowroot" in self.unscripted
        text = with_shadow_roots(self.text) if shadowed else self.text
        return turbohtml.parse(text, positions=False)

    @cached_property
    def base(self) -> str:
        """The base of relative links: the page's address, or that of its `<base>`."""
        if _BASE.search(self.markup.body, 0, HEAD) is None:
            return self.url
        tag = self.tree.select_one("base[href]")
        return (join(self.url, tag.attr("href") or "") if tag is not None else None) or self.url

    @cached_property
    def visible(self) -> str:
        """The visible text in one line."""
        return text_of(self.tree)

    @cached_property
    def texts(self) -> Sequence[tuple[Text, str]]:
        """The texts of the body that are not blank, in order, each with its words; of so many nodes."""
        body = self.tree.select_one("body")
        if body is None:
            return []
        return [
            (node, text)
            for node in islice(body.descendants, MAX_NODES)
            if type(node) is Text and not (text := node.data).isspace()
        ]

    @cached_property
    def language(self) -> str | None:
        """The language the page declares: two letters."""
        root = _ROOT.search(self.markup.body, 0, HEAD)
        declared = _LANGUAGE.search(root[0]) if root else None
        return declared[1].decode("ascii").lower() if declared else None

    def cached(self, read: Callable[["Page"], T]) -> T:
        """The result of `read` for this page, computed once."""
        if read not in self._made:
            self._made[read] = read(self)
        value: T = self._made[read]
        return value

    def css(self, selector: str) -> list[Element]:
        """All elements that match, in document order."""
        root, rest = rooted(selector)
        if not root:
            return self.tree.select(selector)
        roots = self._called.with_id(root)
        return [found for element in roots for found in element.select(rest)] if rest else roots

    def first(self, selector: str) -> Element | None:
        """The first element that matches."""
        root, rest = rooted(selector)
        if not root:
            return self.tree.select_one(selector)
        roots = self._called.with_id(root)
        elements = (element.select_one(rest) for element in roots) if rest else iter(roots)
        return next((element for element in elements if element is not None), None)

    @cached_property
    def parts(self) -> Parts:
        """The parts by id, without building the tree: for large generated pages."""
        return Parts(self.markup, self)

    def called(self, judge: NameTest, also: str = "") -> list[Element]:
        """All elements whose class or id `judge` accepts, or that match the selector `also`, in order."""
        return self._called(judge, also)

    def called_groups(self, judge: NameTest) -> tuple[list[Element], list[Element]]:
        """The same by class and by id separately: for callers that do not need a common order."""
        return self._called.groups(judge)

    def json_ld(self) -> list[dict[str, JsonValue]]:
        """Every JSON-LD node of the page, `@graph` opened, broken blocks repaired where they can be."""
        return self._json_ld

    def microdata(self) -> list[dict[str, JsonValue]]:
        """Top-level microdata items in the form of JSON-LD nodes."""
        return self._microdata

    def embedded(self, *, key: str = "") -> list[EmbeddedState]:
        """The states of scripts (`__NEXT_DATA__`, `window.x = {…}`) and attributes that contain a text."""
        if key not in self._states:
            self._states[key] = read_states(self.scripts, key) + attribute_states(self.state_attributes, key)
        return self._states[key]

    def meta(self) -> dict[str, str]:
        """Open Graph and other meta tags, names in lower case, the first of each name."""
        return self._meta

    def json(self) -> Any:
        """The body itself if it is JSON, else None."""
        return self._json

    @cached_property
    def _called(self) -> NamedElements:
        return NamedElements(self.tree)

    @cached_property
    def _json_ld(self) -> list[dict[str, JsonValue]]:
        return read_json_ld(self.scripts)

    @cached_property
    def _microdata(self) -> list[dict[str, JsonValue]]:
        return read_microdata(self.tree)

    @cached_property
    def _meta(self) -> dict[str, str]:
        return read_meta(self.tree)

    @cached_property
    def _json(self) -> Any:
        return parse_lenient_json(self.text) if _JSON.match(self.markup.body) else None
