"""A local server that behaves like Serper, on good days and on bad ones; and towns whose sites it finds."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

KEY = "serper-key-1234"

AGENDA = """<html><head><title>Agenda van {town}</title></head><body><h1>Agenda</h1>{rows}</body></html>"""
ROW = '<article><h3><a href="/e/{n}">Concert {n}</a></h3><time>{day} maart 2026</time> 20:30</article>'
SHOP = """<html><head><title>Stoelen</title><meta property="og:type" content="product"></head>
<body><h1>Stoel</h1><p>€ 12,50</p>
<form action="/cart/add"><button>In winkelwagen</button></form></body></html>"""


def agenda(town: str) -> str:
    return AGENDA.format(town=town, rows="".join(ROW.format(n=n, day=n + 1) for n in range(12)))


@dataclass
class Serper:
    """Results by a word of the query; `bad` is a queue of what to do instead of answering."""

    found: dict[str, list[str]] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)
    always: str = ""
    """What to do instead of answering, every time."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    async def search(self, request: web.Request) -> web.StreamResponse:
        """`POST /search` with an API key and a JSON body."""
        if request.headers.get("X-API-KEY") != KEY:
            return web.json_response({"message": "Unauthorized.", "statusCode": 403}, status=403)
        asked = await request.json()
        self.asked.append(asked)
        trouble = self.bad.pop(0) if self.bad else self.always
        if trouble:
            return await self._trouble(trouble, request)
        links = next((links for word, links in self.found.items() if word in asked["q"]), [])
        organic = [
            {"title": f"Result {n}", "link": link, "snippet": "…", "position": n}
            for n, link in enumerate(links, 1)
        ]
        return web.json_response({"searchParameters": asked, "organic": organic, "credits": 1})

    async def _trouble(self, trouble: str, request: web.Request) -> web.StreamResponse:
        match trouble:
            case "limited":
                body = {"message": "Too many requests", "statusCode": 429}
                return web.json_response(body, status=429, headers={"Retry-After": "120"})
            case "no credits":
                return web.json_response({"message": "Not enough credits", "statusCode": 400}, status=400)
            case "garbage":
                return web.Response(text="<html>Busy</html>")
            case "odd":
                return web.json_response({"organic": {"link": "http://x.test"}})
            case "rows of nothing":
                rows = [None, 7, {"title": "no link"}, {"link": ["a"]}]
                return web.json_response({"organic": rows})
            case "half":
                answer = web.StreamResponse(headers={"Content-Length": "1000"})
                await answer.prepare(request)
                await answer.write(b'{"organic": [{"lin')
                assert request.transport is not None
                request.transport.close()
                return answer
            case "slow":
                await asyncio.Event().wait()
            case "endless":
                return web.Response(body=b'{"organic": "' + b"x" * 2_000_000)
        return web.Response(status=int(trouble))


@dataclass
class Towns:
    """Sites by host; a host that is not there does not answer."""

    pages: dict[str, str]
    robots: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    port: int = 0

    async def page(self, request: web.Request) -> web.StreamResponse:
        host = request.host.partition(":")[0]
        if request.path == "/robots.txt":
            return web.Response(text=self.robots.get(host, ""))
        self.asked.append(f"{host}{request.path}")
        if host not in self.pages:
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        return web.Response(text=self.pages[host], content_type="text/html")

    def link(self, host: str, path: str = "/agenda") -> str:
        return f"http://{host}:{self.port}{path}"


class ToLoopback(AbstractResolver):
    """Every name is this machine."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        here = {"hostname": host, "host": "127.0.0.1", "port": port, "family": family, "proto": 0}
        return [ResolveResult(**here, flags=0)]  # type: ignore[typeddict-item]

    async def close(self) -> None:
        """Nothing is open."""


@asynccontextmanager
async def served(serper: Serper, towns: Towns) -> AsyncIterator[None]:
    """Both, on free ports."""
    search, sites = web.Application(), web.Application()
    search.router.add_post("/search", serper.search)
    sites.router.add_get("/{tail:.*}", towns.page)
    runners = [web.AppRunner(each, shutdown_timeout=0, handler_cancellation=True) for each in (search, sites)]
    try:
        for runner in runners:
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
        serper.url = f"http://127.0.0.1:{runners[0].addresses[0][1]}/search"
        towns.port = runners[1].addresses[0][1]
        yield
    finally:
        for runner in runners:
            await runner.cleanup()
