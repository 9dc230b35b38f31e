"""Entities: the real-world things behind records of several sources; put together and taken apart by hand."""

from fastapi import APIRouter
from pydantic import Field

from larder.actions.dataset import entities
from larder.actions.dataset.entities import EntityView
from larder.api.context import AdminContext
from larder.api.request_bodies import Id, RequestBody
from larder.request_validation import MAX_ID

router = APIRouter(prefix="/entities", tags=["entities"])


class RecordPair(RequestBody):
    """Two records that are about the same thing."""

    record: int = Field(ge=1, le=MAX_ID, description="The one that joins.")
    other: int = Field(ge=1, le=MAX_ID, description="The one that it joins.")


class RecordRef(RequestBody):
    """A record that does not belong."""

    record: int = Field(ge=1, le=MAX_ID, description="Its number.")


@router.get("/{entity_id:row}", summary="One entity")
async def show(ctx: AdminContext, entity_id: Id) -> EntityView:
    """Its records, and why each belongs to it."""
    return await ctx.look(entities.show, entity_id)


@router.post("/link", summary="Say that two records are one thing")
async def link(ctx: AdminContext, body: RecordPair) -> EntityView:
    """It stays so whatever they score."""
    return await ctx.do(entities.link, body.record, body.other, **ctx.actor)


@router.post("/unlink", summary="Take a record out of its entity")
async def undo(ctx: AdminContext, body: RecordRef) -> EntityView:
    """It does not come back by itself."""
    return await ctx.do(entities.undo, body.record, **ctx.actor)
