"""Targets: list, add, import, pause, resume, run now, remove."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import targets
from larder.actions.sources.durations import parse_duration
from larder.actions.sources.targets import TargetSpec, csv_import
from larder.actions.sources.targets.csv_import import BadRow
from larder.core.errors import BadInput
from larder.core.plurals import plural
from larder.core.policy.scheduling.targets import TargetStatus
from larder.core.quoting import quoted
from larder.store.reads.lookup import list_slugs
from larder.web.admin.frame import ButtonAction, admin_page, find_action
from larder.web.admin.paging import PAGE, cursor, paginate, return_path
from larder.web.context import AdminContext, form_text, parse_amount
from larder.web.flash import OneTimeValues
from larder.web.uploads import read_upload

router = APIRouter(prefix="/targets")

MAX_SITES = 5
"""Sites without a source that are named."""
MAX_BAD_ROWS = 200
"""Invalid lines that are listed."""


@router.get("")
async def list_targets(ctx: AdminContext) -> Response:
    """All targets, with the invalid lines of an import just made."""
    untaken: OneTimeValues[Sequence[BadRow]] = ctx.request.app.state.untaken
    filters = {name: ctx.request.query_params.get(name) or None for name in ("source", "status")}
    status = TargetStatus(filters["status"]) if filters["status"] in list(TargetStatus) else None
    after = cursor(ctx, "after")
    found = await ctx.read(
        targets.list_targets, slug=filters["source"], status=status, after=after, limit=PAGE + 1
    )
    rows, more = paginate(ctx, found, at="after")
    return await admin_page(
        ctx,
        "targets.html",
        "targets",
        targets=rows,
        more=more,
        filters=filters,
        statuses=[str(s) for s in TargetStatus],
        bad=untaken.shown(ctx.request),
        slugs=await ctx.read(list_slugs),
    )


@router.post("/add")
async def add(ctx: AdminContext) -> Response:
    """One URL."""
    form = await ctx.form()
    spec = TargetSpec(
        url=form_text(form, "url"),
        interval=parse_duration(form_text(form, "interval")) if form_text(form, "interval") else None,
        cron=form_text(form, "cron") or None,
        priority=_priority(form_text(form, "priority")),
        notes=form_text(form, "notes") or None,
    )
    added = await ctx.run(targets.add, form_text(form, "source"), spec, **ctx.actor)
    if not added.watched:
        return ctx.redirect(
            "/admin/targets", f"Target {added.id} exists already: it is {added.state}.", tone="warn"
        )
    return ctx.redirect("/admin/targets", f"Target {added.id} was added.")


@router.post("/import")
async def import_(ctx: AdminContext) -> Response:
    """Imports a CSV file; invalid lines are listed."""
    form = await ctx.form()
    slug, content = form_text(form, "source"), csv_import.decode_csv(await read_upload(form, text="csv"))
    how = ctx.app.dispatcher if form_text(form, "add_sources") else None
    unknown = [] if how else await ctx.read(csv_import.unknown_sites, slug, content)
    done = await ctx.run(csv_import.import_csv, slug, content, add_sources=how, **ctx.actor)
    counts = f"{done.added} added, {done.changed} changed, {done.unchanged} unchanged"
    message = f"{counts}, {plural(len(done.bad), 'invalid line')}."
    if unknown:
        message += f" No source checks pages of {', '.join(unknown[:MAX_SITES])}: import again with sources."
    if not done.bad:
        return ctx.redirect("/admin/targets", message)
    untaken: OneTimeValues[Sequence[BadRow]] = ctx.request.app.state.untaken
    response = ctx.redirect(f"/admin/targets?{urlencode({'source': slug})}", message, tone="warn")
    return untaken.keep(done.bad[:MAX_BAD_ROWS], response)


@router.post("/run")
async def run_all(ctx: AdminContext) -> Response:
    """Makes all targets due now, of one source or of all."""
    form = await ctx.form()
    due = await ctx.run(targets.run_all, form_text(form, "source") or None, **ctx.actor)
    message = f"{plural(due.targets, 'target')} of {plural(due.sources, 'source')} due now."
    return ctx.redirect(return_path(form, "/admin/targets"), message)


ACTIONS: Mapping[str, ButtonAction] = {
    "pause": (targets.pause, "is paused"),
    "resume": (targets.resume, "is resumed"),
    "run": (targets.run_now, "is due now"),
    "remove": (targets.remove, "is removed"),
    "block": (targets.block, "is blocked"),
    "unblock": (targets.unblock, "is unblocked"),
}


@router.post("/{target_id:row}/{action}")
async def act(ctx: AdminContext, target_id: int, action: str) -> Response:
    """Pause, resume, run now, remove, block, unblock."""
    form = await ctx.form()
    work, done = find_action(ACTIONS, action)
    await ctx.run(work, target_id, **ctx.actor)
    return ctx.redirect(return_path(form, "/admin/targets"), f"Target {target_id} {done}.")


def _priority(value: str) -> int | None:
    found = parse_amount(value, "priority")
    if found is not None and found != int(found):
        raise BadInput(f"priority must be a whole number, not {quoted(value, 40)}", hint="higher comes first")
    return None if found is None else int(found)
