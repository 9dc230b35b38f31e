"""Where on its page a value is: the few lines of the page around it, as plain text.

The page is read again by the adapter that read it before, so the passage is the one that was read: the raw
words of the field, found in the part of the page that its strategy read. Nothing of it is ever rendered.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlsplit

import orjson

from larder.core.model.item import Extracted, Item, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Source
from larder.extraction.fragments import Span, strategy_spans
from larder.sdk import Page, SiteAdapter
from larder.stages.normalize import Context, normalize, with_profile_values
from larder.stages.parse import parse

CONTEXT_CHARACTERS = 220
"""Characters before and after."""
MAX_MATCHES = 50
"""Maximum occurrences of the same words that are checked."""
MAX_VALUE_CHARACTERS = 400
"""Maximum characters of a value; a description is recognized by its beginning."""
_PLAIN = re.compile(r"[<>\"'&]")
"""Fields whose raw value had tags or another notation: their beginning is searched, too."""
_RAW_FIELDS = {
    "price_minor": ("price",), "currency": ("currency", "price"), "images": ("image", "images"),
    "starts_at": ("starts_at", "start", "when", "date"), "ends_at": ("ends_at", "end", "when", "date"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A passage of a page's source, with the words that made the value."""

    before: str
    match: str
    after: str
    strategy: str


def snippets(
    page: Page, *, source: Source, adapter: SiteAdapter, purpose: Purpose, identity_key: str, context: Context
) -> Mapping[str, Snippet]:
    """For each field of a record, where it is on the page; fields that are not found are left out."""
    reading = parse(page, source=source, adapter=adapter, purpose=purpose)
    if not isinstance(reading, Extracted):
        return {}
    item = _item_of_record(reading.items, identity_key, adapter, context)
    if item is None:
        return {}
    passages = ((name, _passage(page, item, name)) for name in {*item.fields, *_RAW_FIELDS})
    return {name: passage for name, passage in passages if passage is not None}


def _passage(page: Page, item: Item, name: str) -> Snippet | None:
    """The passage of one field: in the pieces that its strategy read, else anywhere on the page."""
    names = [each for each in _RAW_FIELDS.get(name, (name,)) if each in item.fields]
    for each in names:
        strategy = item.strategies.get(each, item.strategy)
        for spans in (strategy_spans(strategy, page, item), [(0, len(page.text))]):
            home = _item_offset(page.text, item, spans)
            for words in _words(item.fields[each]):
                at, end = _place(page.text, words, spans, home)
                if at >= 0:
                    return _cut(page.text, at, end, strategy)
    return None


def _item_of_record(
    items: Sequence[Item], identity_key: str, adapter: SiteAdapter, context: Context
) -> Item | None:
    """The item that became the record; an item alone on its page is taken without comparison."""
    for item in items:
        normalized = adapter.normalize(item)
        judged = normalize(normalized, context) if isinstance(normalized, Item) else None
        if isinstance(judged, Staged) and judged.identity_key == identity_key:
            return with_profile_values(item, context)
    return with_profile_values(items[0], context) if len(items) == 1 else None


def _words(value: Any) -> Iterable[str]:
    """The raw forms that a value may have on the page, the likeliest first."""
    for raw in _texts_in(value):
        words = " ".join(raw.split())[:MAX_VALUE_CHARACTERS]
        if len(words) >= 2 or words.isdigit():
            yield words
            yield words[:60]
            yield _PLAIN.split(words, 1)[0].strip() or words


def _texts_in(value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value[:5]:
            yield from _texts_in(each)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _item_offset(html: str, item: Item, spans: Sequence[Span]) -> int:
    """The offset of the item's title; of several, the one nearest to its address."""
    title, path = str(item.fields.get("title") or ""), urlsplit(str(item.fields.get("url") or "")).path
    titles = [at for form in _written_forms(title) for at in _all_offsets(html, form, spans)] if title else []
    address = _place(html, path, spans, 0)[0] if len(path) > 1 else -1
    return min(titles, key=lambda at: abs(at - address) if address >= 0 else at, default=0)


def _all_offsets(html: str, form: str, spans: Sequence[Span]) -> Iterator[int]:
    for start, end in spans:
        at = html.find(form, start, end)
        for _ in range(MAX_MATCHES):
            if at < 0:
                break
            yield at
            at = html.find(form, at + 1, end)


def _place(html: str, words: str, spans: Sequence[Span], home: int) -> tuple[int, int]:
    """Start and end in these parts, from the item's own position on if that is known; -1 if absent."""
    after = [(max(start, home), end) for start, end in spans if end > home]
    for form in _written_forms(words):
        for start, end in (*after, *(spans if home else ())):
            at = _find(html, form, start, end)
            if at >= 0:
                return at, at + len(form)
    return -1, -1


def _find(html: str, form: str, start: int, end: int) -> int:
    """The first occurrence as a whole word, else the first as part of another word."""
    first = at = html.find(form, start, end)
    for _ in range(MAX_MATCHES):
        if at < 0 or not (html[at - 1 : at].isalnum() or html[at + len(form) : at + len(form) + 1].isalnum()):
            return first if at < 0 else at
        at = html.find(form, at + 1, end)
    return first


def _written_forms(words: str) -> Iterable[str]:
    """The forms as text, in an attribute, and in the two notations of scripts."""
    quoted = orjson.dumps(words).decode()[1:-1]
    return dict.fromkeys(
        (words, escape(words), escape(words, quote=False), quoted, quoted.replace("/", "\\/"))
    )


def _cut(html: str, at: int, end: int, strategy: str) -> Snippet:
    """Whole lines around the match; a line that is too long is cut with a mark."""
    before, after = html[max(0, at - CONTEXT_CHARACTERS) : at], html[end : end + CONTEXT_CHARACTERS]
    if at > CONTEXT_CHARACTERS:
        _, line, rest = before.partition("\n")
        before = rest if line else f"…{before}"
    if end + CONTEXT_CHARACTERS < len(html):
        rest, line, _ = after.rpartition("\n")
        after = rest if line else f"{after}…"
    return Snippet(before=_unindent(before), match=html[at:end], after=_unindent(after), strategy=strategy)


def _unindent(text: str) -> str:
    """Removes blank lines and common indentation."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
