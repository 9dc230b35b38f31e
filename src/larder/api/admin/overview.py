"""Is my data true, and what is wrong now?"""

from fastapi import APIRouter

from larder.actions.operations import summary
from larder.api.context import AdminContext
from larder.stages.notify.summary import Summary
from larder.store.reads import overview
from larder.store.reads.overview import Overview

router = APIRouter(tags=["overview"])


@router.get("/overview", summary="The whole Larder at a glance")
async def show(ctx: AdminContext) -> Overview:
    """Sources, records by badge, runs under way, what waits for a person."""
    return await ctx.look(overview.overview, now=ctx.now)


@router.get("/summary", summary="What the next summary would say")
async def so_far(ctx: AdminContext) -> Summary:
    """If it went out now: the runs since the last one, and what they came to."""
    return await ctx.look(summary.preview, ctx.app.morning, now=ctx.now)


@router.post("/summary/send", summary="Send the summary now")
async def send(ctx: AdminContext) -> Summary:
    """Through the outbox, to every channel; the next one begins where this one ends."""
    return await ctx.do(summary.send, ctx.app.morning, **ctx.actor)
