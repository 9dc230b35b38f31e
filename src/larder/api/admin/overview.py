"""The overview and the daily summary."""

from fastapi import APIRouter

from larder.actions.operations import enrichment, summary
from larder.actions.operations.enrichment import AskedSource, EnrichmentUsage
from larder.api.context import AdminContext
from larder.api.schemas import Items
from larder.app.model_usage import read_usage
from larder.stages.notify.summary import Summary
from larder.store.reads.operators import overview
from larder.store.reads.operators.overview import Overview

router = APIRouter(tags=["overview"])


@router.get("/overview", summary="Overview of the deployment")
async def show(ctx: AdminContext) -> Overview:
    """Sources, records by badge, open runs, and what needs attention."""
    return await ctx.read(overview.overview, now=ctx.now)


@router.get("/enrichment", summary="Use of the language model")
async def enrichment_usage(ctx: AdminContext) -> EnrichmentUsage:
    """Tokens and money used and allowed this month, and why the model is paused, if it is."""
    return await read_usage(ctx.app)


@router.get("/enrichment/selectors", summary="Selectors that the language model was asked for")
async def asked_selectors(ctx: AdminContext) -> Items[AskedSource]:
    """The last question about each source, the selectors of its answer, and the result of their proof."""
    return Items(items=await ctx.read(enrichment.list_asked))


@router.get("/summary", summary="Preview of the next summary")
async def so_far(ctx: AdminContext) -> Summary:
    """The runs since the last summary, and their results."""
    return await ctx.read(summary.preview, ctx.app.summary_schedule, now=ctx.now)


@router.post("/summary/send", summary="Send the summary now")
async def send(ctx: AdminContext) -> Summary:
    """Sends it to every channel; the next summary starts where this one ends."""
    return await ctx.run(summary.send, ctx.app.summary_schedule, **ctx.actor)
