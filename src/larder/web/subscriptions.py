"""Searches and watches to subscribe to.

`/records.atom`, `/records.rss` and `/events.ics` take the filters of the pages. `/feeds/TOKEN.atom` (`.rss`,
`.ics`) is the private feed of one watch: its address cannot be guessed, and no shared cache may keep it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from larder.core.errors import NotFound
from larder.core.model.money import from_minor
from larder.core.model.record import Verification
from larder.core.model.source import Kind
from larder.rendering.subscriptions import SubscriptionEntry, atom, calendar, rss
from larder.store.operations.notifications import watch_feeds, watches
from larder.store.operations.notifications.watch_feeds import Reported
from larder.store.operations.notifications.watches import Watch
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


@dataclass(frozen=True, slots=True)
class _Form:
    write: Callable[..., bytes]
    media_type: str


_FEEDS: Mapping[str, _Form] = {
    "atom": _Form(atom, "application/atom+xml; charset=utf-8"),
    "rss": _Form(rss, "application/rss+xml; charset=utf-8"),
}
CALENDAR = "text/calendar; charset=utf-8"


@router.get("/records.{form}")
async def as_feed(ctx: PublicContext, form: str) -> Response:
    """The newest records of a search as a feed."""
    if form not in _FEEDS:
        raise HTTPException(404)
    query = replace(search_query(ctx.request.query_params, limit=ENTRIES), sort=Sort.NEWEST, after=None)
    page = await ctx.read(public.find_records, query, now=ctx.now)
    base, asked = ctx.app.settings.address, ctx.request.url.query
    entries = [_entry(row, base) for row in page.rows]
    name = f"Larder: {query.text}" if query.text else "Larder"
    body = _FEEDS[form].write(
        entries, title=name, address=f"{base}/records.{form}?{asked}", home=f"{base}/?{asked}"
    )
    return _conditional(ctx, body, _FEEDS[form].media_type)


@router.get("/events.ics")
async def as_calendar(ctx: PublicContext) -> Response:
    """The next events of a search as a calendar."""
    query = search_query(ctx.request.query_params, limit=EVENTS)
    query = replace(query, kind=Kind.EVENT, sort=Sort.STARTS_AT, after=None)
    page = await ctx.read(public.find_records, query, now=ctx.now)
    return _conditional(ctx, _calendar(ctx, page.rows, "Larder"), CALENDAR)


@router.get("/feeds/{token}.ics")
async def watch_calendar(ctx: PublicContext, token: str) -> Response:
    """The next events that match a watch."""
    watch = await _watch(ctx, token)
    rows = await ctx.read(watch_feeds.list_events, watch, limit=EVENTS, now=ctx.now)
    return _conditional(ctx, _calendar(ctx, rows, f"Larder: {watch.name}"), CALENDAR, private=True)


@router.get("/feeds/{token}.{form}")
async def watch_feed(ctx: PublicContext, token: str, form: str) -> Response:
    """What a watch reported, the latest first."""
    if form not in _FEEDS:
        raise HTTPException(404)
    watch, base = await _watch(ctx, token), ctx.app.settings.address
    reporteds = await ctx.read(watch_feeds.list_reported, watch, limit=ENTRIES, now=ctx.now)
    address = f"{base}/feeds/{token}.{form}"
    body = _FEEDS[form].write(
        [_report(reported, base) for reported in reporteds],
        title=f"Larder: {watch.name}",
        address=address,
        home=base,
    )
    return _conditional(ctx, body, _FEEDS[form].media_type, private=True)


async def _watch(ctx: PageContext, token: str) -> Watch:
    watch = await ctx.read(watches.by_feed_token, token)
    if watch is None:
        raise NotFound("there is no such feed", hint="its address may have been replaced or removed")
    return watch


def _calendar(ctx: PageContext, rows: Iterable[RecordRow], title: str) -> bytes:
    base = ctx.app.settings.address
    host = urlsplit(base).hostname or "larder"
    return calendar([_entry(row, base) for row in rows], title=title, host=host)


def _report(reported: Reported, base: str) -> SubscriptionEntry:
    """A later report of the same record is another entry."""
    entry = _entry(reported.record, base)
    gone = reported.record.verification == Verification.GONE
    key = f"{entry.page}#{reported.at:%Y%m%dT%H%M%S}"
    title = f"Gone: {entry.title}" if gone else entry.title
    return replace(entry, key=key, title=title, published=reported.at, updated=reported.at)


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


def _conditional(ctx: PageContext, body: bytes, media_type: str, *, private: bool = False) -> Response:
    """304 where the caller has it: programs ask every few minutes."""
    tag = f'W/"{blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"etag": tag, "cache-control": f"{'private' if private else 'public'}, max-age=300"}
    if private:
        headers["x-robots-tag"] = "noindex"
    known = (part.strip() for part in ctx.request.headers.get("if-none-match", "").split(","))
    if tag in known:
        return Response(None, 304, headers)
    return Response(body, 200, headers, media_type=media_type)
