"""The overview: records by confidence, alerts, blocked sources, latest runs, requests."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import records as record_actions
from larder.actions.dataset.records import PriceChange, RecordLine
from larder.actions.operations import runs as run_actions
from larder.actions.operations.runs import RunView
from larder.actions.sources import gate_reasons
from larder.actions.sources.gate_reasons import SourceGates
from larder.app.cost_cache import CostCache
from larder.core.model.hint import Hint
from larder.core.plurals import plural
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import Connection
from larder.store.operations.notifications.alerts import AlertGroup, list_open_groups
from larder.store.reads.operators import overview as actions
from larder.store.reads.operators.overview import Overview
from larder.store.reads.query import Query
from larder.web.admin.alert_links import URGENCY, alert_link
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, PageContext
from larder.web.drawing.charts import Share, badge_shares
from larder.web.live import stream

router = APIRouter()
LATEST = 6
HELD_BACK = "held back"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSummary:
    """One closed gate, and the sources that it blocks."""

    says: str
    todo: Hint
    sources: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetCounts:
    """Counts over the whole dataset, which are cached."""

    counts: Overview
    hours: Sequence[tuple[str, float]]
    """Requests in each of the last 24."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPage:
    """The data of the overview."""

    counts: Overview
    shares: Sequence[Share]
    hours: Sequence[tuple[str, float]]
    held_back: Sequence[GateSummary]
    alerts: Sequence[AlertGroup]
    runs: Sequence[RunView]
    prices: Sequence[PriceChange]
    newest: Sequence[RecordLine]


@router.get("")
async def overview(ctx: AdminContext) -> Response:
    """The overview; it is updated live."""
    return await admin_page(ctx, "overview.html", "overview", **await _context(ctx))


@router.get("/live/overview")
async def live(ctx: AdminContext) -> Response:
    """The live part of the overview."""

    async def draw() -> str:
        return ctx.render("admin/overview_part.html", **await _context(ctx))

    return await stream(ctx, draw, interval=2.0)


async def _context(ctx: PageContext) -> dict[str, object]:
    cache: CostCache[DatasetCounts] = ctx.request.app.state.figures
    figures = await cache.get(lambda: ctx.read(_dataset_counts, now=ctx.now))
    glance = await ctx.read(_overview_page, figures, ctx.app.dispatcher, now=ctx.now)
    truth = await ctx.app.truth() if ctx.app.truth else None
    return {"glance": glance, "truth": truth, "about": alert_link, "urgency": URGENCY}


def _dataset_counts(conn: Connection, *, now: datetime) -> DatasetCounts:
    return DatasetCounts(counts=actions.overview(conn, now=now), hours=_requests(conn, now))


def _overview_page(
    conn: Connection, figures: DatasetCounts, settings: DispatchSettings, *, now: datetime
) -> OverviewPage:
    return OverviewPage(
        counts=figures.counts,
        shares=badge_shares(figures.counts.badges),
        hours=figures.hours,
        held_back=_gate_summaries(gate_reasons.explain_all(conn, settings, now=now).values()),
        alerts=list_open_groups(conn),
        runs=run_actions.list_runs(conn, limit=LATEST),
        prices=record_actions.price_changes(conn, limit=LATEST),
        newest=record_actions.list_records(conn, Query(), limit=LATEST, now=now),
    )


def _requests(conn: Connection, now: datetime) -> list[tuple[str, float]]:
    hours = actions.requests_by_hour(conn, now=now)
    return [(f"{at:%H:00} UTC: {plural(count, 'request')}", float(count)) for at, count in hours]


def _gate_summaries(all_gates: Iterable[SourceGates]) -> list[GateSummary]:
    """Blocked sources, grouped by gate."""
    found: dict[str, tuple[Hint, list[str]]] = {}
    for gates in all_gates:
        for reason in gates.blocked_by if gates.state == HELD_BACK else ():
            found.setdefault(reason.says, (reason.todo, []))[1].append(gates.source)
    return [GateSummary(says=says, todo=todo, sources=slugs) for says, (todo, slugs) in found.items()]
