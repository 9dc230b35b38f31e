"""Runs: list, live progress, pages, errors, checkpoint and certificate; pause, resume, stop, void."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import corrections
from larder.actions.operations import runs
from larder.actions.operations.run_losses import loss_figures, loss_lines
from larder.app.page_items import page_items
from larder.core.model.run import RunKind, RunStatus
from larder.store.reads.lookup import list_slugs
from larder.store.reads.operators import page_traces, sweep_progress
from larder.web.admin.frame import ButtonAction, admin_page, find_action
from larder.web.admin.paging import cursor, paginate
from larder.web.context import AdminContext, PageContext, parse_choice
from larder.web.live import stream
from larder.web.stored_page import page_excerpt

router = APIRouter()

PAGE = 50
UNSUCCESSFUL = (RunStatus.FAILED, RunStatus.PARTIAL)
KINDS, STATUSES = tuple(str(kind) for kind in RunKind), tuple(str(status) for status in RunStatus)


@router.get("/runs")
async def list_runs(ctx: AdminContext) -> Response:
    """The latest runs, by source, kind and status."""
    return await admin_page(
        ctx, "runs.html", "runs", **await _run_list(ctx), slugs=await ctx.read(list_slugs)
    )


@router.get("/live/runs")
async def live_list(ctx: AdminContext) -> Response:
    """The live part of the list."""

    async def draw() -> str:
        return ctx.render("admin/runs_part.html", **await _run_list(ctx))

    return await stream(ctx, draw)


@router.get("/runs/{run_id:row}")
async def show(ctx: AdminContext, run_id: int) -> Response:
    """One run."""
    return await admin_page(ctx, "run.html", "runs", **await _run_details(ctx, run_id))


@router.get("/runs/{run_id:row}/pages")
async def list_run_pages(ctx: AdminContext, run_id: int) -> Response:
    """All pages of a run."""
    pages = await ctx.read(page_traces.list_pages, run_id, before=cursor(ctx), limit=PAGE + 1)
    rows, more = paginate(ctx, pages, PAGE, number=attrgetter("job"))
    return await admin_page(ctx, "run_pages.html", "runs", pages=rows, run=run_id, more=more)


@router.get("/pages/{job_id:row}")
async def show_page(ctx: AdminContext, job_id: int) -> Response:
    """One page of a run: attempts, items that were not stored, stored HTML."""
    trace = await ctx.read(page_traces.show, job_id)
    attempt = next(
        (fetch_attempt for fetch_attempt in reversed(trace.attempts) if fetch_attempt.content_hash), None
    )
    source = await page_excerpt(ctx.app, attempt.page_id, ()) if attempt else None
    read = await page_items(ctx.app, job_id) if attempt and "items" in ctx.request.query_params else None
    return await admin_page(
        ctx, "page_trace.html", "runs", found=trace, p=trace.page, source=source, read=read
    )


@router.get("/live/runs/{run_id:row}")
async def live(ctx: AdminContext, run_id: int) -> Response:
    """The live part of a run, until it has ended."""
    ended = False

    async def draw() -> str:
        nonlocal ended
        shown = await _run_details(ctx, run_id)
        ended = shown["r"].over
        return ctx.render("admin/run_part.html", **shown)

    return await stream(ctx, draw, over=lambda: ended)


ACTIONS: Mapping[str, ButtonAction] = {
    "pause": (runs.pause, "is paused: pages being fetched are finished, no new ones are started"),
    "resume": (runs.resume, "is resumed"),
    "stop": (runs.stop, "is stopped"),
    "void": (corrections.void, "is voided: its values no longer count; nothing was deleted"),
    "unvoid": (corrections.unvoid, "is restored: its values count again"),
}


@router.post("/runs/{run_id:row}/{action}")
async def act(ctx: AdminContext, run_id: int, action: str) -> Response:
    """Pause, resume, stop, void, unvoid."""
    await ctx.form()
    work, done = find_action(ACTIONS, action)
    await ctx.run(work, run_id, **ctx.actor)
    return ctx.redirect(f"/admin/runs/{run_id}", f"Run {run_id} {done}.")


async def _run_list(ctx: PageContext) -> dict[str, Any]:
    filters = {name: ctx.request.query_params.get(name) or None for name in ("source", "kind", "status")}
    kind = parse_choice(filters["kind"], RunKind, "run kind") if filters["kind"] else None
    status = parse_choice(filters["status"], RunStatus, "status") if filters["status"] else None
    before = cursor(ctx)
    found = await ctx.read(
        runs.list_runs, source=filters["source"], kind=kind, status=status, before=before, limit=PAGE + 1
    )
    rows, more = paginate(ctx, found, PAGE)
    return {
        "runs": rows, "more": more, "first": before is None,
        "filters": filters, "kinds": KINDS, "statuses": STATUSES,
    }  # fmt: skip


async def _run_details(ctx: PageContext, run_id: int) -> dict[str, Any]:
    details = await ctx.read(runs.show, run_id)
    run = details.run
    failed = run.over and (run.failed or run.status in UNSUCCESSFUL)
    return {
        "found": details,
        "r": run,
        "losses": loss_lines(run),
        "loss_figures": loss_figures(run),
        "sweep": await ctx.read(sweep_progress.sweep_progress, run_id),
        "outcomes": await ctx.read(page_traces.count_outcomes, run_id) if failed else {},
        "left_out": await ctx.read(page_traces.count_left_out, run_id)
        if run.dropped or run.quarantined
        else (),
    }
