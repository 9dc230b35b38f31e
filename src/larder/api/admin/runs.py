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
from larder.api.context import Operator
from larder.api.request_bodies import Before, Body, Id, Limit, OfSource
from larder.api.responses import answer, answer_all
from larder.api.schemas import gives
from larder.core.model.run import RunKind, RunStatus

router = APIRouter(prefix="/runs", tags=["runs"])


class NewRun(Body):
    """A run to start."""

    source: str = Field(max_length=64, description="The slug of its source.")
    kind: RunKind | None = Field(default=None, description="Left out: discovery, or the only one.")


@router.get("", summary="The latest runs", **gives(RunView, many=True))
async def every(
    call: Operator,
    *,
    source: OfSource = None,
    kind: Annotated[RunKind | None, Query(description="Only of this kind.")] = None,
    status: Annotated[RunStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Response:
    """Newest first; `before` takes the number of the last one of a page to the next."""
    found = await call.look(
        runs.list_runs, source=source, kind=kind, status=status, before=before, limit=limit
    )
    return answer_all(found)


@router.post("", summary="Start a run now", **gives(RunView, status=201))
async def start(call: Operator, body: NewRun) -> Response:
    """A driver takes its pages at once. A shut gate is said, not forced."""
    return answer(await call.do(runs.start, body.source, body.kind, call.how, **call.by), status=201)


@router.get("/{run_id:row}", summary="One run, page by page", **gives(RunDetails))
async def show(call: Operator, run_id: Id) -> Response:
    """Where it stands, its checkpoint, the pages it asked for, and what went wrong."""
    return answer(await call.look(runs.show, run_id))


@router.get("/{run_id:row}/pages", summary="All pages of a run", **gives(PageLine, many=True))
async def of_run(call: Operator, run_id: Id, *, before: Before = None, limit: Limit = 50) -> Response:
    """The latest first; `before` takes the job of the last one of a page to the next."""
    return answer_all(await call.look(page_traces.list_pages, run_id, before=before, limit=limit))


@router.get("/pages/{job_id:row}", summary="One page's way", **gives(PageTrace))
async def journey(call: Operator, job_id: Id) -> Response:
    """Each attempt to fetch it, and every item on it that did not become a record."""
    return answer(await call.look(page_traces.show, job_id))


@router.post("/{run_id:row}/pause", summary="Hold a run", **gives(RunView))
async def pause(call: Operator, run_id: Id) -> Response:
    """Pages under way come to their end, no others are asked for."""
    return answer(await call.do(runs.pause, run_id, **call.by))


@router.post("/{run_id:row}/resume", summary="Let a run go on", **gives(RunView))
async def resume(call: Operator, run_id: Id) -> Response:
    """Where it was."""
    return answer(await call.do(runs.resume, run_id, **call.by))


@router.post("/{run_id:row}/stop", summary="End a run here", **gives(RunView))
async def stop(call: Operator, run_id: Id) -> Response:
    """What it found stays, what it had not fetched yet is left."""
    return answer(await call.do(runs.stop, run_id, **call.by))


@router.post("/{run_id:row}/requeue", summary="Put stale pages back into line", **gives(RunView))
async def requeue(call: Operator, run_id: Id) -> Response:
    """Those of its pages that nobody took for a day."""
    return answer(await call.do(runs.requeue, run_id, **call.by))


@router.post("/{run_id:row}/void", summary="Take back what a run said", **gives(Correction))
async def void(call: Operator, run_id: Id) -> Response:
    """Its word no longer counts; nothing is deleted."""
    return answer(await call.do(corrections.void, run_id, **call.by))


@router.post("/{run_id:row}/unvoid", summary="Let a run's word count again", **gives(Correction))
async def unvoid(call: Operator, run_id: Id) -> Response:
    """Undoes a void."""
    return answer(await call.do(corrections.unvoid, run_id, **call.by))
