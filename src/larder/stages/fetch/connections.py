"""The connections of a client: one pool for the public web, one for local sites, one for each proxy.

No connection serves two of them, so none that the guard let through for one request is there for another.
"""

import ssl
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.client_reqrep import ClientRequest

from larder.stages.fetch.guard import guarded_sockets
from larder.stages.fetch.permit import Permit
from larder.stages.fetch.proxies import connector
from larder.store.proxies import Proxy

KEEP_ALIVE = 4.0  # servers close idle connections after 5 s or more
DNS_TTL = 10
MAX_HEADERS = 256
MAX_HEADER_SIZE = 32 * 1024
MAX_STATUS_LINE = 16 * 1024


class Connections:
    """Opens sessions as they are needed."""

    def __init__(
        self,
        request_class: type[ClientRequest],
        *,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
        dns_ttl: int = DNS_TTL,
    ) -> None:
        self._request_class = request_class
        self._resolver = resolver
        self._tls = tls or ssl.create_default_context()
        self._dns_ttl = dns_ttl
        self._sessions: dict[tuple[bool, Proxy | None], aiohttp.ClientSession] = {}

    async def close(self) -> None:
        """Let go of all of them."""
        while self._sessions:
            await self._sessions.popitem()[1].close()

    def names(self) -> AbstractResolver:
        """Where names are looked up that somebody else connects to."""
        self._resolver = self._resolver or aiohttp.ThreadedResolver()
        return self._resolver

    def session(self, permit: Permit) -> aiohttp.ClientSession:
        """The pool for this request."""
        proxy = permit.route.proxy if permit.route else None
        key = (permit.local, proxy)
        if key not in self._sessions:
            self._sessions[key] = aiohttp.ClientSession(
                connector=self._connector(proxy, local=permit.local),
                request_class=self._request_class,
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None),
                max_line_size=MAX_STATUS_LINE,
                max_field_size=MAX_HEADER_SIZE,
                max_headers=MAX_HEADERS,
            )
        return self._sessions[key]

    def _connector(self, proxy: Proxy | None, *, local: bool) -> aiohttp.TCPConnector:
        common: dict[str, Any] = {
            "resolver": self._resolver,
            "limit": 0,
            "keepalive_timeout": KEEP_ALIVE,
            "ttl_dns_cache": self._dns_ttl,
        }
        if proxy is not None:
            return connector(proxy, self._tls, **common)
        return aiohttp.TCPConnector(socket_factory=guarded_sockets(local=local), ssl=self._tls, **common)
