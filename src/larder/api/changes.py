"""The change feed: changes of records after a cursor, for systems that keep a copy."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.actions.dataset import changes
from larder.actions.dataset.changes import ChangePage
from larder.api.context import PublicContext
from larder.store.dataset.changes import MAX_PAGE

router = APIRouter(prefix="/changes", tags=["changes"])

Since = Annotated[
    str | None,
    Query(max_length=50, description="`next` of the last answer; `latest`: only new changes; default: all."),
]
ChangesLimit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="Changes per page.")]


@router.get("", summary="Change feed: changes of records, in order")
async def since(ctx: PublicContext, since: Since = None, limit: ChangesLimit = 100) -> ChangePage:
    """Poll with the last `next`: no change is missed, whatever was interrupted in between.

    Each line has the current record; a line without one means that the record must be removed from copies. A
    page may be empty although `more` is true. With an admin key, hidden sources are included.
    """
    return await ctx.read(changes.changes_since, since, limit=limit, include_hidden=ctx.is_admin, now=ctx.now)
