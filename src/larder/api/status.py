"""The freshness of the dataset, for holders of a key; for everyone with `LARDER_STATUS_PUBLIC`."""

from fastapi import APIRouter

from larder.api.context import PublicContext
from larder.core.errors import NotSignedIn
from larder.store.reads.operators.dataset_status import DatasetStatus, dataset_status

router = APIRouter(tags=["status"])


@router.get("/status", summary="Freshness of the dataset")
async def status(ctx: PublicContext) -> DatasetStatus:
    """Records, how many of them are fresh, and the last run of each source.

    With an admin key hidden sources are included. Needs a key, unless `LARDER_STATUS_PUBLIC` is set.
    """
    if not (ctx.caller.known or ctx.app.settings.status_public):
        raise NotSignedIn("an API key is required", hint="send Authorization: Bearer KEY")
    return await ctx.read(dataset_status, hidden=ctx.is_admin, now=ctx.now)
