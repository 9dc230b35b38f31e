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
from larder.api.context import Actor, AdminContext, ApiContext
from larder.api.request_bodies import RequestBody
from larder.api.responses import json_response, list_response
from larder.api.schemas import gives
from larder.core.model.caller import Scope

router = APIRouter(prefix="/keys", tags=["keys"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where a browser comes in."""

    link: str


class NewKey(RequestBody):
    """A key to give out."""

    name: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$", description="What the audit calls whoever uses it."
    )
    scope: Scope = Field(default=Scope.READ, description="What it opens.")
    days: int | None = Field(
        default=None, ge=1, le=keys.MAX_LIFETIME.days, description="How long; left out: for ever."
    )


@router.get("", summary="All keys", **gives(KeyView, many=True))
async def every(ctx: AdminContext) -> Response:
    """All that were ever given out; never the keys themselves."""
    return list_response(await ctx.look(keys.list_keys))


@router.post("", summary="Give out a key", **gives(IssuedKey, status=201))
async def add(ctx: AdminContext, body: NewKey) -> Response:
    """It is shown this once; only its hash is kept."""
    lasts = None if body.days is None else timedelta(days=body.days)
    return json_response(
        await ctx.do(keys.add, body.name, body.scope, lasts=lasts, **_wall_actor(ctx)), status=201
    )


@router.post("/link", summary="Make a one-time link", **gives(Link, status=201))
async def link(ctx: AdminContext) -> Response:
    """It opens the admin pages in one browser, once, within ten minutes; the session ends with this key."""
    ticket = await ctx.do(keys.create_ticket, key=ctx.caller.key, **_wall_actor(ctx))
    return json_response(Link(link=f"{ctx.app.settings.address}/enter?ticket={ticket}"), status=201)


@router.delete("/{name}", summary="Revoke a key", **gives(KeyView))
async def revoke(
    ctx: AdminContext, name: Annotated[str, Path(max_length=64, description="Its name, or its prefix.")]
) -> Response:
    """It opens nothing from now on, and whoever came in with it, or by a link it made, is out."""
    return json_response(await ctx.do(keys.revoke, name, **_wall_actor(ctx)))


def _wall_actor(ctx: ApiContext) -> Actor:
    return Actor(who=ctx.caller.name, now=ctx.app.wall.now())
