"""Alerts: list and resolve."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.actions.operations import alerts
from larder.actions.operations.alerts import AlertView
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit, RowId
from larder.api.schemas import Items

router = APIRouter(prefix="/alerts", tags=["alerts"])

Open = Annotated[bool, Query(description="Only open alerts.")]


@router.get("", summary="Alerts")
async def list_alerts(
    ctx: AdminContext,
    open: Open = True,  # noqa: A002
    before: Before = None,
    limit: ListLimit = 100,
) -> Items[AlertView]:
    """Newest first."""
    return Items(items=await ctx.read(alerts.list_alerts, open_only=open, before=before, limit=limit))


@router.post("/{alert_id:row}/resolve", summary="Resolve an alert")
async def resolve(ctx: AdminContext, alert_id: RowId) -> AlertView:
    """Closes it; if the problem occurs again, a new alert is opened."""
    return await ctx.run(alerts.resolve, alert_id, **ctx.actor)
