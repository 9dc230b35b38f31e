"""Alerts: open ones, or all."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import alerts
from larder.web.admin.alert_links import URGENCY, alert_link
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate, return_path
from larder.web.context import AdminContext

router = APIRouter(prefix="/alerts")


@router.get("")
async def list_alerts(ctx: AdminContext) -> Response:
    """Open ones, or all."""
    everything = ctx.request.query_params.get("all") == "1"
    found = await ctx.read(alerts.list_alerts, open_only=not everything, before=cursor(ctx), limit=PAGE + 1)
    rows, more = paginate(ctx, found)
    return await admin_page(
        ctx, "alerts.html", "alerts", alerts=rows, more=more, everything=everything, about=alert_link,
        urgency=URGENCY,
    )  # fmt: skip


@router.post("/{alert_id:row}/resolve")
async def resolve(ctx: AdminContext, alert_id: int) -> Response:
    """Resolves an alert."""
    form = await ctx.form()
    await ctx.run(alerts.resolve, alert_id, **ctx.actor)
    return ctx.redirect(
        return_path(form, "/admin/alerts"), "Alert resolved. If it happens again, a new alert is opened."
    )
