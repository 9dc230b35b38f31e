"""The pool of proxies. A password goes in and never comes out."""

from fastapi import APIRouter
from pydantic import Field, SecretStr
from starlette.responses import Response

from larder.actions.operations import proxies
from larder.actions.operations.proxies import ProxyView
from larder.api.context import Operator
from larder.api.request_bodies import Body, Id
from larder.api.responses import answer, answer_all
from larder.api.schemas import gives

router = APIRouter(prefix="/proxies", tags=["proxies"])


class NewProxy(Body):
    """A proxy to add."""

    url: SecretStr = Field(max_length=2_000, description="http, https or socks5, with user and password.")


@router.get("", summary="The pool", **gives(ProxyView, many=True))
async def every(call: Operator) -> Response:
    """Each with how it does."""
    return answer_all(await call.look(proxies.list_proxies))


@router.post("", summary="Add a proxy", **gives(ProxyView, status=201))
async def add(call: Operator, body: NewProxy) -> Response:
    """One more, or a known one with a new password."""
    url = body.url.get_secret_value()
    return answer(await call.do(proxies.add, url, call.strongbox, **call.by), status=201)


@router.delete("/{proxy_id:row}", summary="Forget a proxy", **gives(ProxyView))
async def remove(call: Operator, proxy_id: Id) -> Response:
    """What it was."""
    return answer(await call.do(proxies.remove, proxy_id, **call.by))


@router.post("/{proxy_id:row}/enable", summary="Back into the pool", **gives(ProxyView))
async def enable(call: Operator, proxy_id: Id) -> Response:
    """With a clean record."""
    return answer(await call.do(proxies.enable, proxy_id, **call.by))


@router.post("/{proxy_id:row}/disable", summary="Out of the pool", **gives(ProxyView))
async def disable(call: Operator, proxy_id: Id) -> Response:
    """Until it is enabled again."""
    return answer(await call.do(proxies.disable, proxy_id, **call.by))
