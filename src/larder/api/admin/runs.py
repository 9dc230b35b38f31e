"""Runs: which there were, how far one is page by page; start, pause, resume, stop, void."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from larder.actions.dataset import corrections
from larder.actions.dataset.corrections import Correction
from larder.actions.operations import runs
from larder.actions.operations.runs import RunDetails, RunView
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Id, Limit, OfSource, RequestBody
from larder.api.schemas import Items
from larder.core.model.run import RunKind, RunStatus
from larder.store.reads import page_traces
from larder.store.reads.page_traces import PageLine, PageTrace

router = APIRouter(prefix="/runs", tags=["runs"])


class NewRun(RequestBody):
    """A run to start."""

    source: str = Field(max_length=64, description="The slug of its source.")
    kind: RunKind | None = Field(default=None, description="Left out: discovery, or the only one.")


@router.get("", summary="The latest runs")
async def every(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    kind: Annotated[RunKind | None, Query(description="Only of this kind.")] = None,
    status: Annotated[RunStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Items[RunView]:
    """Newest first; `before` takes the number of the last one of a page to the next."""
    found = await ctx.look(
        runs.list_runs, source=source, kind=kind, status=status, before=before, limit=limit
    )
    return Items(items=found)


@router.post("", summary="Start a run now", status_code=201)
async def start(ctx: AdminContext, body: NewRun) -> RunView:
    """A driver takes its pages at once. A shut gate is said, not forced."""
    return await ctx.do(runs.start, body.source, body.kind, ctx.dispatcher, **ctx.actor)


@router.get("/{run_id:row}", summary="One run, page by page")
async def show(ctx: AdminContext, run_id: Id) -> RunDetails:
    """Where it stands, its checkpoint, the pages it asked for, and what went wrong."""
    return await ctx.look(runs.show, run_id)


@router.get("/{run_id:row}/pages", summary="All pages of a run")
async def of_run(
    ctx: AdminContext, run_id: Id, *, before: Before = None, limit: Limit = 50
) -> Items[PageLine]:
    """The latest first; `before` takes the job of the last one of a page to the next."""
    return Items(items=await ctx.look(page_traces.list_pages, run_id, before=before, limit=limit))


@router.get("/pages/{job_id:row}", summary="One page's way")
async def journey(ctx: AdminContext, job_id: Id) -> PageTrace:
    """Each attempt to fetch it, and every item on it that did not become a record."""
    return await ctx.look(page_traces.show, job_id)


@router.post("/{run_id:row}/pause", summary="Hold a run")
async def pause(ctx: AdminContext, run_id: Id) -> RunView:
    """Pages under way come to their end, no others are asked for."""
    return await ctx.do(runs.pause, run_id, **ctx.actor)


@router.post("/{run_id:row}/resume", summary="Let a run go on")
async def resume(ctx: AdminContext, run_id: Id) -> RunView:
    """Where it was."""
    return await ctx.do(runs.resume, run_id, **ctx.actor)


@router.post("/{run_id:row}/stop", summary="End a run here")
async def stop(ctx: AdminContext, run_id: Id) -> RunView:
    """What it found stays, what it had not fetched yet is left."""
    return await ctx.do(runs.stop, run_id, **ctx.actor)


@router.post("/{run_id:row}/requeue", summary="Put stale pages back into line")
async def requeue(ctx: AdminContext, run_id: Id) -> RunView:
    """Those of its pages that nobody took for a day."""
    return await ctx.do(runs.requeue, run_id, **ctx.actor)


@router.post("/{run_id:row}/void", summary="Take back what a run said")
async def void(ctx: AdminContext, run_id: Id) -> Correction:
    """Its word no longer counts; nothing is deleted."""
    return await ctx.do(corrections.void, run_id, **ctx.actor)


@router.post("/{run_id:row}/unvoid", summary="Let a run's word count again")
async def unvoid(ctx: AdminContext, run_id: Id) -> Correction:
    """Undoes a void."""
    return await ctx.do(corrections.unvoid, run_id, **ctx.actor)
