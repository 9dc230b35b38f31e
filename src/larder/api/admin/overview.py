"""Is my data true, and what is wrong now?"""

from fastapi import APIRouter
from starlette.responses import Response

from larder.actions.operations import overview, summary
from larder.actions.operations.overview import Overview
from larder.api.context import Operator
from larder.api.responses import answer
from larder.api.schemas import gives
from larder.stages.notify.summary import Summary

router = APIRouter(tags=["overview"])


@router.get("/overview", summary="The whole Larder at a glance", **gives(Overview))
async def show(call: Operator) -> Response:
    """Sources, records by badge, runs under way, what waits for a person."""
    return answer(await call.look(overview.overview, now=call.now))


@router.get("/summary", summary="What the next summary would say", **gives(Summary))
async def so_far(call: Operator) -> Response:
    """If it went out now: the runs since the last one, and what they came to."""
    return answer(await call.look(summary.preview, call.app.morning, now=call.now))


@router.post("/summary/send", summary="Send the summary now", **gives(Summary))
async def send(call: Operator) -> Response:
    """Through the outbox, to every channel; the next one begins where this one ends."""
    return answer(await call.do(summary.send, call.app.morning, **call.by))
