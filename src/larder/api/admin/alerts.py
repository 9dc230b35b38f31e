"""Alerts: what a person should know; each can be closed by hand."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from larder.actions.operations import alerts
from larder.actions.operations.alerts import AlertView
from larder.api.context import Operator
from larder.api.request_bodies import Before, Id, Limit
from larder.api.responses import answer, answer_all
from larder.api.schemas import gives

router = APIRouter(prefix="/alerts", tags=["alerts"])

Open = Annotated[bool, Query(description="Only those that are not resolved.")]


@router.get("", summary="Alerts", **gives(AlertView, many=True))
async def every(call: Operator, open: Open = True, before: Before = None, limit: Limit = 100) -> Response:  # noqa: A002
    """Newest first."""
    return answer_all(await call.look(alerts.list_alerts, open_only=open, before=before, limit=limit))


@router.post("/{alert_id:row}/resolve", summary="Close an alert", **gives(AlertView))
async def resolve(call: Operator, alert_id: Id) -> Response:
    """It is dealt with; if it comes again, it is a new one."""
    return answer(await call.do(alerts.resolve, alert_id, **call.by))
