"""Connections through a proxy: http, https and socks5.

A proxy resolves names itself, so the guard cannot check the address of the connection. The name is therefore
resolved here before sending, and one private address is enough to refuse. The proxy's own address is the
operator's choice and may be private. A failure between Larder and the proxy counts against the proxy: the job
waits for another proxy, and neither an attempt nor a failure of the source is counted.
"""

import ssl
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp_socks import ProxyConnectionError, ProxyConnector, ProxyError, ProxyType
from multidict import CIMultiDict
from yarl import URL

from larder.stages.fetch.guard import check_address, guarded_sockets
from larder.store.operations.proxies import Proxy

SOCKS5 = "socks5"
_SITE_UNREACHED = frozenset({502, 503, 504})
_SITE_UNREACHED_SOCKS = frozenset({3, 4, 5, 6})
"""A working proxy's replies about a failing site (RFC 1928: unreachable, refused, expired)."""
REFUSED_BY_PROXY = 407
"""Proxy Authentication Required: the one status that is always the proxy's own."""


def connector(proxy: Proxy, tls: ssl.SSLContext, **common: Any) -> aiohttp.TCPConnector:
    """Connections through one proxy."""
    if proxy.scheme != SOCKS5:
        return aiohttp.TCPConnector(socket_factory=guarded_sockets(local=True), ssl=tls, **common)
    common.pop("resolver", None)  # the proxy resolves names, which were checked here
    return ProxyConnector(
        host=proxy.host,
        port=proxy.port,
        proxy_type=ProxyType.SOCKS5,
        username=proxy.username or None,
        password=proxy.password.reveal() if proxy.password else None,
        rdns=True,
        ssl=tls,
        **common,
    )


def request_options(proxy: Proxy, url: str, headers: CIMultiDict[str]) -> dict[str, Any]:
    """The options of a request through a proxy; for socks5 the connector has them.

    Credentials go to the proxy alone: with CONNECT if the site is reached through a tunnel, among the
    request's own `headers` if the proxy reads those.
    """
    if proxy.scheme == SOCKS5:
        return {}
    login = _login(proxy)
    if login and url.startswith("http:"):
        headers.update(login)
    return {"proxy": URL(proxy.address), "proxy_headers": CIMultiDict(login)}


def _login(proxy: Proxy) -> dict[str, str]:
    if not proxy.username:
        return {}
    secret = proxy.password.reveal() if proxy.password else ""
    return {"Proxy-Authorization": aiohttp.encode_basic_auth(proxy.username, secret)}


class UnknownNameError(Exception):
    """The name does not exist."""


async def check_destination(url: str, resolver: AbstractResolver, *, local: bool) -> None:
    """Refuse a name that resolves to a private address, before it is given to a proxy."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if _is_address(host):
        return  # checked with the URL's syntax
    try:
        answers = await resolver.resolve(host, parts.port or 0)
    except OSError as error:
        raise UnknownNameError(f"the name {host} cannot be resolved ({error.strerror or error})") from error
    for answer in answers:
        check_address(answer["host"], local=local)


def proxy_failed(error: BaseException, proxy: Proxy) -> bool:
    """Whether the proxy failed before anything was sent to the site."""
    match error:
        case aiohttp.ClientHttpProxyError(status=status):
            return status not in _SITE_UNREACHED
        case ProxyError():
            return error.error_code not in _SITE_UNREACHED_SOCKS
        case (
            ProxyConnectionError() | aiohttp.ClientProxyConnectionError() | aiohttp.ServerDisconnectedError()
        ):
            return True
        case ConnectionError() | EOFError():  # cut off during the handshake
            return True
        case aiohttp.ClientConnectorError() | aiohttp.ClientConnectorCertificateError():
            return (error.host, error.port) == (proxy.host, proxy.port)
        case _:
            return isinstance(error, aiohttp.ClientOSError)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
