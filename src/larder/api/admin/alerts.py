"""Alerts: what a person should know; each can be closed by hand."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from larder.actions.operations import alerts
from larder.actions.operations.alerts import AlertView
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Id, Limit
from larder.api.responses import json_response, list_response
from larder.api.schemas import gives

router = APIRouter(prefix="/alerts", tags=["alerts"])

Open = Annotated[bool, Query(description="Only those that are not resolved.")]


@router.get("", summary="Alerts", **gives(AlertView, many=True))
async def every(ctx: AdminContext, open: Open = True, before: Before = None, limit: Limit = 100) -> Response:  # noqa: A002
    """Newest first."""
    return list_response(await ctx.look(alerts.list_alerts, open_only=open, before=before, limit=limit))


@router.post("/{alert_id:row}/resolve", summary="Close an alert", **gives(AlertView))
async def resolve(ctx: AdminContext, alert_id: Id) -> Response:
    """It is dealt with; if it comes again, it is a new one."""
    return json_response(await ctx.do(alerts.resolve, alert_id, **ctx.actor))
