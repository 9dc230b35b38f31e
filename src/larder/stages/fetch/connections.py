"""The connections of a client: one pool for the public web, one for local sites, one for each proxy.

No connection serves two of them, so a connection that the guard allowed for one request is never used for
another. Requests use aiohttp's connector, request and response without its session: what a session adds
(redirects, cookies, retries) is decided elsewhere. Some of these classes (`Connection`, `TimerNoop`,
`ResponseHandler`) are not public API; with the public session, a request of 50 KB costs 95 µs of CPU instead
of 65: 18 % more for the whole stage.
"""

import asyncio
import ssl
from functools import cache, partial
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.helpers import TimerNoop
from multidict import CIMultiDict
from yarl import URL

from larder.stages.fetch.guard import guarded_sockets
from larder.stages.fetch.permit import Permit
from larder.stages.fetch.proxy.connections import connector
from larder.store.operations.proxies import Proxy

KEEP_ALIVE = 4.0  # servers close idle connections after 5 s or more
DNS_TTL = 10
MAX_HEADERS = 256
MAX_HEADER_SIZE = 32 * 1024
MAX_STATUS_LINE = 16 * 1024
READ_SIZE = 64 * 1024
MAX_ANSWERS = 16
"""Maximum responses to one request: 100 Continue and its like before the last one. Each costs time."""
_NO_LIMIT = aiohttp.ClientTimeout(total=None)
_NO_TIMER = TimerNoop()
"""No timer: callers limit the time."""


@cache
def _trusting_the_system() -> ssl.SSLContext:
    """TLS with the certificates of this system, loaded once for all clients: that takes 17 ms of CPU."""
    return ssl.create_default_context()


class Connections:
    """Opens connections as they are needed, and keeps them alive."""

    def __init__(
        self,
        *,
        resolver: AbstractResolver | None,
        tls: ssl.SSLContext | None,
        dns_ttl: int,
    ) -> None:
        self._resolver = resolver
        self._tls = tls or _trusting_the_system()
        self._dns_ttl = dns_ttl
        self._pools: dict[tuple[bool, Proxy | None], aiohttp.TCPConnector] = {}

    async def close(self) -> None:
        """Close all connections."""
        while self._pools:
            await self._pools.popitem()[1].close()

    def names(self) -> AbstractResolver:
        """The resolver for hosts that a proxy or service connects to."""
        self._resolver = self._resolver or aiohttp.ThreadedResolver()
        return self._resolver

    async def open(self, request: ClientRequest, permit: Permit) -> Connection:
        """An established connection for this request; raises aiohttp's errors only."""
        try:
            return await self._pool(permit).connect(request, traces=[], timeout=_NO_LIMIT)
        except aiohttp.ClientError:
            raise
        except OSError as error:
            raise aiohttp.ClientOSError(*error.args) from error

    def _pool(self, permit: Permit) -> aiohttp.TCPConnector:
        proxy = permit.route.proxy if permit.route else None
        key = (permit.local, proxy)
        if key not in self._pools:
            pool = self._pools[key] = self._connector(proxy, local=permit.local)
            protocol: Any = partial(_BoundedAnswers, loop=asyncio.get_running_loop())
            pool._factory = protocol  # noqa: SLF001 - the connector has no parameter for it
        return self._pools[key]

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


class _BoundedAnswers(ResponseHandler):
    """Cuts a connection if the server answers one request again and again."""

    _answers = 0

    def set_response_params(self, **params: Any) -> None:
        """Begin to read the answer to another request."""
        self._answers = 0
        super().set_response_params(**params)

    def feed_data(self, data: Any, size: int = 0) -> None:
        """Take the head of an answer."""
        self._answers += 1
        if self._answers <= MAX_ANSWERS:
            super().feed_data(data, size)
        elif self.transport is not None and not self.transport.is_closing():
            self.transport.abort()
            self.set_exception(aiohttp.ClientPayloadError("too many answers to one request"))


def request_for(method: str, url: str, headers: CIMultiDict[str], **proxied: Any) -> ClientRequest:
    """A request without a body."""
    loop = asyncio.get_running_loop()
    target = URL(url, encoded=True)
    return ClientRequest(method, target, headers=headers, loop=loop, timer=_NO_TIMER, **proxied)


async def answer_to(request: ClientRequest, connection: Connection) -> aiohttp.ClientResponse:
    """Send it and read the head of the response; the body is read later, still encoded."""
    protocol = connection.protocol
    if protocol is None:
        raise aiohttp.ServerDisconnectedError("the connection was closed")
    protocol.set_response_params(
        timer=_NO_TIMER,
        skip_payload=request.method == "HEAD",
        read_until_eof=True,
        auto_decompress=False,
        read_bufsize=READ_SIZE,
        max_line_size=MAX_STATUS_LINE,
        max_field_size=MAX_HEADER_SIZE,
        max_headers=MAX_HEADERS,
    )
    response = None
    try:
        response = await request.send(connection)
        return await response.start(connection)
    except BaseException:
        if response is not None:
            response.close()
        connection.close()
        raise
