"""A local server that behaves like Nominatim, on good days and on bad ones."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web


@dataclass
class Nominatim:
    """Places by their names; `bad` is a queue of what to do instead of answering."""

    places: dict[str, tuple[str, str]]
    bad: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    url: str = ""

    async def search(self, request: web.Request) -> web.StreamResponse:
        """`/search?q=…&format=jsonv2`."""
        question = request.query["q"]
        self.asked.append(question)
        self.agents.add(request.headers.get("User-Agent", ""))
        trouble = self.bad.pop(0) if self.bad else ""
        if trouble == "hang up":
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        if trouble == "half":
            return await _half(request)
        if trouble == "nonsense":
            return web.Response(text="<html>Busy</html>")
        if trouble == "odd":
            return web.Response(text=json.dumps([{"lat": "north", "lon": None}]))
        if trouble == "long":
            return web.json_response([{"display_name": "x" * 900_000, "lat": "52.3", "lon": "5.3"}])
        if trouble:
            return web.Response(status=int(trouble), headers={"Retry-After": "60"})
        found = next((at for name, at in self.places.items() if name in question), None)
        answer = [{"lat": found[0], "lon": found[1], "display_name": question}] if found else []
        return web.json_response(answer)


@asynccontextmanager
async def served(nominatim: Nominatim) -> AsyncIterator[Nominatim]:
    """On a free port."""
    app = web.Application()
    app.router.add_get("/search", nominatim.search)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    nominatim.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield nominatim
    finally:
        await runner.cleanup()


async def _half(request: web.Request) -> web.StreamResponse:
    """The beginning of an answer, then nothing."""
    answer = web.StreamResponse(headers={"Content-Length": "500", "Content-Type": "application/json"})
    await answer.prepare(request)
    await answer.write(b'[{"lat": "52.3')
    assert request.transport is not None
    request.transport.close()
    return answer
