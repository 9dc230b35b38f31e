"""Watches: a search that tells of what is new, a price that tells when it falls."""

from dataclasses import replace

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from larder.actions.dataset import watches
from larder.actions.dataset.watches import MAX_NAME_LENGTH, WatchLine
from larder.api.context import Operator
from larder.api.records import Filters
from larder.api.request_bodies import Body, Id
from larder.api.responses import answer, answer_all
from larder.api.schemas import gives
from larder.request_validation import MOST_ID
from larder.store.reads.query import PAGE

router = APIRouter(prefix="/watches", tags=["watches"])


class Wanted(Body, Filters):
    """What a watch waits for: the filters of a search."""


class NewWatch(Body):
    """Something to wait for."""

    name: str = Field(
        min_length=1, max_length=MAX_NAME_LENGTH, description="What it is called when it tells."
    )
    query: Wanted = Field(default_factory=Wanted, description="Which records it is about.")
    record: int | None = Field(default=None, ge=1, le=MOST_ID, description="Or just this one.")
    falls_percent: float | None = Field(default=None, gt=0, lt=100, description="Tell when a price falls.")
    channel: str | None = Field(default=None, max_length=40, description="Where it tells; else everywhere.")
    hidden: bool = Field(default=False, description="Hidden sources, too.")


@router.get("", summary="All watches", **gives(WatchLine, many=True))
async def every(call: Operator) -> Response:
    """Oldest first."""
    return answer_all(await call.look(watches.list_watches))


@router.post("", summary="Wait for something", **gives(WatchLine, status=201))
async def add(call: Operator, body: NewWatch) -> Response:
    """Told through the outbox as soon as it happens."""
    made = await call.do(
        watches.add,
        body.name,
        replace(body.query.asked(), after=None, limit=PAGE),
        record=body.record,
        falls_percent=body.falls_percent,
        channel=body.channel,
        hidden=body.hidden,
        channels=[each.name for each in call.app.settings.channels],
        **call.by,
    )
    return answer(made, status=201)


@router.post("/{watch_id:row}/pause", summary="Tell nothing for now", **gives(WatchLine))
async def pause(call: Operator, watch_id: Id) -> Response:
    """What happens meanwhile is not told later."""
    return answer(await call.do(watches.pause, watch_id, **call.by))


@router.post("/{watch_id:row}/resume", summary="Go on telling", **gives(WatchLine))
async def resume(call: Operator, watch_id: Id) -> Response:
    """From now on."""
    return answer(await call.do(watches.resume, watch_id, **call.by))


@router.delete("/{watch_id:row}", summary="Wait for it no longer", **gives(WatchLine))
async def remove(call: Operator, watch_id: Id) -> Response:
    """What it was."""
    return answer(await call.do(watches.remove, watch_id, **call.by))
