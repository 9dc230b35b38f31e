"""What holds for every request, whatever face answers: a body that fits, headers that keep browsers safe."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(self)",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Sent with every answer, unless the face itself said otherwise: pages name what they may load."""


class Headed:
    """Adds the headers that nobody should have to think of."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """On the way out."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers)


class Bodiless:
    """Answers HEAD as GET would be answered, and keeps the body: for monitors and for whoever is curious."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """On the way in and out."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})

        await self._app({**scope, "method": "GET"}, receive, without_body)


class Bounded:
    """Reads a body before anybody else does, and no further than it may be long."""

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """On the way in."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except ClientDisconnect:
            return
        if body is None:
            await self._refused()(scope, receive, send)
            return
        await self._app(scope, _replayed(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None where it is too long, however long it said it would be.

        Of a caller who hung up in the middle nothing is taken: half a form must not pass for a whole one.
        """
        said = Headers(scope=scope).get("content-length", "0")
        if said.isdigit() and int(said) > self._most:
            return None
        parts = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            parts += message.get("body", b"")
            if len(parts) > self._most:
                return None
            if not message.get("more_body"):
                return bytes(parts)

    def _refused(self) -> JSONResponse:
        said = {"type": "about:blank", "title": "Content Too Large", "status": 413}
        detail = {"detail": f"a request may bring at most {self._most:,} bytes", "hint": "send it in parts"}
        return JSONResponse(
            {**said, **detail},
            status_code=413,
            media_type="application/problem+json",
            headers={"connection": "close"},
        )


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once, then whatever comes."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
