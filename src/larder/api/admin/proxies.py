"""Proxies. Passwords are never returned."""

from fastapi import APIRouter
from pydantic import Field, SecretStr

from larder.actions.operations import proxies
from larder.actions.operations.proxies import ProxyView
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody, RowId
from larder.api.schemas import Items

router = APIRouter(prefix="/proxies", tags=["proxies"])


class NewProxy(RequestBody):
    """A proxy to add."""

    url: SecretStr = Field(max_length=2_000, description="http, https or socks5, with user and password.")


@router.get("", summary="All proxies")
async def list_proxies(ctx: AdminContext) -> Items[ProxyView]:
    """Each with its successes and failures."""
    return Items(items=await ctx.read(proxies.list_proxies))


@router.post("", summary="Add a proxy", status_code=201)
async def add(ctx: AdminContext, body: NewProxy) -> ProxyView:
    """Adds a proxy, or changes the password of a known one."""
    url = body.url.get_secret_value()
    return await ctx.run(proxies.add, url, ctx.secrets_cipher, **ctx.actor)


@router.delete("/{proxy_id:row}", summary="Remove a proxy")
async def remove(ctx: AdminContext, proxy_id: RowId) -> ProxyView:
    """Returns what was removed."""
    return await ctx.run(proxies.remove, proxy_id, **ctx.actor)


@router.post("/{proxy_id:row}/enable", summary="Enable a proxy")
async def enable(ctx: AdminContext, proxy_id: RowId) -> ProxyView:
    """Resets its failure count."""
    return await ctx.run(proxies.enable, proxy_id, **ctx.actor)


@router.post("/{proxy_id:row}/disable", summary="Disable a proxy")
async def disable(ctx: AdminContext, proxy_id: RowId) -> ProxyView:
    """It is not used until it is enabled again."""
    return await ctx.run(proxies.disable, proxy_id, **ctx.actor)
