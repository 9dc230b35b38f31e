"""Sources: list, state, settings; run, enable, disable, review."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import yaml
from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import runs
from larder.actions.operations.run_losses import LossLine, loss_figures, loss_lines
from larder.actions.operations.runs import RunView
from larder.actions.sources import removal, sources
from larder.actions.sources.disputes import dispute_line
from larder.actions.sources.fields import EDITABLE, FieldType, parse_field
from larder.actions.sources.removal import FATES, RecordsFate
from larder.actions.sources.sources import Counts, SourceView
from larder.app.cost_cache import CostCache
from larder.core.model.run import RunKind
from larder.core.model.source import EARLIER_MONITOR, Plan
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import Connection
from larder.store.reads.operators.disputed_fields import list_disputed_fields
from larder.store.reads.operators.runs import latest_closed_runs
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, form_text, parse_choice, parse_int, unknown_action
from larder.web.drawing.charts import Share, badge_shares
from larder.web.live import stream

router = APIRouter()

COLUMNS = {"latitude", "longitude"}
"""Columns that a place replaces; the one that is written counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLosses:
    """What a run saw and stored, and why the rest is missing."""

    run: RunView
    figures: str
    lines: Sequence[LossLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePage:
    """The data of a source's page."""

    view: SourceView
    runs: Sequence[RunView]
    shares: Sequence[Share]
    disputed: Sequence[str]
    """A line for each field on which readings disagree."""
    losses: Sequence[RunLosses]
    """Of the latest closed run of each kind, those that did not store all that their pages showed."""

    @property
    def latest(self) -> RunView | None:
        """Its latest run."""
        return self.runs[0] if self.runs else None

    @property
    def settled(self) -> bool:
        """Whether a run has ended."""
        return any(run.over for run in self.runs)

    @property
    def fetches(self) -> int:
        """Fetches in the period of the reliability figure."""
        return sum(tried for tried, _ in (self.view.fields["fetch_days"] or {}).values())

    @property
    def first_at(self) -> datetime | None:
        """When its next run is due."""
        return min((state.next_at for state in self.view.why.kinds if state.next_at), default=None)


@router.get("/sources")
async def list_sources(ctx: AdminContext) -> Response:
    """All sources and markets."""
    cache: CostCache[Counts] = ctx.request.app.state.source_counts
    counts = await cache.get(lambda: ctx.read(sources.count_records, now=ctx.now))
    found = await ctx.read(sources.list_sources, ctx.app.dispatcher, counts=counts, now=ctx.now)
    filters = {name: ctx.request.query_params.get(name, "") for name in ("plan", "state")}
    filters["plan"] = Plan.MONITOR if filters["plan"] == EARLIER_MONITOR else filters["plan"]
    rows = [
        source
        for source in found
        if filters["plan"] in ("", source.plan) and filters["state"] in ("", source.state)
    ]
    return await admin_page(
        ctx, "sources.html", "sources", sources=rows, all=len(found), filters=filters,
        plans=sorted(Counter(str(source.plan) for source in found).items()),
        states=sorted(Counter(source.state for source in found).items()),
    )  # fmt: skip


@router.get("/live/sources/{slug}")
async def live(ctx: AdminContext, slug: str) -> Response:
    """The live part of the page, until the first run has ended."""
    settled = False

    async def draw() -> str:
        nonlocal settled
        data = await ctx.read(_load, slug, ctx.app.dispatcher, now=ctx.now)
        settled = data.settled
        return ctx.render("admin/source_part.html", found=data, f=data.view.fields)

    return await stream(ctx, draw, over=lambda: settled)


@router.get("/sources/{slug}")
async def show(ctx: AdminContext, slug: str) -> Response:
    """One source."""
    data = await ctx.read(_load, slug, ctx.app.dispatcher, now=ctx.now)
    return await admin_page(
        ctx, "source.html", "sources", found=data, f=data.view.fields, fields=list(EDITABLE.values()),
        written=_written(data.view.fields), fates=FATES,
    )  # fmt: skip


@router.post("/sources/{slug}/change")
async def change(ctx: AdminContext, slug: str) -> Response:
    """Saves the settings of a source."""
    form = await ctx.form()
    values = {name: parse_field(name, form_text(form, name)) for name in EDITABLE if name in form}
    for name in ("max_pages", "max_items_per_run"):
        parse_int(form_text(form, name), name)
    located = values.pop("place", None)
    if located:
        values = {"place": located} | {name: value for name, value in values.items() if name not in COLUMNS}
    await ctx.run(sources.edit, slug, values, ctx.app.dispatcher, **ctx.actor)
    return ctx.redirect(f"/admin/sources/{slug}", f"{slug} was saved.")


def _written(row: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a source as the form shows them and reads them again."""
    return {name: _as_text(field.type, row.get(name)) for name, field in EDITABLE.items()}


def _as_text(type_: FieldType, value: Any) -> str:
    if value in (None, {}, ""):
        return ""
    if type_ is FieldType.MAPPING:
        return yaml.safe_dump(value, allow_unicode=True, sort_keys=False)
    if type_ is FieldType.FLAG:
        return "true" if value else "false"
    return f"{value:g}" if type_ is FieldType.NUMBER and value == int(value) else str(value)


@router.post("/sources/{slug}/{action}")
async def act(ctx: AdminContext, slug: str, action: str) -> Response:
    """Run now, enable, disable, review, remove."""
    form = await ctx.form()
    how, back = ctx.app.dispatcher, form_text(form, "back") or f"/admin/sources/{slug}"
    if action == "run":
        kind = parse_choice(form_text(form, "kind"), RunKind, "run kind") if form_text(form, "kind") else None
        run = await ctx.run(runs.start, slug, kind, how, **ctx.actor)
        return ctx.redirect(f"/admin/runs/{run.id}", f"Run {run.id} was started.")
    if action == "remove":
        choice = parse_choice(form_text(form, "records"), RecordsFate, "choice for records")
        await ctx.run(removal.remove, slug, choice, **ctx.actor)
        return ctx.redirect("/admin/sources", f"{slug} is removed: {FATES[choice]}.")
    switches = {"enable": sources.enable, "disable": sources.disable, "review": sources.review}
    if action not in switches:
        raise unknown_action(action, ("run", "remove", *switches))
    await ctx.run(switches[action], slug, how, **ctx.actor)
    done = {"enable": "is enabled", "disable": "is disabled", "review": "is marked as reviewed"}[action]
    return ctx.redirect(back, f"{slug} {done}.")


def _load(conn: Connection, slug: str, how: DispatchSettings, *, now: datetime) -> SourcePage:
    view = sources.show(conn, slug, how, now=now)
    return SourcePage(
        view=view,
        runs=runs.list_runs(conn, source=slug, limit=12),
        shares=badge_shares(view.badges),
        disputed=[dispute_line(field) for field in list_disputed_fields(conn, view.fields["id"])],
        losses=[
            RunLosses(run=run, figures=loss_figures(run), lines=lines)
            for run in latest_closed_runs(conn, slug)
            if (lines := loss_lines(run))
        ],
    )
