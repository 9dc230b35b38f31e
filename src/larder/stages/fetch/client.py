"""Sends one request, without following redirects, and returns an `Answer`, whatever the network does.

Time, size, headers and cookies are bounded. The permit's deadline is checked once the connection is
established, just before the request is written; a permit sends once.
"""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.client_reqrep import ClientRequest
from multidict import CIMultiDict

from larder.core.model.outcome import FetchOutcome
from larder.core.ports import Clock
from larder.stages.fetch.connections import DNS_TTL, Connections, answer_to, request_for
from larder.stages.fetch.cookies import Cookies
from larder.stages.fetch.deadlines import Deadlines
from larder.stages.fetch.decompression import ACCEPTED, decode_body
from larder.stages.fetch.exchange import REDIRECTS, Answer, Exchange, Method, stored_headers
from larder.stages.fetch.failure import TooLargeError, failure
from larder.stages.fetch.guard import RefusedError
from larder.stages.fetch.permit import Permit, Refusal
from larder.stages.fetch.proxy.connections import (
    REFUSED_BY_PROXY,
    UnknownNameError,
    check_destination,
    proxy_failed,
    request_options,
)

ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"
DECODE_INLINE = 128 * 1024


class Client:
    """Sends requests over its connections; an async context manager."""

    def __init__(
        self,
        clock: Clock,
        *,
        user_agent: str,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
        dns_ttl: int = DNS_TTL,
    ) -> None:
        self._clock = clock
        self._headers = CIMultiDict({"User-Agent": user_agent, "Accept": ACCEPT, "Accept-Encoding": ACCEPTED})
        self._connections = Connections(resolver=resolver, tls=tls, dns_ttl=dns_ttl)
        self._deadlines = Deadlines()
        self._cookies = Cookies()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        self._deadlines.close()
        await self._connections.close()

    async def send(self, exchange: Exchange, permit: Permit) -> Answer | Refusal:
        """Send one request; raises nothing but cancellation."""
        attempt = _ExchangeState(permit, self._clock, self._clock.now() if permit.route else None)
        try:
            with self._deadlines.limit(exchange.timeout.total_seconds()):
                body = await self._exchange(exchange, attempt)
            return (attempt.by_proxy() if permit.route else None) or attempt.answer(body=body)
        except _SlotMissedError:
            return Refusal.wait("slot missed", until=self._clock.now())
        except Exception as error:  # noqa: BLE001 - whatever an unknown server causes ends as an outcome
            return attempt.by_proxy(error) or attempt.failed(error)

    async def check_name(self, url: str, *, local: bool) -> None:
        """Refuse a host whose addresses are not allowed, for requests that a proxy or service sends."""
        await check_destination(url, self._connections.names(), local=local)

    async def _exchange(self, exchange: Exchange, attempt: "_ExchangeState") -> bytes:
        request = await self._request(exchange, attempt.permit)
        connection = await self._connections.open(request, attempt.permit)
        try:
            attempt.about_to_send()
        except BaseException:
            connection.release()
            raise
        response = await answer_to(request, connection)
        try:
            attempt.status = response.status
            attempt.headers = stored_headers(response.headers, exchange.keep)
            if exchange.jar is not None and "Set-Cookie" in response.headers:
                self._cookies.keep(exchange.jar, attempt.permit.url, response.headers.getall("Set-Cookie"))
            return b"" if response.status in REDIRECTS else await _body(response, exchange)
        finally:
            response.release()

    async def _request(self, exchange: Exchange, permit: Permit) -> ClientRequest:
        headers = self._request_headers(exchange, permit.url)
        if permit.route is None:
            return request_for(exchange.method.value, permit.url, headers)
        await check_destination(permit.url, self._connections.names(), local=permit.local)
        headers = CIMultiDict(headers)
        proxied = request_options(permit.route.proxy, permit.url, headers)
        return request_for(exchange.method.value, permit.url, headers, **proxied)

    def _request_headers(self, exchange: Exchange, url: str) -> CIMultiDict[str]:
        """The common headers with those of this request; not to be changed."""
        jar = self._cookies.header(exchange.jar, url)
        if not jar and not exchange.headers:
            return self._headers
        headers = CIMultiDict(self._headers)
        headers.update(exchange.headers)
        cookies = [value for value in (headers.get("Cookie"), jar) if value]
        if cookies:
            headers["Cookie"] = "; ".join(cookies)
        return headers


class _SlotMissedError(Exception):
    """The permit's time had passed before anything was sent."""


@dataclass(slots=True)
class _ExchangeState:
    """The state of an exchange in progress."""

    permit: Permit
    clock: Clock
    began_at: datetime | None
    """Reported to the proxy's pool, if there is a proxy."""
    sent_at: datetime | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def about_to_send(self) -> None:
        """Use the permit just before the request is written; _SlotMissedError after its deadline."""
        now = self.clock.now()
        if now > self.permit.closes_at:
            raise _SlotMissedError
        self.permit.spend()
        self.sent_at = now

    def failed(self, error: Exception) -> Answer:
        outcome, text = failure(error)
        cause = getattr(error, "os_error", error)
        return self.answer(failure=outcome, error=text, guarded=isinstance(cause, RefusedError))

    def by_proxy(self, error: Exception | None = None) -> Refusal | None:
        """Report the result to the proxy pool; if the proxy failed, the site got no request."""
        route = self.permit.route
        if route is None or isinstance(error, RefusedError | UnknownNameError):
            return None
        unsent = error is not None and self.sent_at is None and proxy_failed(error, route.proxy)
        refused = unsent or self.status == REFUSED_BY_PROXY
        now = self.clock.now()
        route.report(not refused and not isinstance(error, _NO_ANSWER), now - (self.began_at or now))
        return Refusal.wait(f"the proxy {route.proxy.address} failed", until=now) if refused else None

    def answer(
        self,
        *,
        body: bytes = b"",
        failure: FetchOutcome | None = None,
        error: str = "",
        guarded: bool = False,
    ) -> Answer:
        return Answer(
            status=self.status,
            headers=self.headers,
            body=body,
            sent_at=self.sent_at,
            failure=failure,
            error=error,
            guarded=guarded,
        )


_NO_ANSWER = (OSError, EOFError, aiohttp.ClientConnectionError, aiohttp.ClientPayloadError)
"""Failures that may be the proxy's or the site's; they count against the proxy."""


async def _body(response: aiohttp.ClientResponse, exchange: Exchange) -> bytes:
    limit, announced = exchange.max_bytes, response.content_length
    if (
        announced is not None
        and announced > limit
        and not exchange.truncate
        and exchange.method is Method.GET
    ):
        raise TooLargeError(f"{announced} bytes announced")
    raw = content = await _raw(response.content, limit)
    encodings = response.headers.get("Content-Encoding")
    if encodings and (len(raw) <= limit or exchange.truncate):
        content = await _decoded(raw, encodings, limit)
    if max(len(raw), len(content)) > limit and not exchange.truncate:
        raise TooLargeError(f"more than {limit} bytes")
    return content[:limit]


async def _raw(content: aiohttp.StreamReader, limit: int) -> bytes:
    """The body as sent; slightly more than `limit` of it."""
    chunks = [await content.readany()]
    size = len(chunks[0])
    while size <= limit and not content.at_eof():
        chunks.append(await content.readany())
        size += len(chunks[-1])
    return b"".join(chunks)


async def _decoded(raw: bytes, encodings: str, limit: int) -> bytes:
    if len(raw) <= DECODE_INLINE:
        return decode_body(raw, encodings, limit=limit)
    return await asyncio.to_thread(decode_body, raw, encodings, limit=limit)
