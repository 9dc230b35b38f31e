"""Runs by kind: live progress, page by page, errors, checkpoint, coverage certificate; hold, stop, void."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import corrections
from larder.actions.operations import page_traces, progress, runs
from larder.core.errors import NotThere
from larder.core.model.run import RunKind, RunStatus
from larder.web.admin.frame import answer
from larder.web.admin.paging import leaf, place
from larder.web.choices import slugs
from larder.web.context import Operator, Visit, one_of
from larder.web.live import stream
from larder.web.stored_page import passage

router = APIRouter()

PAGE = 50
TROUBLED = (RunStatus.FAILED, RunStatus.PARTIAL)
KINDS, STATUSES = tuple(str(kind) for kind in RunKind), tuple(str(status) for status in RunStatus)


@router.get("/runs")
async def every(visit: Operator) -> Response:
    """The latest runs, by source, kind and status."""
    return await answer(visit, "runs.html", "runs", **await _listed(visit), slugs=await visit.look(slugs))


@router.get("/live/runs")
async def live_list(visit: Operator) -> Response:
    """The list, as it changes."""

    async def draw() -> str:
        return visit.draw("admin/runs_part.html", **await _listed(visit))

    return await stream(visit, draw)


@router.get("/runs/{run_id:row}")
async def one(visit: Operator, run_id: int) -> Response:
    """One run."""
    return await answer(visit, "run.html", "runs", **await _shown(visit, run_id))


@router.get("/runs/{run_id:row}/pages")
async def of_run(visit: Operator, run_id: int) -> Response:
    """All its pages, one after the other."""
    found = await visit.look(page_traces.list_pages, run_id, before=place(visit), limit=PAGE + 1)
    shown, more = leaf(visit, found, PAGE, number=attrgetter("job"))
    return await answer(visit, "run_pages.html", "runs", pages=shown, run=run_id, more=more)


@router.get("/pages/{job_id:row}")
async def journey(visit: Operator, job_id: int) -> Response:
    """One page's way, and how it reads today."""
    found = await visit.look(page_traces.show, job_id)
    kept = next((each for each in reversed(found.attempts) if each.content_hash), None)
    source = await passage(visit.app, kept.page_id, ()) if kept else None
    return await answer(visit, "journey.html", "runs", found=found, p=found.page, source=source)


@router.get("/live/runs/{run_id:row}")
async def live(visit: Operator, run_id: int) -> Response:
    """The run as it goes on, until it is over."""
    ended = False

    async def draw() -> str:
        nonlocal ended
        shown = await _shown(visit, run_id)
        ended = shown["r"].over
        return visit.draw("admin/run_part.html", **shown)

    return await stream(visit, draw, over=lambda: ended)


@router.post("/runs/{run_id:row}/{action}")
async def act(visit: Operator, run_id: int, action: str) -> Response:
    """Pause, resume, stop, void, unvoid."""
    await visit.form()
    deeds: Mapping[str, Any] = {
        "pause": runs.pause,
        "resume": runs.resume,
        "stop": runs.stop,
        "void": corrections.void,
        "unvoid": corrections.unvoid,
    }
    if action not in deeds:
        raise NotThere(f"nothing is called {action!r} here")
    await visit.do(deeds[action], run_id, who=visit.who, now=visit.now)
    done = {
        "pause": "was told to pause: pages under way come to their end, no others are asked for",
        "resume": "goes on",
        "stop": "is stopped",
        "void": "does not count any more; nothing was deleted",
        "unvoid": "counts again",
    }[action]
    return visit.back(f"/admin/runs/{run_id}", f"Run {run_id} {done}.")


async def _listed(visit: Visit) -> dict[str, Any]:
    asked = {name: visit.request.query_params.get(name) or None for name in ("source", "kind", "status")}
    kind = one_of(asked["kind"], RunKind, "run kind") if asked["kind"] else None
    status = one_of(asked["status"], RunStatus, "status") if asked["status"] else None
    before = place(visit)
    found = await visit.look(
        runs.list_runs, source=asked["source"], kind=kind, status=status, before=before, limit=PAGE + 1
    )
    shown, more = leaf(visit, found, PAGE)
    return {
        "runs": shown, "more": more, "first": before is None,
        "asked": asked, "kinds": KINDS, "statuses": STATUSES,
    }  # fmt: skip


async def _shown(visit: Visit, run_id: int) -> dict[str, Any]:
    found = await visit.look(runs.show, run_id)
    run = found.run
    told = run.over and (run.failed or run.status in TROUBLED)
    return {
        "found": found,
        "r": run,
        "sweep": await visit.look(progress.sweep_progress, run_id),
        "outcomes": await visit.look(page_traces.count_outcomes, run_id) if told else {},
        "left_out": await visit.look(page_traces.count_left_out, run_id)
        if run.dropped or run.quarantined
        else (),
    }
