"""Watches: saved searches and prices that send notifications."""

from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from larder.actions.dataset import watches
from larder.actions.dataset.watches import MAX_NAME_LENGTH, WatchLine
from larder.api.context import AdminContext
from larder.api.records import RecordFilters
from larder.api.request_bodies import RequestBody, RowId, example
from larder.api.schemas import Items
from larder.core.policy.watches import MAX_PRICE, WatchOn
from larder.request_validation import MAX_ID
from larder.store.reads.query import PAGE, Query

router = APIRouter(prefix="/watches", tags=["watches"])


class WatchFilters(RequestBody, RecordFilters):
    """The saved search of a watch."""

    def saved(self) -> Query:
        """The query without a cursor, with the default limit."""
        return replace(self.to_query(), after=None, limit=PAGE)


Falls = Annotated[float | None, Field(gt=0, lt=100)]
PriceField = Annotated[Decimal | None, Field(gt=0, le=MAX_PRICE, decimal_places=3)]


class WatchChange(RequestBody):
    """What to change of a watch; the condition is replaced as a whole."""

    model_config = example(target_price="15.00")

    name: str | None = Field(default=None, min_length=1, max_length=MAX_NAME_LENGTH, description="New name.")
    query: WatchFilters | None = Field(default=None, description="New search; replaces the old one.")
    record: int | None = Field(default=None, ge=1, le=MAX_ID, description="A single record; null: none.")
    on: WatchOn | None = Field(default=None, description="What to wait for; follows from the numbers below.")
    falls_percent: Falls = Field(default=None, description="The price falls by at least this percentage.")
    falls_by: PriceField = Field(default=None, description="Or by at least this amount.")
    target_price: PriceField = Field(default=None, description="Or the price is at most this amount.")
    channel: str | None = Field(default=None, max_length=40, description="Channel; null: all.")
    hidden: bool | None = Field(default=None, description="Include hidden sources.")

    def changes(self) -> dict[str, Any]:
        """The fields that the request sets, as arguments of the action."""
        values = {name: getattr(self, name) for name in self.model_fields_set}
        if self.query is not None:
            values["query"] = self.query.saved()
        clearable = ("record", "channel")
        return {name: value for name, value in values.items() if value is not None or name in clearable}


class NewWatch(WatchChange):
    """A watch: a saved search, or one record, and what to wait for."""

    model_config = example(name="three rooms", query={"text": "three rooms", "price_max": "1200"})

    name: str = Field(min_length=1, max_length=MAX_NAME_LENGTH, description="Name used in notifications.")
    query: WatchFilters = Field(default_factory=WatchFilters, description="The records to watch.")
    record: int | None = Field(default=None, ge=1, le=MAX_ID, description="Or a single record.")
    channel: str | None = Field(
        default=None, max_length=40, description="Channel for notifications; default: all."
    )
    hidden: bool = Field(default=False, description="Include hidden sources.")


@router.get("", summary="All watches")
async def list_watches(ctx: AdminContext) -> Items[WatchLine]:
    """Oldest first."""
    return Items(items=await ctx.read(watches.list_watches))


@router.post("", summary="Add a watch", status_code=201)
async def add(ctx: AdminContext, body: NewWatch) -> WatchLine:
    """A notification is sent as soon as a record matches or the price falls."""
    fields = body.changes() | {"query": body.query.saved()}
    return await ctx.run(watches.add, **fields, channels=ctx.app.settings.channel_names, **ctx.actor)


@router.patch("/{watch_id:row}", summary="Change a watch")
async def change(ctx: AdminContext, watch_id: RowId, body: WatchChange) -> WatchLine:
    """Records that match the changed watch now are known and not reported."""
    return await ctx.run(
        watches.change, watch_id, body.changes(), channels=ctx.app.settings.channel_names, **ctx.actor
    )


@router.put("/{watch_id:row}", summary="Replace a watch")
async def replace_watch(ctx: AdminContext, watch_id: RowId, body: NewWatch) -> WatchLine:
    """Omitted fields are as in a new watch."""
    defaults = {"record": None, "channel": None, "on": None, "hidden": False} | body.changes()
    fields = defaults | {"query": body.query.saved()}
    return await ctx.run(
        watches.change, watch_id, fields, channels=ctx.app.settings.channel_names, **ctx.actor
    )


@router.post("/{watch_id:row}/test", summary="Send a test message")
async def send_test(ctx: AdminContext, watch_id: RowId) -> WatchLine:
    """Sends it to the channels that the watch notifies."""
    return await ctx.run(watches.send_test, watch_id, **ctx.actor)


@router.post("/{watch_id:row}/pause", summary="Pause a watch")
async def pause(ctx: AdminContext, watch_id: RowId) -> WatchLine:
    """Matches during the pause are not reported later."""
    return await ctx.run(watches.pause, watch_id, **ctx.actor)


@router.post("/{watch_id:row}/resume", summary="Resume a watch")
async def resume(ctx: AdminContext, watch_id: RowId) -> WatchLine:
    """Sends notifications again."""
    return await ctx.run(watches.resume, watch_id, **ctx.actor)


@router.post("/{watch_id:row}/feed", summary="Make a private feed")
async def make_feed(ctx: AdminContext, watch_id: RowId) -> WatchLine:
    """Whoever has its address can read it; a new feed replaces the earlier one."""
    return await ctx.run(watches.make_feed, watch_id, **ctx.actor)


@router.delete("/{watch_id:row}/feed", summary="Remove the private feed")
async def remove_feed(ctx: AdminContext, watch_id: RowId) -> WatchLine:
    """Its address no longer works."""
    return await ctx.run(watches.remove_feed, watch_id, **ctx.actor)


@router.delete("/{watch_id:row}", summary="Remove a watch")
async def remove(ctx: AdminContext, watch_id: RowId) -> WatchLine:
    """Returns what was removed."""
    return await ctx.run(watches.remove, watch_id, **ctx.actor)
