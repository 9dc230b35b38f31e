"""API keys. A key is returned once, when it is created.

Keys and links are dated by the wall clock that authentication uses; the clock of the demo skips hours.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from larder.actions.access import keys
from larder.actions.access.keys import IssuedKey, KeyView
from larder.api.context import AdminContext, ApiContext
from larder.api.request_bodies import RequestBody
from larder.api.schemas import Items
from larder.auth import Actor
from larder.core.model.caller import Scope

router = APIRouter(prefix="/keys", tags=["keys"])


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInLink:
    """A one-time sign-in link."""

    link: str


class NewKey(RequestBody):
    """A key to create."""

    name: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$", description="Name of its user in the audit log."
    )
    scope: Scope = Field(default=Scope.READ, description="What it may do.")
    days: int | None = Field(
        default=None, ge=1, le=keys.MAX_LIFETIME.days, description="Days until it expires; default: never."
    )


@router.get("", summary="All keys")
async def list_keys(ctx: AdminContext) -> Items[KeyView]:
    """All keys, without their values."""
    return Items(items=await ctx.read(keys.list_keys))


@router.post("", summary="Create a key", status_code=201)
async def add(ctx: AdminContext, body: NewKey) -> IssuedKey:
    """The key is returned once; only its hash is stored."""
    lasts = None if body.days is None else timedelta(days=body.days)
    return await ctx.run(keys.add, body.name, body.scope, lasts=lasts, **_wall_actor(ctx))


@router.post("/link", summary="Create a one-time sign-in link", status_code=201)
async def link(ctx: AdminContext) -> SignInLink:
    """Signs one browser in, once, within ten minutes; the session ends when this key is revoked."""
    ticket = await ctx.run(keys.create_ticket, key=ctx.caller.key, **_wall_actor(ctx))
    return SignInLink(link=f"{ctx.app.settings.address}/enter?ticket={ticket}")


@router.delete("/{name}", summary="Revoke a key")
async def revoke(
    ctx: AdminContext, name: Annotated[str, Path(max_length=64, description="Name or prefix of the key.")]
) -> KeyView:
    """The key is refused from now on, and its sessions end."""
    return await ctx.run(keys.revoke, name, **_wall_actor(ctx))


def _wall_actor(ctx: ApiContext) -> Actor:
    return Actor(who=ctx.caller.name, now=ctx.app.wall.now())
