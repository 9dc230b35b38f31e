"""The pool of proxies. A password goes in and never comes out."""

from fastapi import APIRouter
from pydantic import Field, SecretStr

from larder.actions.operations import proxies
from larder.actions.operations.proxies import ProxyView
from larder.api.context import AdminContext
from larder.api.request_bodies import Id, RequestBody
from larder.api.schemas import Items

router = APIRouter(prefix="/proxies", tags=["proxies"])


class NewProxy(RequestBody):
    """A proxy to add."""

    url: SecretStr = Field(max_length=2_000, description="http, https or socks5, with user and password.")


@router.get("", summary="The pool")
async def every(ctx: AdminContext) -> Items[ProxyView]:
    """Each with how it does."""
    return Items(items=await ctx.look(proxies.list_proxies))


@router.post("", summary="Add a proxy", status_code=201)
async def add(ctx: AdminContext, body: NewProxy) -> ProxyView:
    """One more, or a known one with a new password."""
    url = body.url.get_secret_value()
    return await ctx.do(proxies.add, url, ctx.strongbox, **ctx.actor)


@router.delete("/{proxy_id:row}", summary="Forget a proxy")
async def remove(ctx: AdminContext, proxy_id: Id) -> ProxyView:
    """What it was."""
    return await ctx.do(proxies.remove, proxy_id, **ctx.actor)


@router.post("/{proxy_id:row}/enable", summary="Back into the pool")
async def enable(ctx: AdminContext, proxy_id: Id) -> ProxyView:
    """With a clean record."""
    return await ctx.do(proxies.enable, proxy_id, **ctx.actor)


@router.post("/{proxy_id:row}/disable", summary="Out of the pool")
async def disable(ctx: AdminContext, proxy_id: Id) -> ProxyView:
    """Until it is enabled again."""
    return await ctx.do(proxies.disable, proxy_id, **ctx.actor)
