"""Local servers that behave like the services messages go to: what they took, and how they can fail."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

MAX_BLOCKS, MAX_SECTION, MAX_HEADER = 50, 3_000, 150


@dataclass(slots=True, kw_only=True)
class Service:
    """A server on a free port; `fault` says what is wrong with it (nothing: None)."""

    port: int = 0
    fault: str | None = None
    taken: list[Any] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    asked: int = 0
    came: asyncio.Event = field(default_factory=asyncio.Event)
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self, path: str, scheme: str = "http") -> str:
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked += 1
        body = await request.json()
        self.headers.append(dict(request.headers))
        self.bodies.append(await request.read())
        if self.fault is not None:
            return await self._fail(request, body)
        if request.path.startswith("/services/"):
            complaint = slack_complaint(body)
            if complaint:
                return web.Response(status=400, text=complaint)
        self._take(request, body)
        return web.Response(text="ok")

    def _take(self, request: web.Request, body: Any) -> None:
        self.taken.append(body)
        self.keys.append(request.headers.get("Idempotency-Key", ""))
        self.came.set()

    async def _fail(self, request: web.Request, body: Any) -> web.StreamResponse:
        match self.fault:
            case "hangs":
                await self.closing.wait()
            case "cuts":
                assert request.transport is not None
                request.transport.abort()
            case "takes it and cuts":
                self._take(request, body)
                assert request.transport is not None
                request.transport.abort()
            case "is limited":
                return web.Response(status=429, text="rate_limited", headers={"Retry-After": "77"})
            case "talks without end":
                return web.Response(status=500, text="x" * 5_000_000)
            case "tells on us":
                return web.Response(status=404, text=f"no such hook: {request.path}")
            case "moved":
                raise web.HTTPFound("http://127.0.0.1:1/elsewhere")
            case "refuses":
                return web.Response(status=400, text="invalid_payload")
        return web.Response(status=500, text="internal error")


def slack_complaint(body: Any) -> str | None:
    """What Slack's incoming webhooks hold against a message."""
    if not isinstance(body, dict) or not body.get("text"):
        return "no_text"
    blocks = body.get("blocks", [])
    if not 1 <= len(blocks) <= MAX_BLOCKS:
        return "invalid_blocks"
    for block in blocks:
        kind, text = block["text"]["type"], block["text"]["text"]
        header = block["type"] == "header"
        longest = MAX_HEADER if header else MAX_SECTION
        if kind != ("plain_text" if header else "mrkdwn") or not 1 <= len(text) <= longest:
            return "invalid_blocks_format"
    return None


@asynccontextmanager
async def served() -> AsyncIterator[Service]:
    service = Service()
    app = web.Application(client_max_size=10_000_000)
    app.router.add_post("/{path:.*}", service.answer)
    runner = web.AppRunner(app, shutdown_timeout=0, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    service.port = runner.addresses[0][1]
    try:
        yield service
    finally:
        service.closing.set()
        await runner.cleanup()
