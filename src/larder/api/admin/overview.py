"""Is my data true, and what is wrong now?"""

from fastapi import APIRouter
from starlette.responses import Response

from larder.actions.operations import overview, summary
from larder.actions.operations.overview import Overview
from larder.api.context import AdminContext
from larder.api.responses import json_response
from larder.api.schemas import gives
from larder.stages.notify.summary import Summary

router = APIRouter(tags=["overview"])


@router.get("/overview", summary="The whole Larder at a glance", **gives(Overview))
async def show(ctx: AdminContext) -> Response:
    """Sources, records by badge, runs under way, what waits for a person."""
    return json_response(await ctx.look(overview.overview, now=ctx.now))


@router.get("/summary", summary="What the next summary would say", **gives(Summary))
async def so_far(ctx: AdminContext) -> Response:
    """If it went out now: the runs since the last one, and what they came to."""
    return json_response(await ctx.look(summary.preview, ctx.app.morning, now=ctx.now))


@router.post("/summary/send", summary="Send the summary now", **gives(Summary))
async def send(ctx: AdminContext) -> Response:
    """Through the outbox, to every channel; the next one begins where this one ends."""
    return json_response(await ctx.do(summary.send, ctx.app.morning, **ctx.actor))
