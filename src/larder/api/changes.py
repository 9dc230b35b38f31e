"""The change feed: what happened to records after a cursor, for systems that keep a copy of their own."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.actions.dataset import changes
from larder.actions.dataset.changes import ChangePage
from larder.api.context import PublicContext
from larder.store.dataset.changes import MAX_PAGE

router = APIRouter(prefix="/changes", tags=["changes"])

Since = Annotated[
    str | None,
    Query(max_length=50, description="The `next` of the last answer; `latest`: only what comes; none: all."),
]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="Changes of a page.")]


@router.get("", summary="What happened to records, in order")
async def since(ctx: PublicContext, since: Since = None, limit: Limit = 100) -> ChangePage:
    """Poll with `next` for ever: nothing is missed, whatever stopped in between.

    Each line brings the record as it stands now; a line without one says: let go of it. A page may be empty
    although there is `more`. With an admin key hidden sources are told of, too.
    """
    return await ctx.look(changes.changes_since, since, limit=limit, everything=ctx.admin, now=ctx.now)
