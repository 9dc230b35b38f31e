"""The events feed: upcoming events, ranked for a position and preferred categories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from larder.actions.dataset import event_feed, public_record
from larder.actions.dataset.event_feed import MAX_LIMIT, EventFeedQuery
from larder.actions.dataset.public_record import PublicRecord
from larder.api.context import PublicContext
from larder.api.records import NEAR, parse_near
from larder.api.responses import etag_response

router = APIRouter(prefix="/feed", tags=["feed"])

MAX_CATEGORIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """An event with its score."""

    event: PublicRecord
    score: float
    parts: Mapping[str, float]
    """What each criterion contributed, from 0 to 1."""
    sources: int
    """Number of sources that list it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """A page of the events feed."""

    items: Sequence[EventLine]
    next: str | None
    """Send it as `after` to get the next page; null: this is the last page."""


@router.get("", summary="Events feed: upcoming events, ranked", response_model=EventPage)
async def feed(
    request: Request,
    ctx: PublicContext,
    *,
    near: Annotated[str | None, Query(pattern=NEAR, description="Your position: LAT,LON.")] = None,
    within_km: Annotated[
        float | None, Query(gt=0, le=20_000, description="Maximum distance from it.")
    ] = None,
    categories: Annotated[
        str | None, Query(max_length=500, description="Preferred categories, separated by commas.")
    ] = None,
    after: Annotated[str | None, Query(max_length=200, description="`next` of the previous page.")] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Events per page.")] = 20,
) -> Response:
    """Ranked by distance, category, start time, interest, number of sources and their reliability."""
    liked = [name.strip() for name in (categories or "").split(",") if name.strip()][:MAX_CATEGORIES]
    query = EventFeedQuery(
        near=parse_near(near), within_km=within_km, categories=liked, after=after, limit=limit
    )
    page = await ctx.read(event_feed.rank_events, query, now=ctx.now)
    answers = [
        {
            "event": public_record.to_public(event.row, public_record.FIELD_NAMES, now=ctx.now)
            | {"distance_km": event.distance_km},
            "score": event.score,
            "parts": dict(event.parts),
            "sources": event.sources,
        }
        for event in page.events
    ]
    return etag_response(request, {"items": answers, "next": page.next}, private=ctx.caller.known)
