"""A server that behaves like Apify's API, over real HTTP, faults included.

Its answers have the shape that Apify's own client checks. It counts every run it starts, and may start one
without anybody hearing of it: the answer is cut off, or held back until the test lets it go.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

TOKEN = "apify_api_a-token-that-nobody-may-see"
CUT, HANG = "cut", "hang"
"""Instead of an answer: hang up, or say nothing."""


@dataclass
class Run:
    """One run of an actor."""

    number: int
    input: dict[str, Any]
    timeout: int
    started_at: datetime
    status: str = "RUNNING"
    items: list[Any] = field(default_factory=list)
    cost: float = 0.25

    @property
    def id(self) -> str:
        return f"run{self.number}"

    def finish(self, *items: Any, status: str = "SUCCEEDED") -> None:
        self.status, self.items = status, list(items)

    def shown(self) -> dict[str, Any]:
        over = self.status not in ("READY", "RUNNING")
        return {
            "id": self.id,
            "actId": "act1",
            "userId": "me",
            "startedAt": _iso(self.started_at),
            "finishedAt": _iso(self.started_at) if over else None,
            "status": self.status,
            "statusMessage": f"it is {self.status.lower()}",
            "meta": {"origin": "API"},
            "stats": {},
            "options": {
                "build": "latest",
                "timeoutSecs": self.timeout,
                "memoryMbytes": 1024,
                "diskMbytes": 2048,
            },
            "buildId": "build1",
            "buildNumber": "0.0.36",
            "defaultKeyValueStoreId": f"store{self.number}",
            "defaultDatasetId": f"data{self.number}",
            "defaultRequestQueueId": f"queue{self.number}",
            "usageTotalUsd": self.cost,
        }


@dataclass
class ApifyServer:
    """Runs, limits, and the faults that are to come."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    url: str = ""
    runs: list[Run] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    faults: list[tuple[str, int | str]] = field(default_factory=list)
    """(call, what it gets): the next call of that name, once each."""
    spent: float = 0
    budget: float = 100
    busy: int = 0
    at_once: int = 25
    swallow_start: bool = False
    """The next start happens, and its answer is lost."""
    started: asyncio.Event = field(default_factory=asyncio.Event)
    hold: asyncio.Event | None = None
    """Starts happen at once and are answered when this is set."""
    finish_at_once: list[Any] | None = None
    looked: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody looks at a run again and again."""

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/v2/actors/{actor}/runs", self._start)
        app.router.add_get("/v2/actors/{actor}/runs", self._list)
        app.router.add_get("/v2/actor-runs/{run}", self._look)
        app.router.add_post("/v2/actor-runs/{run}/abort", self._abort)
        app.router.add_get("/v2/datasets/{dataset}/items", self._items)
        app.router.add_get("/v2/key-value-stores/{store}/records/INPUT", self._input)
        app.router.add_get("/v2/users/me/limits", self._limits)
        return app

    async def _start(self, request: web.Request) -> web.StreamResponse:
        if fault := await self._fault("start", request):
            return fault
        run = Run(
            number=len(self.runs) + 1,
            input=await request.json(),
            timeout=int(request.query["timeout"]),
            started_at=self.now(),
        )
        self.runs.append(run)
        if self.finish_at_once is not None:
            run.finish(*self.finish_at_once)
        self.started.set()
        if self.swallow_start:
            self.swallow_start = False
            return _cut(request)
        if self.hold is not None:
            await self.hold.wait()
        return web.json_response({"data": run.shown()}, status=201)

    async def _list(self, request: web.Request) -> web.StreamResponse:
        if fault := await self._fault("list", request):
            return fault
        since = datetime.fromisoformat(request.query["startedAfter"])
        shown = [run.shown() for run in reversed(self.runs) if run.started_at >= since]
        page = {"total": len(shown), "offset": 0, "limit": 100, "desc": True, "count": len(shown)}
        return web.json_response({"data": {**page, "items": shown}})

    async def _look(self, request: web.Request) -> web.StreamResponse:
        if fault := await self._fault("look", request):
            return fault
        if self.calls.count("look") >= 3:
            self.looked.set()
        run = next((run for run in self.runs if run.id == request.match_info["run"]), None)
        return web.json_response({"data": run.shown()}) if run else _error(404, "record-not-found")

    async def _abort(self, request: web.Request) -> web.StreamResponse:
        if fault := await self._fault("abort", request):
            return fault
        run = next(run for run in self.runs if run.id == request.match_info["run"])
        run.status = "ABORTED"
        return web.json_response({"data": run.shown()})

    async def _items(self, request: web.Request) -> web.StreamResponse:
        if fault := await self._fault("items", request):
            return fault
        run = next(run for run in self.runs if f"data{run.number}" == request.match_info["dataset"])
        limit = int(request.query.get("limit", len(run.items)))
        shown = run.items[:limit]
        counts = {"Total": len(run.items), "Offset": 0, "Limit": limit, "Count": len(shown)}
        headers = {f"X-Apify-Pagination-{name}": str(value) for name, value in counts.items()}
        headers["X-Apify-Pagination-Desc"] = "false"
        return web.json_response(shown, headers=headers)

    async def _input(self, request: web.Request) -> web.StreamResponse:
        if fault := await self._fault("input", request):
            return fault
        run = next(run for run in self.runs if f"store{run.number}" == request.match_info["store"])
        return web.json_response({**run.input, "proxy": {"useApifyProxy": True}})

    async def _limits(self, request: web.Request) -> web.StreamResponse:
        if fault := await self._fault("limits", request):
            return fault
        month = {"startAt": "2026-11-01T00:00:00.000Z", "endAt": "2026-11-30T23:59:59.999Z"}
        return web.json_response(
            {"data": {"monthlyUsageCycle": month, "limits": self._allowed(), "current": self._used()}}
        )

    def _allowed(self) -> dict[str, float]:
        names = ("ActorComputeUnits", "ExternalDataTransferGbytes", "ProxySerps", "ResidentialProxyGbytes")
        return {
            **{f"maxMonthly{name}": 1000 for name in names},
            "maxMonthlyUsageUsd": self.budget,
            "maxActorMemoryGbytes": 16,
            "maxActorCount": 100,
            "maxActorTaskCount": 1000,
            "maxConcurrentActorJobs": self.at_once,
            "maxTeamAccountSeatCount": 9,
            "dataRetentionDays": 90,
        }

    def _used(self) -> dict[str, float]:
        names = ("ActorComputeUnits", "ExternalDataTransferGbytes", "ProxySerps", "ResidentialProxyGbytes")
        return {
            **{f"monthly{name}": 1 for name in names},
            "monthlyUsageUsd": self.spent,
            "actorMemoryGbytes": 8,
            "actorCount": 1,
            "actorTaskCount": 1,
            "activeActorJobCount": self.busy,
            "teamAccountSeatCount": 1,
        }

    async def _fault(self, call: str, request: web.Request) -> web.StreamResponse | None:
        self.calls.append(call)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return _error(401, "user-or-token-not-found")
        due = next((fault for fault in self.faults if fault[0] == call), None)
        if due is None:
            return None
        self.faults.remove(due)
        if due[1] == CUT:
            return _cut(request)
        if due[1] == HANG:
            await asyncio.Event().wait()
        return _error(int(due[1]), "something-is-wrong")


def _error(status: int, kind: str) -> web.Response:
    return web.json_response({"error": {"type": kind, "message": kind.replace("-", " ")}}, status=status)


def _cut(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@asynccontextmanager
async def apify_server(now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> AsyncIterator[ApifyServer]:
    server = ApifyServer(now=now)
    runner = web.AppRunner(server.app(), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()
