"""Middleware of every request: limits on bodies, HEAD requests, and security headers of every response."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from larder.api.problems import problem

ANONYMOUS_BODY_BYTES = 65_536
"""Maximum body of callers without an admin key; a sign-in form takes a few hundred bytes."""
BODY_TIMEOUT_S = 60.0
"""Seconds to receive a body."""
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Sent with every response that does not set them itself: pages have their own content security policy."""


_SECURITY_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


class SecurityHeadersMiddleware:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wraps `send`."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = {name for name, _ in message["headers"]}
                others = [each for each in _SECURITY_HEADERS if each[0] not in sent]
                message["headers"] = [*message["headers"], *others]
            await send(message)

        await self._app(scope, receive, with_headers)


class HeadRequestMiddleware:
    """Handles HEAD as GET without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Rewrites HEAD requests."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})

        await self._app({**scope, "method": "GET"}, receive, without_body)


class BodyRejected(Exception):
    """A body that is too large or too slow."""

    def __init__(self, status: int, detail: str, hint: str) -> None:
        super().__init__(detail)
        self.answer = problem(status, detail, hint=hint, headers={"connection": "close"})


class BodyLimitMiddleware:
    """Reads request bodies within a size and a time limit.

    The caller is authenticated (`trusts`) only if the body exceeds the anonymous limit.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        most: int,
        trusts: Callable[[HTTPConnection], Awaitable[bool]],
        within: float = BODY_TIMEOUT_S,
    ) -> None:
        self._app = app
        self._most = most
        self._strangers = min(most, ANONYMOUS_BODY_BYTES)
        self._trusts = trusts
        self._within = within

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reads the body, then calls the application."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except ClientDisconnect:
            return
        except BodyRejected as refused:
            await refused.answer(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body. A declared length is used only to reject early.

        An incomplete body is discarded: half a form must not pass for a whole one.
        """
        until = asyncio.get_running_loop().time() + self._within
        parts, more = bytearray(), True
        length, limit = _content_length(scope), self._strangers
        while True:
            if length > limit:
                limit = await self._allowed(scope, length)
            if not more:
                return bytes(parts)
            message = await _receive_before(receive, until)
            parts += message.get("body", b"")
            more, length = message.get("more_body", False), max(length, len(parts))

    async def _allowed(self, scope: Scope, length: int) -> int:
        """The size limit of the caller."""
        if not await self._trusts(HTTPConnection(scope)):
            message = f"without an admin key a body may have at most {self._strangers:,} bytes"
            raise BodyRejected(413, message, "send an admin key for more")
        if length > self._most:
            raise BodyRejected(413, f"a body may have at most {self._most:,} bytes", "split the request")
        return self._most


def _content_length(scope: Scope) -> int:
    """The value of Content-Length; 0 where there is none."""
    declared = Headers(scope=scope).get("content-length", "")
    return int(declared[:18]) if declared.isdecimal() else 0


async def _receive_before(receive: Receive, until: float) -> Message:
    """The next part of a body, before the deadline."""
    try:
        async with asyncio.timeout_at(until):
            message = await receive()
    except TimeoutError:
        raise BodyRejected(408, "the body was not received in time", "send the request again") from None
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body once, then passes through."""
    sent = False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
