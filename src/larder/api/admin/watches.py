"""Watches: a search that tells of what is new, a price that tells when it falls."""

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
    """What a watch waits for: the filters of a search."""


class NewWatch(RequestBody):
    """Something to wait for."""

    model_config = example(name="three rooms", query={"text": "three rooms", "price_max": 120000})

    name: str = Field(
        min_length=1, max_length=MAX_NAME_LENGTH, description="What it is called when it tells."
    )
    query: WatchFilters = Field(default_factory=WatchFilters, description="Which records it is about.")
    record: int | None = Field(default=None, ge=1, le=MAX_ID, description="Or just this one.")
    falls_percent: float | None = Field(default=None, gt=0, lt=100, description="Tell when a price falls.")
    channel: str | None = Field(default=None, max_length=40, description="Where it tells; else everywhere.")
    hidden: bool = Field(default=False, description="Hidden sources, too.")


@router.get("", summary="All watches")
async def every(ctx: AdminContext) -> Items[WatchLine]:
    """Oldest first."""
    return Items(items=await ctx.look(watches.list_watches))


@router.post("", summary="Wait for something", status_code=201)
async def add(ctx: AdminContext, body: NewWatch) -> WatchLine:
    """Told through the outbox as soon as it happens."""
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


@router.post("/{watch_id:row}/pause", summary="Tell nothing for now")
async def pause(ctx: AdminContext, watch_id: Id) -> WatchLine:
    """What happens meanwhile is not told later."""
    return await ctx.do(watches.pause, watch_id, **ctx.actor)


@router.post("/{watch_id:row}/resume", summary="Go on telling")
async def resume(ctx: AdminContext, watch_id: Id) -> WatchLine:
    """From now on."""
    return await ctx.do(watches.resume, watch_id, **ctx.actor)


@router.delete("/{watch_id:row}", summary="Wait for it no longer")
async def remove(ctx: AdminContext, watch_id: Id) -> WatchLine:
    """What it was."""
    return await ctx.do(watches.remove, watch_id, **ctx.actor)
