"""Known values: those that a declaration read while its selectors still matched.

Two readings agree if they mean the same, however they are written: `€ 1,250` is `1.250,00 EUR`. The meaning
is computed by normalize, passed in as a function, so that reading and judging cannot diverge.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from turbohtml import Element, Node

from larder.core.errors import BadInput
from larder.sdk.page import Page, brief_text_of, text_of
from larder.sdk.selectors import Part
from larder.sdk.urls import canonical_url, join
from larder.stages.parse.declared import SKIPPED_ELEMENTS

Meaning = Mapping[str, Any]
MAX_SHOWN = 4_000
MAX_TEXT = 4_000
_SILENT = frozenset({"script", "style", "template", "head", "noscript", "svg"})
_UNTOLD = frozenset({"class", "style", "id", "srcset", "sizes", "loading", "width", "height"})


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """A stored page, and when it was fetched."""

    page: Page
    at: datetime

    @cached_property
    def address(self) -> str:
        """The page's own address, canonical."""
        return canonical(self.page.url)


ReadMeaning = Callable[[Mapping[str, Any], Sample], Meaning]
"""Converts raw fields on a page into a record's values."""


@dataclass(slots=True)
class Reader:
    """The meaning of single fields, each computed once."""

    understand: ReadMeaning
    _known: dict[tuple[str, str, str, datetime], Meaning] = field(default_factory=dict)
    _bare: dict[tuple[str, datetime], Meaning] = field(default_factory=dict)

    def meaning(self, name: str, raw: Any, sample: Sample) -> Meaning:
        """The meaning of a field beyond that of its page alone; empty if there is none."""
        key = (name, repr(raw), sample.page.url, sample.at)
        if key not in self._known:
            self._known[key] = self._worked_out(name, raw, sample)
        return self._known[key]

    def _worked_out(self, name: str, raw: Any, sample: Sample) -> Meaning:
        place = (sample.page.url, sample.at)
        if place not in self._bare:
            self._bare[place] = self.understand({}, sample)
        bare, meaning = self._bare[place], self.understand({name: raw}, sample)
        own = {key: value for key, value in meaning.items() if name == key or bare.get(key) != value}
        if name == "url" and isinstance(raw, str):
            own["url"] = canonical(join(sample.page.url, raw) or raw)
        return own


def canonical(url: str) -> str:
    """The address in the form in which it is compared."""
    try:
        return canonical_url(url)
    except BadInput:
        return url


def agrees(meaning: Meaning, known: Meaning) -> bool:
    """Whether no known value is missing or different."""
    return bool(known) and all(meaning.get(key) == value for key, value in known.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The last reading of a record."""

    key: str
    """Its canonical URL, else its id, else its title."""
    raw: Mapping[str, Any]
    values: Mapping[str, Meaning]
    at: datetime
    text: str = ""
    """The text around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownText:
    """A text and its place: an element, or one of its attributes."""

    element: Element
    text: str
    attr: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class SampleScope:
    """A row, or a whole page, about one known record."""

    sample: Sample
    node: Node
    known: Known

    @cached_property
    def shown(self) -> list[ShownText]:
        """Every text and attribute below it."""
        return list(_shown(self.node))


def _shown(node: Node) -> Iterable[ShownText]:
    left = MAX_SHOWN
    for each in (node, *node.descendants):
        if not isinstance(each, Element) or each.tag in _SILENT:
            continue
        left -= 1
        if left <= 0:
            return
        text = brief_text_of(each)
        if text and len(text) <= MAX_TEXT:
            yield ShownText(element=each, text=text)
        for attr in each.attrs:
            value = (each.attr(attr) or "").strip()
            if value and attr not in _UNTOLD and not attr.startswith("on") and len(value) <= MAX_TEXT:
                yield ShownText(element=each, text=value, attr=attr)


def learn_rows(part: Part, samples: Iterable[Sample], reader: Reader) -> dict[str, Known]:
    """The values in rows of index pages; the latest counts."""
    learnt: dict[str, Known] = {}
    for sample in sorted(samples, key=lambda each: each.at):
        for row in part.rows(sample.page.tree):
            known = _known(part.read(row, SKIPPED_ELEMENTS), sample, reader, text=text_of(row))
            if key := record_key(known.values):
                learnt[key] = replace(known, key=key)
    return learnt


def learn_pages(part: Part, samples: Iterable[Sample], reader: Reader) -> dict[str, Known]:
    """The values on pages of single things, by their address."""
    ordered = sorted(samples, key=lambda each: each.at)
    read = ((sample, part.read(sample.page.tree, SKIPPED_ELEMENTS)) for sample in ordered)
    return {
        sample.address: _known(raw, sample, reader, text=sample.page.visible, key=sample.address)
        for sample, raw in read
        if raw
    }


def _known(raw: Mapping[str, Any], sample: Sample, reader: Reader, *, text: str, key: str = "") -> Known:
    values = {name: meant for name, value in raw.items() if (meant := reader.meaning(name, value, sample))}
    return Known(key=key, raw=raw, values=values, at=sample.at, text=text)


def record_key(values: Mapping[str, Meaning]) -> str:
    """The identity of a record."""
    for name in ("url", "platform_id", "sku", "title"):
        if name in values:
            return str(values[name].get(name, ""))
    return ""
