"""Quarantine: items that look wrong; release or reject."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from larder.actions.dataset import quarantine
from larder.actions.dataset.quarantine import ItemView, QuarantineStatus, Released
from larder.api.context import Operator
from larder.api.request_bodies import Before, Body, Id, Limit, OfSource
from larder.api.responses import answer, answer_all
from larder.api.schemas import gives
from larder.core.model.outcome import QuarantineReason
from larder.request_validation import MOST_ID

router = APIRouter(prefix="/quarantine", tags=["quarantine"])

Number = Annotated[int, Field(ge=1, le=MOST_ID)]


class Release(Body):
    """What is put right on the way."""

    set: dict[str, str] = Field(default={}, max_length=50, description="Values as the page should show them.")
    note: str = Field(default="", max_length=2_000, description="Why.")


class Rejection(Body):
    """Items that were wrong."""

    ids: list[Number] = Field(min_length=1, max_length=1_000, description="Their numbers.")
    note: str = Field(default="", max_length=2_000, description="Why.")


@router.get("", summary="What is in quarantine", **gives(ItemView, many=True))
async def every(
    call: Operator,
    *,
    source: OfSource = None,
    status: Annotated[QuarantineStatus | None, Query(description="Left out: all.")] = None,
    reason: Annotated[QuarantineReason | None, Query(description="Only for this reason.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Response:
    """Newest first; `before` takes the number of the last one of a page to the next."""
    found = await call.look(
        quarantine.list_items, source=source, status=status, reason=reason, before=before, limit=limit
    )
    return answer_all(found)


@router.get("/{item_id:row}", summary="One item", **gives(ItemView))
async def show(call: Operator, item_id: Id) -> Response:
    """As its page showed it."""
    return answer(await call.look(quarantine.show, item_id))


@router.post("/{item_id:row}/release", summary="Let an item go on", **gives(Released))
async def release(call: Operator, item_id: Id, body: Release | None = None) -> Response:
    """As of when it was seen, with values that were put right."""
    said = body or Release()
    return answer(await call.do(quarantine.release, item_id, call.how, said.set, said.note, **call.by))


@router.post("/reject", summary="Reject items", **gives(ItemView, many=True))
async def reject(call: Operator, body: Rejection) -> Response:
    """They were wrong: kept on record, and no more."""
    return answer_all(await call.do(quarantine.reject, body.ids, body.note, **call.by))
