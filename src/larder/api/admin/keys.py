"""Keys: who may use the API. A key is shown once, when it is made.

Keys and links are dated by the clock that the door goes by: the demo's own skips hours.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response

from larder.actions.access import keys
from larder.actions.access.keys import IssuedKey, KeyView
from larder.api.context import By, Call, Operator
from larder.api.request_bodies import Body
from larder.api.responses import answer, answer_all
from larder.api.schemas import gives
from larder.core.model.caller import Scope

router = APIRouter(prefix="/keys", tags=["keys"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where a browser comes in."""

    link: str


class NewKey(Body):
    """A key to give out."""

    name: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$", description="What the audit calls whoever uses it."
    )
    scope: Scope = Field(default=Scope.READ, description="What it opens.")
    days: int | None = Field(
        default=None, ge=1, le=keys.MAX_LIFETIME.days, description="How long; left out: for ever."
    )


@router.get("", summary="All keys", **gives(KeyView, many=True))
async def every(call: Operator) -> Response:
    """All that were ever given out; never the keys themselves."""
    return answer_all(await call.look(keys.list_keys))


@router.post("", summary="Give out a key", **gives(IssuedKey, status=201))
async def add(call: Operator, body: NewKey) -> Response:
    """It is shown this once; only its hash is kept."""
    lasts = None if body.days is None else timedelta(days=body.days)
    return answer(await call.do(keys.add, body.name, body.scope, lasts=lasts, **_by(call)), status=201)


@router.post("/link", summary="Make a one-time link", **gives(Link, status=201))
async def link(call: Operator) -> Response:
    """It opens the admin pages in one browser, once, within ten minutes; the session ends with this key."""
    ticket = await call.do(keys.create_ticket, key=call.caller.key, **_by(call))
    return answer(Link(link=f"{call.app.settings.address}/enter?ticket={ticket}"), status=201)


@router.delete("/{name}", summary="Revoke a key", **gives(KeyView))
async def revoke(
    call: Operator, name: Annotated[str, Path(max_length=64, description="Its name, or its prefix.")]
) -> Response:
    """It opens nothing from now on, and whoever came in with it, or by a link it made, is out."""
    return answer(await call.do(keys.revoke, name, **_by(call)))


def _by(call: Call) -> By:
    return By(who=call.caller.name, now=call.app.wall.now())
