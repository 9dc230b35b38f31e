"""Candidates: sources that were found, for a person to take in or turn down."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import candidates
from larder.actions.sources.candidates import CandidateStatus
from larder.core.errors import NotThere
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place, whence
from larder.web.context import Operator

router = APIRouter(prefix="/candidates")

STATUSES = tuple(str(status) for status in CandidateStatus)


@router.get("")
async def every(visit: Operator) -> Response:
    """The newest first; where nothing is asked, those that nobody decided on."""
    asked = {"status": visit.request.query_params.get("status") or CandidateStatus.NEW}
    status = CandidateStatus(asked["status"]) if asked["status"] in STATUSES else None
    found = await visit.look(candidates.list_candidates, status=status, before=place(visit), limit=PAGE + 1)
    shown, more = leaf(visit, found)
    return await answer(
        visit, "candidates.html", "candidates", candidates=shown, more=more, asked=asked, statuses=STATUSES
    )


@router.post("/{candidate_id:row}/{action}")
async def act(visit: Operator, candidate_id: int, action: str) -> Response:
    """Take in or turn down."""
    form = await visit.form()
    if action == "accept":
        added = await visit.do(
            candidates.accept, candidate_id, visit.app.dispatcher, who=visit.who, now=visit.now
        )
        return visit.back(f"/admin/sources/{added.slug}", f"{added.slug} is a source now.")
    if action == "reject":
        await visit.do(candidates.reject, candidate_id, who=visit.who, now=visit.now)
        return visit.back(whence(form, "/admin/candidates"), "Turned down; it is not suggested again.")
    raise NotThere(f"nothing is called {action!r} here")
