"""Quarantine: items that look wrong; release or reject."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from larder.actions.dataset import quarantine
from larder.actions.dataset.quarantine import ItemView, QuarantineStatus, Released
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Id, Limit, OfSource, RequestBody
from larder.api.responses import json_response, list_response
from larder.api.schemas import gives
from larder.core.model.outcome import QuarantineReason
from larder.request_validation import MAX_ID

router = APIRouter(prefix="/quarantine", tags=["quarantine"])

ItemId = Annotated[int, Field(ge=1, le=MAX_ID)]


class Release(RequestBody):
    """What is put right on the way."""

    set: dict[str, str] = Field(default={}, max_length=50, description="Values as the page should show them.")
    note: str = Field(default="", max_length=2_000, description="Why.")


class Rejection(RequestBody):
    """Items that were wrong."""

    ids: list[ItemId] = Field(min_length=1, max_length=1_000, description="Their numbers.")
    note: str = Field(default="", max_length=2_000, description="Why.")


@router.get("", summary="What is in quarantine", **gives(ItemView, many=True))
async def every(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    status: Annotated[QuarantineStatus | None, Query(description="Left out: all.")] = None,
    reason: Annotated[QuarantineReason | None, Query(description="Only for this reason.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Response:
    """Newest first; `before` takes the number of the last one of a page to the next."""
    found = await ctx.look(
        quarantine.list_items, source=source, status=status, reason=reason, before=before, limit=limit
    )
    return list_response(found)


@router.get("/{item_id:row}", summary="One item", **gives(ItemView))
async def show(ctx: AdminContext, item_id: Id) -> Response:
    """As its page showed it."""
    return json_response(await ctx.look(quarantine.show, item_id))


@router.post("/{item_id:row}/release", summary="Let an item go on", **gives(Released))
async def release(ctx: AdminContext, item_id: Id, body: Release | None = None) -> Response:
    """As of when it was seen, with values that were put right."""
    said = body or Release()
    return json_response(
        await ctx.do(quarantine.release, item_id, ctx.dispatcher, said.set, said.note, **ctx.actor)
    )


@router.post("/reject", summary="Reject items", **gives(ItemView, many=True))
async def reject(ctx: AdminContext, body: Rejection) -> Response:
    """They were wrong: kept on record, and no more."""
    return list_response(await ctx.do(quarantine.reject, body.ids, body.note, **ctx.actor))
