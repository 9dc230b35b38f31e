"""Who changed what, and when."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import audit
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place
from larder.web.context import Operator

router = APIRouter(prefix="/audit")


@router.get("")
async def every(visit: Operator) -> Response:
    """The latest first."""
    asked = {name: visit.request.query_params.get(name) or None for name in ("who", "subject")}
    found = await visit.look(audit.list_entries, **asked, before=place(visit), limit=PAGE + 1)
    shown, more = leaf(visit, found)
    return await answer(visit, "audit.html", "audit", lines=shown, more=more, asked=asked)
