"""Watches: saved searches and prices that send notifications."""

from dataclasses import replace

from fastapi import APIRouter
from pydantic import Field

from larder.actions.dataset import watches
from larder.actions.dataset.watches import MAX_NAME_LENGTH, WatchLine
from larder.api.context import AdminContext
from larder.api.records import RecordFilters
from larder.api.request_bodies import Id, RequestBody, example
from larder.api.schemas import Items
from larder.request_validation import MAX_ID
from larder.store.reads.query import PAGE

router = APIRouter(prefix="/watches", tags=["watches"])


class WatchFilters(RequestBody, RecordFilters):
    """The saved search of a watch."""


class NewWatch(RequestBody):
    """A watch: a saved search, or the price of one record."""

    model_config = example(name="three rooms", query={"text": "three rooms", "price_max": 120000})

    name: str = Field(min_length=1, max_length=MAX_NAME_LENGTH, description="Name used in notifications.")
    query: WatchFilters = Field(default_factory=WatchFilters, description="The records to watch.")
    record: int | None = Field(default=None, ge=1, le=MAX_ID, description="Or a single record.")
    falls_percent: float | None = Field(
        default=None, gt=0, lt=100, description="Notify when the price falls by at least this much."
    )
    channel: str | None = Field(
        default=None, max_length=40, description="Channel for notifications; default: all."
    )
    hidden: bool = Field(default=False, description="Include hidden sources.")


@router.get("", summary="All watches")
async def list_watches(ctx: AdminContext) -> Items[WatchLine]:
    """Oldest first."""
    return Items(items=await ctx.look(watches.list_watches))


@router.post("", summary="Add a watch", status_code=201)
async def add(ctx: AdminContext, body: NewWatch) -> WatchLine:
    """A notification is sent as soon as a record matches or the price falls."""
    return await ctx.do(
        watches.add,
        body.name,
        replace(body.query.asked(), after=None, limit=PAGE),
        record=body.record,
        falls_percent=body.falls_percent,
        channel=body.channel,
        hidden=body.hidden,
        channels=[each.name for each in ctx.app.settings.channels],
        **ctx.actor,
    )


@router.post("/{watch_id:row}/pause", summary="Pause a watch")
async def pause(ctx: AdminContext, watch_id: Id) -> WatchLine:
    """Matches during the pause are not reported later."""
    return await ctx.do(watches.pause, watch_id, **ctx.actor)


@router.post("/{watch_id:row}/resume", summary="Resume a watch")
async def resume(ctx: AdminContext, watch_id: Id) -> WatchLine:
    """Sends notifications again."""
    return await ctx.do(watches.resume, watch_id, **ctx.actor)


@router.delete("/{watch_id:row}", summary="Remove a watch")
async def remove(ctx: AdminContext, watch_id: Id) -> WatchLine:
    """Returns what was removed."""
    return await ctx.do(watches.remove, watch_id, **ctx.actor)
