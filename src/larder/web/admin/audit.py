"""Who changed what, and when."""

from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions import audit
from larder.web.admin.frame import answer
from larder.web.visit import Operator, whole

router = APIRouter(prefix="/audit")


@router.get("")
async def every(visit: Operator) -> Response:
    """The latest first; `before` goes on."""
    params = visit.request.query_params
    before, who, subject = whole(params.get("before"), "before"), params.get("who"), params.get("subject")
    lines = await visit.look(audit.latest, before=before, who=who or None, subject=subject or None)
    asked = {"who": who or "", "subject": subject or ""}
    more = f"?{urlencode({**asked, 'before': lines[-1].id})}" if len(lines) == audit.PAGE else ""
    return await answer(visit, "audit.html", "audit", lines=lines, more=more, who=who, subject=subject)
