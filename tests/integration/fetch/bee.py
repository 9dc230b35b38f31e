"""A relay on loopback that behaves like ScrapingBee's HTTP API, faults included."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

KEY = "k3y"


@dataclass(frozen=True)
class Behind:
    """What the relay finds at a URL."""

    body: bytes
    status: int = 200
    resolved: str | None = None


@dataclass
class Bee:
    """Pages by URL, credits, and the fault of the day."""

    url: str = ""
    pages: dict[str, Behind] = field(default_factory=dict)
    credits: float = 1_000
    at_once: int = 5
    fault: str | None = None
    calls: list[dict[str, str]] = field(default_factory=list)
    _busy: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        asked = dict(request.query)
        self.calls.append(asked)
        if self._busy >= self.at_once:
            return _says(429, "Too many concurrent requests. Please upgrade your plan")
        self._busy += 1
        try:
            return self._refusal(request, asked) or self._page(asked)
        finally:
            self._busy -= 1

    def _refusal(self, request: web.Request, asked: dict[str, str]) -> web.StreamResponse | None:
        if self.fault == "cut":
            assert request.transport is not None
            request.transport.abort()
        if self.fault is not None and self.fault.isdigit():
            return _says(int(self.fault), f"An error occurred for {asked.get('api_key')}, please retry")
        if asked.get("api_key") != KEY:
            return _says(401, "Invalid api key: " + asked.get("api_key", ""))
        if self.credits <= 0:
            return _says(401, "No more credit available, please upgrade your plan or contact sales")
        if asked.get("url") not in self.pages:
            return _says(500, "Error with your request, please try again (you will not be charged)")
        return None

    def _page(self, asked: dict[str, str]) -> web.StreamResponse:
        found = self.pages[asked["url"]]
        cost = (5 if asked.get("render_js") != "false" else 1) * (5 if asked.get("premium_proxy") else 1)
        self.credits -= cost
        transparent = asked.get("transparent_status_code") == "true"
        return web.Response(
            body=found.body,
            status=found.status if transparent else 200,
            content_type="text/html",
            headers={
                "Spb-cost": str(cost),
                "Spb-initial-status-code": str(301 if found.resolved else found.status),
                "Spb-resolved-url": found.resolved or asked["url"],
            },
        )


def _says(status: int, message: str) -> web.Response:
    return web.json_response({"message": message}, status=status)


@asynccontextmanager
async def relay_server() -> AsyncIterator[Bee]:
    bee = Bee()
    app = web.Application()
    app.router.add_get("/api/v1/", bee.answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    bee.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/api/v1/"  # type: ignore[attr-defined]
    try:
        yield bee
    finally:
        await runner.cleanup()
        await asyncio.sleep(0)
