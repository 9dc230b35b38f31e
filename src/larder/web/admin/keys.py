"""Keys: who may call, with what scope; shown once, revocable.

They are dated by the clock that the door goes by: the demo's own skips hours.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response

from larder.actions.access import keys
from larder.actions.access.keys import IssuedKey
from larder.core.errors import BadInput
from larder.core.model.caller import Scope
from larder.web.admin.frame import answer
from larder.web.context import Operator, Visit, text, whole
from larder.web.flash import Once

router = APIRouter(prefix="/keys")


async def _by_the_wall(visit: Operator) -> Visit:
    return replace(visit, now=visit.app.wall.now())


Keeper = Annotated[Visit, Depends(_by_the_wall)]
"""An operator at the door's own time."""


@router.get("")
async def every(visit: Keeper) -> Response:
    """All that were given out; one that was made just now is shown, for this once."""
    waiting: Once[IssuedKey] = visit.request.app.state.issued
    issued = waiting.shown(visit.request)
    return await answer(
        visit, "keys.html", "keys", keys=await visit.look(keys.list_keys), issued=issued, scopes=list(Scope)
    )


@router.post("/add")
async def add(visit: Keeper) -> Response:
    """A new key: the page that follows is the only one that ever shows it."""
    form = await visit.form()
    scope, days = (
        text(form, "scope") or Scope.READ,
        whole(text(form, "days"), "days", high=keys.MAX_LIFETIME.days),
    )
    if scope not in list(Scope):
        raise BadInput(f"there is no scope {scope!r}", hint="read or admin")
    issued = await visit.do(
        keys.add, text(form, "name"), Scope(scope), lasts=timedelta(days=days) if days else None,
        who=visit.who, now=visit.now,
    )  # fmt: skip
    waiting: Once[IssuedKey] = visit.request.app.state.issued
    return waiting.keep(issued, visit.back("/admin/keys"))


@router.post("/revoke")
async def revoke(visit: Keeper) -> Response:
    """It opens nothing from now on."""
    form = await visit.form()
    await visit.do(keys.revoke, text(form, "name"), who=visit.who, now=visit.now)
    return visit.back("/admin/keys", f"The key {text(form, 'name')} is revoked.")
