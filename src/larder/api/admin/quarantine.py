"""Quarantine: implausible items to release or reject."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from larder.actions.dataset import quarantine
from larder.actions.dataset.quarantine import ItemView, QuarantineStatus, Released
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit, OfSource, RequestBody, RowId, example
from larder.api.schemas import Items
from larder.core.model.outcome import QuarantineReason
from larder.request_validation import MAX_ID

router = APIRouter(prefix="/quarantine", tags=["quarantine"])

ItemId = Annotated[int, Field(ge=1, le=MAX_ID)]


class Release(RequestBody):
    """Corrections and a note."""

    model_config = example(set={"price": "1,190.00"}, note="the page shows thousands")

    set: dict[str, str] = Field(
        default={}, max_length=50, description="Corrected values, as the page would show them."
    )
    note: str = Field(default="", max_length=2_000, description="Reason.")


class ItemsToReject(RequestBody):
    """Items to reject."""

    ids: list[ItemId] = Field(min_length=1, max_length=1_000, description="Ids.")
    note: str = Field(default="", max_length=2_000, description="Reason.")


@router.get("", summary="Items in quarantine")
async def list_quarantine(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    status: Annotated[QuarantineStatus | None, Query(description="Default: all.")] = None,
    reason: Annotated[QuarantineReason | None, Query(description="Only for this reason.")] = None,
    before: Before = None,
    limit: ListLimit = 50,
) -> Items[ItemView]:
    """Newest first; to get the next page, send the last id of this page as `before`."""
    items = await ctx.read(
        quarantine.list_items, source=source, status=status, reason=reason, before=before, limit=limit
    )
    return Items(items=items)


@router.get("/{item_id:row}", summary="One item")
async def show(ctx: AdminContext, item_id: RowId) -> ItemView:
    """The item as it was read from its page."""
    return await ctx.read(quarantine.show, item_id)


@router.post("/{item_id:row}/release", summary="Release an item")
async def release(ctx: AdminContext, item_id: RowId, body: Release | None = None) -> Released:
    """Stores it as of the time it was seen, with the corrected values."""
    release_body = body or Release()
    return await ctx.run(
        quarantine.release, item_id, ctx.dispatcher, release_body.set, release_body.note, **ctx.actor
    )


@router.post("/reject", summary="Reject items")
async def reject(ctx: AdminContext, body: ItemsToReject) -> Items[ItemView]:
    """Marks items as wrong; they are not stored as records."""
    return Items(items=await ctx.run(quarantine.reject, body.ids, body.note, **ctx.actor))
