"""Why a value is what it is: the passage of the stored page that it was read from, shown as text."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder.actions import provenance
from larder.actions.provenance import Provenance, Told
from larder.app import App
from larder.extraction.snippet import Snippet, snippets
from larder.sdk import Page
from larder.stages.normalize import Context
from larder.store.statement import AnyRow

FIRST = ("title", "price", "price_minor", "availability", "starts_at", "ends_at", "venue", "address")
PAGES = 3
"""Stored pages that are opened for one record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
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
    """The page is still stored."""


async def reasons(app: App, record: AnyRow) -> Sequence[Reason]:
    """Every field of a record, the most asked for first."""
    known = await app.look(provenance.of, record)
    found: dict[str, Reason] = {}
    for number, told in enumerate(known.told):
        passages = await _passages(app, known, told) if number < PAGES else {}
        for name in told.fields:
            found[name] = _reason(name, known.fields[name], told, passages.get(name))
    return [found.get(name) or Reason(field=name, value=known.fields[name]) for name in _order(known.fields)]


def _order(fields: Mapping[str, Any]) -> list[str]:
    """What people ask for first, then the rest by name; a price is told once."""
    told = [name for name in sorted(fields) if name != "price_minor" or "price" not in fields]
    return sorted(told, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))


def _reason(name: str, value: Any, told: Told, passage: Snippet | None) -> Reason:
    return Reason(
        field=name,
        value=value,
        strategy=told.strategies.get(name),
        purpose=told.purpose,
        run=told.run,
        adapter=f"{told.adapter} {told.adapter_version}",
        observed_at=told.observed_at,
        url=told.url,
        snippet=passage,
        kept=told.content_hash is not None,
    )


async def _passages(app: App, known: Provenance, told: Told) -> Mapping[str, Snippet]:
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
