"""Runs: which there were, how far one is page by page; start, pause, resume, stop, void."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from larder.actions.dataset import corrections
from larder.actions.dataset.corrections import Correction
from larder.actions.operations import page_traces, runs
from larder.actions.operations.page_traces import PageLine, PageTrace
from larder.actions.operations.runs import RunDetails, RunView
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Id, Limit, OfSource, RequestBody
from larder.api.responses import json_response, list_response
from larder.api.schemas import gives
from larder.core.model.run import RunKind, RunStatus

router = APIRouter(prefix="/runs", tags=["runs"])


class NewRun(RequestBody):
    """A run to start."""

    source: str = Field(max_length=64, description="The slug of its source.")
    kind: RunKind | None = Field(default=None, description="Left out: discovery, or the only one.")


@router.get("", summary="The latest runs", **gives(RunView, many=True))
async def every(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    kind: Annotated[RunKind | None, Query(description="Only of this kind.")] = None,
    status: Annotated[RunStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Response:
    """Newest first; `before` takes the number of the last one of a page to the next."""
    found = await ctx.look(
        runs.list_runs, source=source, kind=kind, status=status, before=before, limit=limit
    )
    return list_response(found)


@router.post("", summary="Start a run now", **gives(RunView, status=201))
async def start(ctx: AdminContext, body: NewRun) -> Response:
    """A driver takes its pages at once. A shut gate is said, not forced."""
    return json_response(
        await ctx.do(runs.start, body.source, body.kind, ctx.dispatcher, **ctx.actor), status=201
    )


@router.get("/{run_id:row}", summary="One run, page by page", **gives(RunDetails))
async def show(ctx: AdminContext, run_id: Id) -> Response:
    """Where it stands, its checkpoint, the pages it asked for, and what went wrong."""
    return json_response(await ctx.look(runs.show, run_id))


@router.get("/{run_id:row}/pages", summary="All pages of a run", **gives(PageLine, many=True))
async def of_run(ctx: AdminContext, run_id: Id, *, before: Before = None, limit: Limit = 50) -> Response:
    """The latest first; `before` takes the job of the last one of a page to the next."""
    return list_response(await ctx.look(page_traces.list_pages, run_id, before=before, limit=limit))


@router.get("/pages/{job_id:row}", summary="One page's way", **gives(PageTrace))
async def journey(ctx: AdminContext, job_id: Id) -> Response:
    """Each attempt to fetch it, and every item on it that did not become a record."""
    return json_response(await ctx.look(page_traces.show, job_id))


@router.post("/{run_id:row}/pause", summary="Hold a run", **gives(RunView))
async def pause(ctx: AdminContext, run_id: Id) -> Response:
    """Pages under way come to their end, no others are asked for."""
    return json_response(await ctx.do(runs.pause, run_id, **ctx.actor))


@router.post("/{run_id:row}/resume", summary="Let a run go on", **gives(RunView))
async def resume(ctx: AdminContext, run_id: Id) -> Response:
    """Where it was."""
    return json_response(await ctx.do(runs.resume, run_id, **ctx.actor))


@router.post("/{run_id:row}/stop", summary="End a run here", **gives(RunView))
async def stop(ctx: AdminContext, run_id: Id) -> Response:
    """What it found stays, what it had not fetched yet is left."""
    return json_response(await ctx.do(runs.stop, run_id, **ctx.actor))


@router.post("/{run_id:row}/requeue", summary="Put stale pages back into line", **gives(RunView))
async def requeue(ctx: AdminContext, run_id: Id) -> Response:
    """Those of its pages that nobody took for a day."""
    return json_response(await ctx.do(runs.requeue, run_id, **ctx.actor))


@router.post("/{run_id:row}/void", summary="Take back what a run said", **gives(Correction))
async def void(ctx: AdminContext, run_id: Id) -> Response:
    """Its word no longer counts; nothing is deleted."""
    return json_response(await ctx.do(corrections.void, run_id, **ctx.actor))


@router.post("/{run_id:row}/unvoid", summary="Let a run's word count again", **gives(Correction))
async def unvoid(ctx: AdminContext, run_id: Id) -> Response:
    """Undoes a void."""
    return json_response(await ctx.do(corrections.unvoid, run_id, **ctx.actor))
