"""Failed requests of the last day, or those with a chosen outcome."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.core.model.outcome import FetchOutcome
from larder.store.reads.lookup import list_slugs
from larder.store.reads.operators import page_traces
from larder.store.reads.operators.overview import ANSWERED, DAY
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate
from larder.web.context import AdminContext

router = APIRouter(prefix="/requests")

OUTCOMES = tuple(str(outcome) for outcome in FetchOutcome)
FAILED = tuple(outcome for outcome in FetchOutcome if outcome not in ANSWERED)


@router.get("")
async def list_requests(ctx: AdminContext) -> Response:
    """The latest first."""
    params = ctx.request.query_params
    filters = {name: params.get(name) or None for name in ("source", "outcome")}
    outcomes = (FetchOutcome(filters["outcome"]),) if filters["outcome"] in OUTCOMES else FAILED
    requests = await ctx.read(
        page_traces.list_requests, outcomes, since=ctx.now - DAY, source=filters["source"],
        before=cursor(ctx), limit=PAGE + 1,
    )  # fmt: skip
    rows, more = paginate(ctx, requests)
    return await admin_page(
        ctx, "requests.html", "requests", requests=rows, more=more, filters=filters, outcomes=OUTCOMES,
        slugs=await ctx.read(list_slugs),
    )  # fmt: skip
