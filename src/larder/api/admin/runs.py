"""Runs: list, pages, start, pause, resume, stop, void."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from larder.actions.dataset import corrections
from larder.actions.dataset.corrections import Correction
from larder.actions.operations import runs
from larder.actions.operations.runs import RunDetails, RunView
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit, OfSource, RequestBody, RowId
from larder.api.schemas import Items
from larder.app.page_items import PageItemsView, page_items
from larder.core.model.run import RunKind, RunStatus
from larder.store.reads.operators import page_traces
from larder.store.reads.operators.page_traces import PageLine, PageTrace

router = APIRouter(prefix="/runs", tags=["runs"])


class NewRun(RequestBody):
    """A run to start."""

    source: str = Field(max_length=64, description="The slug of its source.")
    kind: RunKind | None = Field(
        default=None, description="Default: discovery, or the only run kind of the source."
    )


@router.get("", summary="The latest runs")
async def list_runs(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    kind: Annotated[RunKind | None, Query(description="Only of this kind.")] = None,
    status: Annotated[RunStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: ListLimit = 50,
) -> Items[RunView]:
    """Newest first; to get the next page, send the last id of this page as `before`."""
    found = await ctx.read(
        runs.list_runs, source=source, kind=kind, status=status, before=before, limit=limit
    )
    return Items(items=found)


@router.post("", summary="Start a run now", status_code=201)
async def start(ctx: AdminContext, body: NewRun) -> RunView:
    """A worker fetches its pages at once. A closed gate is an error that names the gate."""
    return await ctx.run(runs.start, body.source, body.kind, ctx.dispatcher, **ctx.actor)


@router.get("/{run_id:row}", summary="One run")
async def show(ctx: AdminContext, run_id: RowId) -> RunDetails:
    """Its state, checkpoint, pages and errors."""
    return await ctx.read(runs.show, run_id)


@router.get("/{run_id:row}/pages", summary="All pages of a run")
async def list_run_pages(
    ctx: AdminContext, run_id: RowId, *, before: Before = None, limit: ListLimit = 50
) -> Items[PageLine]:
    """Newest first; to get the next page, send the last job of this page as `before`."""
    return Items(items=await ctx.read(page_traces.list_pages, run_id, before=before, limit=limit))


@router.get("/pages/{job_id:row}", summary="One page of a run")
async def show_page(ctx: AdminContext, job_id: RowId) -> PageTrace:
    """Every fetch attempt, and every item that was not stored."""
    return await ctx.read(page_traces.show, job_id)


@router.get("/pages/{job_id:row}/items", summary="Every item of a stored page")
async def show_items(ctx: AdminContext, job_id: RowId) -> PageItemsView:
    """Raw fields, HTML block, strategy and outcome of each, read anew from the stored page."""
    return await page_items(ctx.app, job_id)


@router.post("/{run_id:row}/pause", summary="Pause a run")
async def pause(ctx: AdminContext, run_id: RowId) -> RunView:
    """Pages being fetched are finished, no new ones are started."""
    return await ctx.run(runs.pause, run_id, **ctx.actor)


@router.post("/{run_id:row}/resume", summary="Resume a run")
async def resume(ctx: AdminContext, run_id: RowId) -> RunView:
    """Continues where it was paused."""
    return await ctx.run(runs.resume, run_id, **ctx.actor)


@router.post("/{run_id:row}/stop", summary="Stop a run")
async def stop(ctx: AdminContext, run_id: RowId) -> RunView:
    """Stored results stay; pages not fetched yet are skipped."""
    return await ctx.run(runs.stop, run_id, **ctx.actor)


@router.post("/{run_id:row}/requeue", summary="Requeue stale pages")
async def requeue(ctx: AdminContext, run_id: RowId) -> RunView:
    """Pages that no worker took for a day."""
    return await ctx.run(runs.requeue, run_id, **ctx.actor)


@router.post("/{run_id:row}/void", summary="Void a run")
async def void(ctx: AdminContext, run_id: RowId) -> Correction:
    """Its values no longer count; nothing is deleted."""
    return await ctx.run(corrections.void, run_id, **ctx.actor)


@router.post("/{run_id:row}/unvoid", summary="Restore a voided run")
async def unvoid(ctx: AdminContext, run_id: RowId) -> Correction:
    """Its values count again."""
    return await ctx.run(corrections.unvoid, run_id, **ctx.actor)
