"""Entities: the real-world things behind records of several sources; put together and taken apart by hand."""

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from larder.actions.dataset import entities
from larder.actions.dataset.entities import EntityView
from larder.api.context import Operator
from larder.api.request_bodies import Body, Id
from larder.api.responses import answer
from larder.api.schemas import gives
from larder.request_validation import MOST_ID

router = APIRouter(prefix="/entities", tags=["entities"])


class Pair(Body):
    """Two records that are about the same thing."""

    record: int = Field(ge=1, le=MOST_ID, description="The one that joins.")
    other: int = Field(ge=1, le=MOST_ID, description="The one that it joins.")


class Single(Body):
    """A record that does not belong."""

    record: int = Field(ge=1, le=MOST_ID, description="Its number.")


@router.get("/{entity_id:row}", summary="One entity", **gives(EntityView))
async def show(call: Operator, entity_id: Id) -> Response:
    """Its records, and why each belongs to it."""
    return answer(await call.look(entities.show, entity_id))


@router.post("/link", summary="Say that two records are one thing", **gives(EntityView))
async def link(call: Operator, body: Pair) -> Response:
    """It stays so whatever they score."""
    return answer(await call.do(entities.link, body.record, body.other, **call.by))


@router.post("/unlink", summary="Take a record out of its entity", **gives(EntityView))
async def undo(call: Operator, body: Single) -> Response:
    """It does not come back by itself."""
    return answer(await call.do(entities.undo, body.record, **call.by))
