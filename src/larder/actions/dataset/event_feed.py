"""The event feed: upcoming events, ranked by distance, time, category and interest.

The next events by start are ranked; an event of several sources appears once.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson

from larder.core.errors import BadInput
from larder.core.model.source import Kind
from larder.core.policy.event_ranking import EventCandidate, Preferences, event_score
from larder.store.database import Connection, micros, moment
from larder.store.reads import filters, public
from larder.store.reads.query import Query
from larder.store.reads.rows import RecordRow, UpcomingRow

MAX_RANKED = 500
"""Number of next events that are ranked."""
LOOKAHEAD = timedelta(days=60)
STARTED_WITHIN = timedelta(hours=12)
"""Events that began at most so long ago and are not over are included."""
MAX_LIMIT = 100
CANCELLED = "cancelled"
"""The status of events that are not in the feed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFeedQuery:
    """The parameters of a request for ranked events."""

    near: tuple[float, float] | None = None
    within_km: float | None = None
    categories: Collection[str] = ()
    """Preferred categories; events of others rank lower."""
    after: str | None = None
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedEvent:
    """An event in the feed."""

    row: RecordRow
    score: float
    parts: Mapping[str, float]
    """The share of each criterion, from 0 to 1."""
    distance_km: float | None
    sources: int
    """Number of sources that list it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFeedPage:
    """A page of the feed."""

    events: Sequence[RankedEvent]
    next: str | None


def rank_events(conn: Connection, query: EventFeedQuery, *, now: datetime) -> EventFeedPage:
    """The best-ranked events. Later pages are ranked as of the time of the first one."""
    if query.limit < 1:
        raise BadInput(f"limit is {query.limit}", hint=f"set it to 1 to {MAX_LIMIT}")
    at, place = _decode_cursor(query.after) if query.after else (now, None)
    ranked = [event for event in _ranked(conn, query, at=at, now=now) if place is None or _key(event) > place]
    page = ranked[: min(query.limit, MAX_LIMIT)]
    more = len(ranked) > len(page)
    return EventFeedPage(events=page, next=_encode_cursor(at, _key(page[-1])) if more else None)


def _ranked(
    conn: Connection, feed_query: EventFeedQuery, *, at: datetime, now: datetime
) -> list[RankedEvent]:
    query = Query(
        kind=Kind.EVENT,
        near=feed_query.near,
        within_km=feed_query.within_km,
        starts_after=at - STARTED_WITHIN,
        starts_before=at + LOOKAHEAD,
    )
    found = public.upcoming(conn, query, limit=MAX_RANKED, now=now)
    rows = [row for row in found if row.record.content.get("status") != CANCELLED]
    sources_of = public.sources_by_entity(
        conn, sorted({row.record.entity_id for row in rows if row.record.entity_id}), now=now
    )
    wanted = Preferences(here=feed_query.near is not None, categories=frozenset(feed_query.categories))
    ranked = sorted(
        (_rank(row, wanted, len(sources_of.get(row.record.entity_id or 0, [""])), at) for row in rows),
        key=_key,
    )
    return _once(ranked)


def _rank(found: UpcomingRow, preferences: Preferences, sources: int, at: datetime) -> RankedEvent:
    row = found.record
    distance = None if found.squared_degrees is None else filters.kilometres(found.squared_degrees)
    event = EventCandidate(
        starts_at=row.starts_at or at,
        category=row.category,
        distance_km=distance,
        saved=row.saved + _interested(row.content),
        sources=sources,
        reliability=found.reliability,
    )
    weighed = event_score(event, preferences, now=at)
    return RankedEvent(
        row=row, score=weighed.total, parts=weighed.parts, distance_km=distance, sources=sources
    )


def _interested(content: Mapping[str, object]) -> int:
    """How many people are interested, according to the site."""
    interested = content.get("interested")
    return interested if isinstance(interested, int) else 0


def _once(ranked: Sequence[RankedEvent]) -> list[RankedEvent]:
    """The best-ranked event of each entity."""
    seen: set[int] = set()
    first: list[RankedEvent] = []
    for event in ranked:
        entity = event.row.entity_id
        if entity is None or entity not in seen:
            first.append(event)
        if entity is not None:
            seen.add(entity)
    return first


def _key(ranked: RankedEvent) -> tuple[float, int]:
    return -ranked.score, ranked.row.id


def _encode_cursor(at: datetime, key: tuple[float, int]) -> str:
    return urlsafe_b64encode(orjson.dumps([micros(at), *key])).decode().rstrip("=")


def _decode_cursor(cursor: str) -> tuple[datetime, tuple[float, int]]:
    try:
        at, rank, record_id = orjson.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return moment(int(at)), (float(rank), int(record_id))
    except (ValueError, TypeError, OverflowError, binascii.Error) as error:
        raise BadInput(
            "invalid cursor", hint="use `next` of the feed's last answer, or start without a cursor"
        ) from error
