"""Quarantine: items that look wrong; release or reject."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from larder.actions.dataset import quarantine
from larder.actions.dataset.quarantine import ItemView, QuarantineStatus, Released
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Id, Limit, OfSource, RequestBody, example
from larder.api.schemas import Items
from larder.core.model.outcome import QuarantineReason
from larder.request_validation import MAX_ID

router = APIRouter(prefix="/quarantine", tags=["quarantine"])

ItemId = Annotated[int, Field(ge=1, le=MAX_ID)]


class Release(RequestBody):
    """What is put right on the way."""

    model_config = example(set={"price": "1,190.00"}, note="the page shows thousands")

    set: dict[str, str] = Field(default={}, max_length=50, description="Values as the page should show them.")
    note: str = Field(default="", max_length=2_000, description="Why.")


class Rejection(RequestBody):
    """Items that were wrong."""

    ids: list[ItemId] = Field(min_length=1, max_length=1_000, description="Their numbers.")
    note: str = Field(default="", max_length=2_000, description="Why.")


@router.get("", summary="What is in quarantine")
async def every(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    status: Annotated[QuarantineStatus | None, Query(description="Left out: all.")] = None,
    reason: Annotated[QuarantineReason | None, Query(description="Only for this reason.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Items[ItemView]:
    """Newest first; `before` takes the number of the last one of a page to the next."""
    found = await ctx.look(
        quarantine.list_items, source=source, status=status, reason=reason, before=before, limit=limit
    )
    return Items(items=found)


@router.get("/{item_id:row}", summary="One item")
async def show(ctx: AdminContext, item_id: Id) -> ItemView:
    """As its page showed it."""
    return await ctx.look(quarantine.show, item_id)


@router.post("/{item_id:row}/release", summary="Let an item go on")
async def release(ctx: AdminContext, item_id: Id, body: Release | None = None) -> Released:
    """As of when it was seen, with values that were put right."""
    said = body or Release()
    return await ctx.do(quarantine.release, item_id, ctx.dispatcher, said.set, said.note, **ctx.actor)


@router.post("/reject", summary="Reject items")
async def reject(ctx: AdminContext, body: Rejection) -> Items[ItemView]:
    """They were wrong: kept on record, and no more."""
    return Items(items=await ctx.do(quarantine.reject, body.ids, body.note, **ctx.actor))
