"""Why a value is what it is: the passage of the stored page that it was read from, shown as text."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from larder.app import App
from larder.extraction.snippet import Snippet, snippets
from larder.sdk import Page
from larder.stages.normalize import Context
from larder.store.database.statement import AnyRow
from larder.store.reads import provenance
from larder.store.reads.provenance import Provenance, ReadVersion

FIELD_ORDER = ("title", "price", "price_minor", "availability", "starts_at", "ends_at", "venue", "address")
MAX_PAGES = 3
"""Stored pages that are opened for one record."""
MAX_PAGE_BYTES = 2_000_000
"""Bytes of a page that is read again for a visitor."""
MAX_ENTRIES = 300
"""Pages whose passages are remembered."""

Found = Mapping[str, Snippet]


@dataclass(slots=True)
class SnippetCache:
    """What was found is kept for a while, and one page is read at a time: visitors are quicker than pages."""

    _kept: OrderedDict[Hashable, Found] = field(default_factory=OrderedDict)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, key: Hashable, find: Callable[[], Awaitable[Found]]) -> Found:
        """What is kept, or what is found now."""
        async with self._one:
            if key not in self._kept:
                self._kept[key] = await find()
            self._kept.move_to_end(key)
            if len(self._kept) > MAX_ENTRIES:
                self._kept.popitem(last=False)
            return self._kept[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldOrigin:
    """One field: its value, who read it, when, from which page, and the passage itself."""

    field: str
    value: Any
    strategy: str | None = None
    purpose: str | None = None
    run: int | None = None
    adapter: str | None = None
    observed_at: datetime | None = None
    url: str | None = None
    snippet: Snippet | None = None
    kept: bool = False
    """The page is still stored, and may be shown."""


async def field_origins(app: App, passages: SnippetCache, record: AnyRow) -> Sequence[FieldOrigin]:
    """Every field of a record, the most asked for first."""
    known = await app.look(provenance.load_provenance, record)
    found: dict[str, FieldOrigin] = {}
    for number, told in enumerate(known.told):
        lines: Found = {}
        if number < MAX_PAGES and told.content_hash is not None and told.size <= MAX_PAGE_BYTES:
            key = record.id, told.content_hash, told.adapter, told.adapter_version, told.observed_at
            lines = await passages.of(key, partial(_snippets, app, known, told))
        for name in told.fields:
            found[name] = _field_origin(name, known.fields[name], told, lines.get(name))
    return [
        found.get(name) or FieldOrigin(field=name, value=known.fields[name]) for name in _order(known.fields)
    ]


def _order(fields: Mapping[str, Any]) -> list[str]:
    """What people ask for first, then the rest by name; a price is told once."""
    told = [name for name in sorted(fields) if name != "price_minor" or "price" not in fields]
    return sorted(told, key=lambda name: FIELD_ORDER.index(name) if name in FIELD_ORDER else len(FIELD_ORDER))


def _field_origin(name: str, value: Any, told: ReadVersion, passage: Snippet | None) -> FieldOrigin:
    return FieldOrigin(
        field=name,
        value=value,
        strategy=told.strategies.get(name),
        purpose=told.purpose,
        run=told.run,
        adapter=f"{told.adapter} {told.adapter_version}",
        observed_at=told.observed_at,
        url=told.url,
        snippet=passage,
        kept=told.content_hash is not None and told.size <= MAX_PAGE_BYTES,
    )


async def _snippets(app: App, known: Provenance, told: ReadVersion) -> Found:
    """The page again, read as it was read then; nothing where it is no longer kept."""
    adapter = app.dispatcher.adapters.get(told.adapter)
    if told.location is None or told.content_hash is None or adapter is None:
        return {}
    blobs = app.blobs()
    try:
        body = await blobs.get(told.location, told.content_hash)
    finally:
        await blobs.close()
    if body is None:
        return {}
    url = told.url or known.source.url
    return await asyncio.to_thread(
        snippets,
        Page(url, body, content_type=told.content_type),
        source=known.source,
        adapter=adapter,
        purpose=told.purpose,
        identity_key=known.identity_key,
        context=Context.of(
            known.source, base_url=url, observed_at=told.observed_at, index=told.purpose == "index"
        ),
    )
