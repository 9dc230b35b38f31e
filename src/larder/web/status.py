"""The status page: the freshness of the dataset; public with `LARDER_STATUS_PUBLIC`, else for operators."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.core.errors import NotFound
from larder.store.reads.operators.dataset_status import dataset_status
from larder.web.context import PublicContext

router = APIRouter()


@router.get("/status")
async def status(ctx: PublicContext) -> Response:
    """Records, how many are fresh, and the last run of each source; operators also see hidden sources."""
    if not (ctx.is_admin or ctx.app.settings.status_public):
        raise NotFound("there is no public status page", hint="operators: set LARDER_STATUS_PUBLIC=true")
    found = await ctx.read(dataset_status, hidden=ctx.is_admin, now=ctx.now)
    return ctx.page("public/status.html", place="status", found=found)
