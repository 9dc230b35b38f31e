"""Sources: list, state, settings; run, enable, disable, review."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from larder.actions.operations import runs
from larder.actions.operations.runs import RunView
from larder.actions.sources import sources
from larder.actions.sources.sources import Counts, SourceView
from larder.actions.sources.spec import SourceSpec
from larder.core.errors import BadInput, NotFound
from larder.core.model.run import RunKind
from larder.core.model.source import EARLIER_MONITOR, FetcherName, Plan, Tier, Visibility
from larder.engine.scheduling.dispatch import DispatchSettings
from larder.store.database import Connection
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, form_text, parse_choice, parse_int
from larder.web.count_cache import CountCache
from larder.web.drawing.charts import Share, badge_shares
from larder.web.live import stream

router = APIRouter()

EDITABLE = (
    "name", "tier", "visibility", "fetcher", "tz", "language", "currency", "cadence_hours", "max_pages",
    "max_items_per_run",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePage:
    """The data of a source's page."""

    view: SourceView
    runs: Sequence[RunView]
    shares: Sequence[Share]

    @property
    def latest(self) -> RunView | None:
        """Its latest run."""
        return self.runs[0] if self.runs else None

    @property
    def settled(self) -> bool:
        """Whether a run has ended."""
        return any(each.over for each in self.runs)

    @property
    def fetches(self) -> int:
        """Fetches in the period of the reliability figure."""
        return sum(tried for tried, _ in (self.view.fields["fetch_days"] or {}).values())

    @property
    def first_at(self) -> datetime | None:
        """When its next run is due."""
        return min((each.next_at for each in self.view.why.kinds if each.next_at), default=None)


@router.get("/sources")
async def list_sources(ctx: AdminContext) -> Response:
    """All sources and markets."""
    cache: CountCache[Counts] = ctx.request.app.state.source_counts
    counts = await cache.get(lambda: ctx.look(sources.count_records, now=ctx.now))
    found = await ctx.look(sources.list_sources, ctx.app.dispatcher, counts=counts, now=ctx.now)
    filters = {name: ctx.request.query_params.get(name, "") for name in ("plan", "state")}
    filters["plan"] = Plan.MONITOR if filters["plan"] == EARLIER_MONITOR else filters["plan"]
    rows = [
        each for each in found if filters["plan"] in ("", each.plan) and filters["state"] in ("", each.state)
    ]
    return await admin_page(
        ctx, "sources.html", "sources", sources=rows, all=len(found), filters=filters,
        plans=sorted(Counter(str(each.plan) for each in found).items()),
        states=sorted(Counter(each.state for each in found).items()),
    )  # fmt: skip


@router.get("/live/sources/{slug}")
async def live(ctx: AdminContext, slug: str) -> Response:
    """The live part of the page, until the first run has ended."""
    settled = False

    async def draw() -> str:
        nonlocal settled
        found = await ctx.look(_load, slug, ctx.app.dispatcher, now=ctx.now)
        settled = found.settled
        return ctx.render("admin/source_part.html", found=found, f=found.view.fields)

    return await stream(ctx, draw, over=lambda: settled)


@router.get("/sources/{slug}")
async def show(ctx: AdminContext, slug: str) -> Response:
    """One source."""
    found = await ctx.look(_load, slug, ctx.app.dispatcher, now=ctx.now)
    return await admin_page(
        ctx, "source.html", "sources", found=found, f=found.view.fields, tiers=list(Tier),
        fetchers=list(FetcherName), visibilities=list(Visibility),
    )  # fmt: skip


@router.post("/sources/{slug}/change")
async def change(ctx: AdminContext, slug: str) -> Response:
    """Saves the settings of a source."""
    form = await ctx.form()
    given: dict[str, Any] = {name: form_text(form, name) or None for name in EDITABLE if name in form}
    before = (await ctx.look(sources.show, slug, ctx.app.dispatcher, now=ctx.now)).fields
    values = _checked(before, given)
    await ctx.do(sources.set_columns, slug, values, ctx.app.dispatcher, **ctx.actor)
    return ctx.redirect(f"/admin/sources/{slug}", f"{slug} was saved.")


@router.post("/sources/{slug}/{action}")
async def act(ctx: AdminContext, slug: str, action: str) -> Response:
    """Run now, enable, disable, review."""
    form = await ctx.form()
    how, back = ctx.app.dispatcher, form_text(form, "back") or f"/admin/sources/{slug}"
    if action == "run":
        kind = parse_choice(form_text(form, "kind"), RunKind, "run kind") if form_text(form, "kind") else None
        opened = await ctx.do(runs.start, slug, kind, how, **ctx.actor)
        return ctx.redirect(f"/admin/runs/{opened.id}", f"Run {opened.id} was started.")
    switches = {"enable": sources.enable, "disable": sources.disable, "review": sources.review}
    if action not in switches:
        raise NotFound(f"unknown action: {action}")
    await ctx.do(switches[action], slug, how, **ctx.actor)
    done = {"enable": "is enabled", "disable": "is disabled", "review": "is marked as reviewed"}[action]
    return ctx.redirect(back, f"{slug} {done}.")


def _load(conn: Connection, slug: str, how: DispatchSettings, *, now: datetime) -> SourcePage:
    view = sources.show(conn, slug, how, now=now)
    return SourcePage(
        view=view, runs=runs.list_runs(conn, source=slug, limit=12), shares=badge_shares(view.badges)
    )


def _checked(before: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Validated like a new source."""
    for name in ("max_pages", "max_items_per_run"):
        parse_int(values.get(name), name)
    try:
        spec = SourceSpec.model_validate({"url": before["url"], "slug": before["slug"], **values})
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(f"{first['loc'][-1]}: {first['msg']}", hint="no change was saved") from error
    checked = spec.row(only_given=True)
    return {name: checked.get(name) for name in values}
