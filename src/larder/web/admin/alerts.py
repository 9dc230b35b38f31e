"""Alerts: what called for a person, and what still does."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import alerts
from larder.web.admin.alert_links import URGENCY, about
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place, whence
from larder.web.context import Operator

router = APIRouter(prefix="/alerts")


@router.get("")
async def every(visit: Operator) -> Response:
    """Open ones, or all."""
    everything = visit.request.query_params.get("all") == "1"
    found = await visit.look(
        alerts.list_alerts, open_only=not everything, before=place(visit), limit=PAGE + 1
    )
    shown, more = leaf(visit, found)
    return await answer(
        visit, "alerts.html", "alerts", alerts=shown, more=more, everything=everything, about=about,
        urgency=URGENCY,
    )  # fmt: skip


@router.post("/{alert_id:row}/resolve")
async def resolve(visit: Operator, alert_id: int) -> Response:
    """Somebody took care of it."""
    form = await visit.form()
    await visit.do(alerts.resolve, alert_id, who=visit.who, now=visit.now)
    return visit.back(whence(form, "/admin/alerts"), "Resolved. It comes again if it happens again.")
