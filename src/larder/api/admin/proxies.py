"""The pool of proxies. A password goes in and never comes out."""

from fastapi import APIRouter
from pydantic import Field, SecretStr
from starlette.responses import Response

from larder.actions.operations import proxies
from larder.actions.operations.proxies import ProxyView
from larder.api.context import AdminContext
from larder.api.request_bodies import Id, RequestBody
from larder.api.responses import json_response, list_response
from larder.api.schemas import gives

router = APIRouter(prefix="/proxies", tags=["proxies"])


class NewProxy(RequestBody):
    """A proxy to add."""

    url: SecretStr = Field(max_length=2_000, description="http, https or socks5, with user and password.")


@router.get("", summary="The pool", **gives(ProxyView, many=True))
async def every(ctx: AdminContext) -> Response:
    """Each with how it does."""
    return list_response(await ctx.look(proxies.list_proxies))


@router.post("", summary="Add a proxy", **gives(ProxyView, status=201))
async def add(ctx: AdminContext, body: NewProxy) -> Response:
    """One more, or a known one with a new password."""
    url = body.url.get_secret_value()
    return json_response(await ctx.do(proxies.add, url, ctx.strongbox, **ctx.actor), status=201)


@router.delete("/{proxy_id:row}", summary="Forget a proxy", **gives(ProxyView))
async def remove(ctx: AdminContext, proxy_id: Id) -> Response:
    """What it was."""
    return json_response(await ctx.do(proxies.remove, proxy_id, **ctx.actor))


@router.post("/{proxy_id:row}/enable", summary="Back into the pool", **gives(ProxyView))
async def enable(ctx: AdminContext, proxy_id: Id) -> Response:
    """With a clean record."""
    return json_response(await ctx.do(proxies.enable, proxy_id, **ctx.actor))


@router.post("/{proxy_id:row}/disable", summary="Out of the pool", **gives(ProxyView))
async def disable(ctx: AdminContext, proxy_id: Id) -> Response:
    """Until it is enabled again."""
    return json_response(await ctx.do(proxies.disable, proxy_id, **ctx.actor))
