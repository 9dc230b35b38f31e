"""Where on its page a value stands: the few lines of the page around it, as plain text.

The page is read again by the adapter that read it then, so what is shown is what was read: the raw words of
the field, found in the piece of the page that the item came from. Nothing of it is ever rendered.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import orjson

from larder.core.model.item import Extracted, Item, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Source
from larder.sdk import Page, SiteAdapter
from larder.stages.normalize import Context, normalize
from larder.stages.parse import parse

AROUND = 220
"""Characters before and after."""
LONGEST = 400
"""Of a value itself; a description is recognised by how it begins."""
_PLAIN = re.compile(r"[<>\"'&]")
"""Tags were taken out of it, or it was written otherwise: how it begins is looked for, too."""
_TOLD_BY = {
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
    """For each field of a record, where it stands on the page; fields that are not found are left out."""
    reading = parse(page, source=source, adapter=adapter, purpose=purpose)
    if not isinstance(reading, Extracted):
        return {}
    item = _its_item(reading.items, identity_key, adapter, context)
    if item is None:
        return {}
    html = page.text
    home = html.find(item.block[:200]) if item.block else -1
    found: dict[str, Snippet] = {}
    for name in {*item.fields, *_TOLD_BY}:
        for words in _words(item, name):
            at, end = _place(html, words, max(home, 0))
            if at >= 0:
                found[name] = _cut(html, at, end, item.strategies.get(name, item.strategy))
                break
    return found


def _its_item(
    items: Sequence[Item], identity_key: str, adapter: SiteAdapter, context: Context
) -> Item | None:
    """The item that became the record; alone on its page it needs no asking."""
    for item in items:
        said = adapter.normalize(item)
        judged = normalize(said, context) if isinstance(said, Item) else None
        if isinstance(judged, Staged) and judged.identity_key == identity_key:
            return item
    return items[0] if len(items) == 1 else None


def _words(item: Item, name: str) -> Iterable[str]:
    """The raw forms in which a field may stand on the page, the likeliest first."""
    for told in _TOLD_BY.get(name, (name,)):
        for raw in _flat(item.fields.get(told)):
            words = " ".join(raw.split())[:LONGEST]
            if len(words) >= 2 or words.isdigit():
                yield words
                yield words[:60]
                yield _PLAIN.split(words, 1)[0].strip() or words


def _flat(value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _flat(each)
    elif isinstance(value, list | tuple):
        for each in value[:5]:
            yield from _flat(each)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _place(html: str, words: str, home: int) -> tuple[int, int]:
    """Where it begins and ends, near the item's own block if it is there, else anywhere; -1: nowhere."""
    for form in _forms(words):
        at = html.find(form, home)
        if at < 0 and home:
            at = html.find(form)
        if at >= 0:
            return at, at + len(form)
    return -1, -1


def _forms(words: str) -> Iterable[str]:
    """As text, in an attribute, and in the two ways in which scripts write it."""
    quoted = orjson.dumps(words).decode()[1:-1]
    return dict.fromkeys(
        (words, escape(words), escape(words, quote=False), quoted, quoted.replace("/", "\\/"))
    )


def _cut(html: str, at: int, end: int, strategy: str) -> Snippet:
    """Whole lines around it; a line that is too long is cut, and says so."""
    before, after = html[max(0, at - AROUND) : at], html[end : end + AROUND]
    if at > AROUND:
        _, line, rest = before.partition("\n")
        before = rest if line else f"…{before}"
    if end + AROUND < len(html):
        rest, line, _ = after.rpartition("\n")
        after = rest if line else f"{after}…"
    return Snippet(before=_tidy(before), match=html[at:end], after=_tidy(after), strategy=strategy)


def _tidy(text: str) -> str:
    """Blank lines and deep indentation say nothing."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
