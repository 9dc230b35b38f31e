"""Requests of the last day that failed, or ended in a way that was asked for: what the overview counts."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import page_traces
from larder.actions.operations.overview import ANSWERED, DAY
from larder.core.model.outcome import FetchOutcome
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place
from larder.web.choices import slugs
from larder.web.context import Operator

router = APIRouter(prefix="/requests")

OUTCOMES = tuple(str(outcome) for outcome in FetchOutcome)
FAILED = tuple(outcome for outcome in FetchOutcome if outcome not in ANSWERED)


@router.get("")
async def every(visit: Operator) -> Response:
    """The latest first."""
    params = visit.request.query_params
    asked = {name: params.get(name) or None for name in ("source", "outcome")}
    wanted = (FetchOutcome(asked["outcome"]),) if asked["outcome"] in OUTCOMES else FAILED
    found = await visit.look(
        page_traces.list_requests, wanted, since=visit.now - DAY, source=asked["source"], before=place(visit),
        limit=PAGE + 1,
    )  # fmt: skip
    shown, more = leaf(visit, found)
    return await answer(
        visit, "requests.html", "requests", requests=shown, more=more, asked=asked, outcomes=OUTCOMES,
        slugs=await visit.look(slugs),
    )  # fmt: skip
