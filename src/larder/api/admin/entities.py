"""Entities: items with records from several sources; link and unlink records."""

from fastapi import APIRouter
from pydantic import Field

from larder.actions.dataset import entities
from larder.actions.dataset.entities import EntityView
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody, RowId
from larder.request_validation import MAX_ID

router = APIRouter(prefix="/entities", tags=["entities"])


class RecordPair(RequestBody):
    """Two records of the same item."""

    record: int = Field(ge=1, le=MAX_ID, description="The record to link.")
    other: int = Field(ge=1, le=MAX_ID, description="The record to link it to.")


class RecordRef(RequestBody):
    """A record to unlink."""

    record: int = Field(ge=1, le=MAX_ID, description="Its id.")


@router.get("/{entity_id:row}", summary="One entity")
async def show(ctx: AdminContext, entity_id: RowId) -> EntityView:
    """Its records, and why each is linked."""
    return await ctx.read(entities.show, entity_id)


@router.post("/link", summary="Link two records")
async def link(ctx: AdminContext, body: RecordPair) -> EntityView:
    """The link holds whatever the matching score."""
    return await ctx.run(entities.link, body.record, body.other, **ctx.actor)


@router.post("/unlink", summary="Unlink a record")
async def undo(ctx: AdminContext, body: RecordRef) -> EntityView:
    """It is not linked again automatically."""
    return await ctx.run(entities.undo, body.record, **ctx.actor)
