"""The origin of each value: the passage of the stored page that it was read from, as text."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from larder.app import App
from larder.core.errors import ParseAborted
from larder.extraction.snippet import Snippet, snippets
from larder.sdk import Page
from larder.stages.normalize import Context
from larder.store.reads import provenance
from larder.store.reads.provenance import Provenance, ReadVersion
from larder.store.reads.rows import RecordRow

FIELD_ORDER = ("title", "price", "price_minor", "availability", "starts_at", "ends_at", "venue", "address")
MAX_PAGES = 3
"""Stored pages read per record."""
MAX_PAGE_BYTES = 2_000_000
"""Larger pages are not read again."""
MAX_ENTRIES = 300
"""Pages in the cache."""

Snippets = Mapping[str, Snippet]


@dataclass(slots=True)
class SnippetCache:
    """Caches passages by page; one page is read at a time."""

    _entries: OrderedDict[Hashable, Snippets] = field(default_factory=OrderedDict)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, key: Hashable, find: Callable[[], Awaitable[Snippets]]) -> Snippets:
        """The cached passages, or those found now."""
        async with self._one:
            if key not in self._entries:
                self._entries[key] = await find()
            self._entries.move_to_end(key)
            if len(self._entries) > MAX_ENTRIES:
                self._entries.popitem(last=False)
            return self._entries[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldOrigin:
    """The origin of one field."""

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
    """Whether the page is still stored and may be shown."""


async def field_origins(app: App, passages: SnippetCache, record: RecordRow) -> Sequence[FieldOrigin]:
    """The origin of every field, the most important fields first."""
    known = await app.read(provenance.load_provenance, record)
    found: dict[str, FieldOrigin] = {}
    for number, version in enumerate(known.versions):
        lines: Snippets = {}
        if number < MAX_PAGES and version.content_hash is not None and version.size <= MAX_PAGE_BYTES:
            key = (
                record.id,
                version.content_hash,
                version.adapter,
                version.adapter_version,
                version.observed_at,
            )
            lines = await passages.of(key, partial(_snippets, app, known, version))
        for name in version.fields:
            found[name] = _field_origin(name, known.fields[name], version, lines.get(name))
    return [
        found.get(name) or FieldOrigin(field=name, value=known.fields[name]) for name in _order(known.fields)
    ]


def _order(fields: Mapping[str, Any]) -> list[str]:
    """Important fields first, then by name; the price appears once."""
    version = [name for name in sorted(fields) if name != "price_minor" or "price" not in fields]
    return sorted(
        version, key=lambda name: FIELD_ORDER.index(name) if name in FIELD_ORDER else len(FIELD_ORDER)
    )


def _field_origin(name: str, value: Any, version: ReadVersion, passage: Snippet | None) -> FieldOrigin:
    return FieldOrigin(
        field=name,
        value=value,
        strategy=version.strategies.get(name),
        purpose=version.purpose,
        run=version.run,
        adapter=f"{version.adapter} {version.adapter_version}",
        observed_at=version.observed_at,
        url=version.url,
        snippet=passage,
        kept=version.content_hash is not None and version.size <= MAX_PAGE_BYTES,
    )


async def _snippets(app: App, known: Provenance, version: ReadVersion) -> Snippets:
    """Reads the stored page again; empty if it is no longer stored."""
    adapter = app.dispatcher.adapters.get(version.adapter)
    if version.location is None or version.content_hash is None or adapter is None:
        return {}
    blobs = app.blobs()
    try:
        body = await blobs.get(version.location, version.content_hash)
    finally:
        await blobs.close()
    if body is None:
        return {}
    url = version.url or known.source.url
    task = partial(
        snippets,
        Page(url, body, content_type=version.content_type),
        source=known.source,
        adapter=adapter,
        purpose=version.purpose,
        identity_key=known.identity_key,
        context=Context.of(
            known.source, base_url=url, observed_at=version.observed_at, index=version.purpose == "index"
        ),
    )
    try:
        return await app.parse_runner.run(task, affinity=known.source.id)
    except ParseAborted:
        return {}
