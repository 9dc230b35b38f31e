"""Searches to subscribe to: `/records.atom` and `/events.ics`, with the filters of the pages."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter
from fastapi.responses import Response

from larder.core.model.money import from_minor
from larder.core.model.source import Kind
from larder.rendering.subscriptions import SubscriptionEntry, atom, calendar
from larder.store.reads import public
from larder.store.reads.query import Sort
from larder.store.reads.rows import RecordRow
from larder.web.browse import search_query
from larder.web.context import PageContext, PublicContext

router = APIRouter()

ENTRIES = 100
"""The newest records of a feed."""
EVENTS = 200
"""The next events of a calendar."""


@router.get("/records.atom")
async def as_atom(ctx: PublicContext) -> Response:
    """The newest records of a search as an Atom feed."""
    query = replace(search_query(ctx.request.query_params, limit=ENTRIES), sort=Sort.NEWEST, after=None)
    found = await ctx.read(public.find_records, query, now=ctx.now)
    base, asked = ctx.app.settings.address, ctx.request.url.query
    entries = [_entry(row, base) for row in found.rows]
    name = f"Larder: {query.text}" if query.text else "Larder"
    body = atom(entries, title=name, address=f"{base}/records.atom?{asked}", home=f"{base}/?{asked}")
    return _conditional(ctx, body, "application/atom+xml; charset=utf-8")


@router.get("/events.ics")
async def as_calendar(ctx: PublicContext) -> Response:
    """The next events of a search as a calendar."""
    query = search_query(ctx.request.query_params, limit=EVENTS)
    query = replace(query, kind=Kind.EVENT, sort=Sort.STARTS_AT, after=None)
    found = await ctx.read(public.find_records, query, now=ctx.now)
    base = ctx.app.settings.address
    host = urlsplit(base).hostname or "larder"
    body = calendar([_entry(row, base) for row in found.rows], title="Larder", host=host)
    return _conditional(ctx, body, "text/calendar; charset=utf-8")


def _entry(row: RecordRow, base: str) -> SubscriptionEntry:
    content: Mapping[str, Any] = row.content or {}
    point = None if row.latitude is None or row.longitude is None else (row.latitude, row.longitude)
    return SubscriptionEntry(
        id=row.id,
        title=row.title or f"Record {row.id}",
        page=f"{base}/records/{row.id}",
        link=row.url if (row.url or "").startswith(("http://", "https://")) else None,
        text=_text(row, content),
        published=row.first_seen_at,
        updated=row.updated_at,
        starts=_as_at_venue(content.get("starts_at"), row.starts_at),
        ends=_as_at_venue(content.get("ends_at"), row.ends_at),
        time_known=bool(content.get("time_known", True)),
        place=", ".join(str(content[name]) for name in ("venue", "address", "city") if content.get(name)),
        point=point,
    )


def _text(row: RecordRow, content: Mapping[str, Any]) -> str:
    amount = None if row.price_minor is None else from_minor(row.price_minor, row.currency)
    price = None if amount is None else f"{amount} {row.currency or ''}"
    parts = [price, row.availability, content.get("city"), content.get("description")]
    return "\n".join(str(part).strip() for part in parts if part)


def _as_at_venue(written: Any, stored: datetime | None) -> datetime | None:
    """With the offset of the venue, by which a day without a time is the right one."""
    try:
        read = datetime.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        read = None
    return read if read is not None and read.tzinfo is not None and stored is not None else stored


def _conditional(ctx: PageContext, body: bytes, media_type: str) -> Response:
    """304 where the caller has it: programs ask every few minutes."""
    tag = f'W/"{blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"etag": tag, "cache-control": "public, max-age=300"}
    known = (each.strip() for each in ctx.request.headers.get("if-none-match", "").split(","))
    if tag in known:
        return Response(None, 304, headers)
    return Response(body, 200, headers, media_type=media_type)
