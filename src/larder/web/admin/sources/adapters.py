"""Adapters: state by site, drift, and the comparison of new versions."""

from collections.abc import Sequence

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import adapters, canary
from larder.core.plurals import plural
from larder.core.policy.trust.canary import CanaryState
from larder.runs import EXTRACTING
from larder.store.database import Connection
from larder.store.operations import adapter_health, drift_batches
from larder.store.operations.adapter_health import RunYield
from larder.store.operations.drift_batches import DriftBatch
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, form_text, unknown_action

router = APIRouter(prefix="/adapters")

SITES = 24
"""Sites with a drift chart."""
BATCHES = 60
"""Batches per chart."""
RUNS = 20
ALARM = 0.5
"""The failure rate that disables an adapter."""


@router.get("")
async def list_adapters(ctx: AdminContext) -> Response:
    """All of them."""
    return await admin_page(ctx, "adapters.html", "adapters", adapters=await ctx.read(adapters.list_adapters))


@router.get("/{adapter_id}")
async def show(ctx: AdminContext, adapter_id: str) -> Response:
    """One adapter with its drift, site by site."""
    adapter = await ctx.read(adapters.show, adapter_id)
    drift = await ctx.read(_drift, adapter_id)
    read = await ctx.read(_read, adapter_id, [source.site for source in adapter.off if source.site])
    canaries = await ctx.read(canary.list_canaries, adapter_id)
    return await admin_page(
        ctx, "adapter.html", "adapters", adapter=adapter, drift=drift, read=read, alarm=ALARM,
        canaries=canaries, most=SITES,
    )  # fmt: skip


@router.post("/{adapter_id}/canary")
async def canary_action(ctx: AdminContext, adapter_id: str) -> Response:
    """Compares the installed version on stored pages, or accepts its differences."""
    form = await ctx.form()
    app, back = ctx.app, f"/admin/adapters/{adapter_id}"
    if form_text(form, "accept"):
        known = app.dispatcher.adapters
        await ctx.run(canary.accept, adapter_id, None, known, **ctx.actor)
        return ctx.redirect(back, "The new version is active.")
    blobs = app.blobs()
    try:
        seen = await canary.try_versions(
            app.database, blobs, app.dispatcher.adapters, adapter_id, runner=app.parse_runner, now=ctx.now
        )
    finally:
        await blobs.close()
    refused = sum(each.status == CanaryState.REFUSED for each in seen)
    tone = "warn" if refused else "good"
    return ctx.redirect(
        back, f"Compared on stored pages: {len(seen) - refused} unchanged, {refused} different.", tone=tone
    )


@router.post("/{adapter_id}/{action}")
async def act(ctx: AdminContext, adapter_id: str, action: str) -> Response:
    """Enables or disables an adapter."""
    form = await ctx.form()
    site, who, now = form_text(form, "site") or None, ctx.who, ctx.now
    if action == "disable":
        reason, terms = form_text(form, "reason"), bool(form_text(form, "terms"))
        await ctx.run(adapters.disable, adapter_id, reason, site=site, terms=terms, who=who, now=now)
    elif action == "enable":
        await ctx.run(adapters.enable, adapter_id, site=site, who=who, now=now)
    else:
        raise unknown_action(action, ("enable", "disable", "canary"))
    where = f" on {site}" if site else ""
    return ctx.redirect(f"/admin/adapters/{adapter_id}", f"{adapter_id} is {action}d{where}.")


def _drift(conn: Connection, adapter_id: str) -> dict[str, list[tuple[str, float]]]:
    """Failure rates of the latest batches of each site, oldest first."""
    found = drift_batches.latest_batches(conn, adapter_id, limit=SITES, each=BATCHES)
    return {domain: [_rate(row) for row in rows] for domain, rows in found.items()}


def _rate(row: DriftBatch) -> tuple[str, float]:
    rate = row.failed / row.attempted if row.attempted else 0.0
    items = f"{row.valid / row.attempted:.1f} items a page" if row.attempted else "no page"
    return f"{row.at:%d %b %H:%M} UTC: {row.failed} of {row.attempted} pages failed, {items}", rate


def _read(conn: Connection, adapter_id: str, domains: Sequence[str]) -> dict[str, list[tuple[str, float]]]:
    """Items that the latest runs read on sites where it is disabled, oldest first.

    The evidence for disabling it.
    """
    return {domain: bars for domain in domains if (bars := _runs_on(conn, adapter_id, domain))}


def _runs_on(conn: Connection, adapter_id: str, domain: str) -> list[tuple[str, float]]:
    runs = adapter_health.latest_yields(conn, adapter_id, domain, kinds=EXTRACTING, limit=RUNS)
    return [
        (f"{run.started_at:%d %b %H:%M} UTC, {run.kind} {run.id}: {_items_read(run)}", float(run.items))
        for run in runs
    ]


def _items_read(run: RunYield) -> str:
    return f"{plural(run.items, 'item')} on {plural(run.pages, 'page')}"
