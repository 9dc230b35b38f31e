"""The parts of a page that a strategy reads: a value is shown where it was read, not where it also appears.

A page repeats its facts: for machines in a script, for people in a heading, and again in a row of what others
bought. Only one of them is evidence.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

import turbohtml

from larder.core.model.item import Item, Strategy
from larder.sdk import Page
from larder.sdk.scripts import Script

Span: TypeAlias = tuple[int, int]
"""Start and end, in characters of the page's text."""

MAX_SPANS = 500
"""Maximum parts of one page that are searched."""


def strategy_spans(strategy: str, page: Page, item: Item) -> Sequence[Span]:
    """Where `strategy` read `item`; empty if that is not known."""
    if strategy in _SPANS_BY_STRATEGY:
        return page.cached(_SPANS_BY_STRATEGY[strategy])
    home = page.text.find(item.block[:200]) if item.block else -1
    return [(home, home + len(item.block))] if home >= 0 else page.cached(_spans_outside_scripts)


def _json_ld_spans(page: Page) -> list[Span]:
    return _script_spans(page, [script for script in page.scripts if script.is_json_ld])


def _embedded_state_spans(page: Page) -> list[Span]:
    return _script_spans(page, [script for script in page.scripts if not script.is_json_ld])


def _script_spans(page: Page, scripts: Sequence[Script]) -> list[Span]:
    html, at, found = page.text, 0, list[Span]()
    for text in (script.text for script in scripts[:MAX_SPANS]):
        start = html.find(text, at) if text else -1
        if start >= 0:
            at = start + len(text)
            found.append((start, at))
    return found


def _microdata_spans(page: Page) -> list[Span]:
    """The elements with a property, each with its tag; an item within an item is no property's text."""
    as_long = page.text.replace("\r", " ")  # offsets count a line's end as one character
    tree = turbohtml.parse(as_long, source_locations=True)
    every = tree.select("[itemprop]:not([itemscope]), [property]:not([typeof])")
    return list(islice(_spans(every), MAX_SPANS))


def _spans(elements: Sequence[turbohtml.Element]) -> Iterator[Span]:
    for location in (element.source_location for element in elements):
        if location is not None:
            start, end = location.start_tag, location.end_tag or location.start_tag
            yield start.start_offset, end.end_offset


def _spans_outside_scripts(page: Page) -> list[Span]:
    """All text but the scripts: what a selector can match."""
    at, found = 0, list[Span]()
    for start, end in _script_spans(page, page.scripts):
        found.append((at, start))
        at = end
    return [*found, (at, len(page.text))]


_SPANS_BY_STRATEGY: dict[str, Callable[[Page], list[Span]]] = {
    Strategy.JSON_LD: _json_ld_spans,
    Strategy.EMBEDDED: _embedded_state_spans,
    Strategy.MICRODATA: _microdata_spans,
}
