"""A server that may do anything, and the fetch stage as it runs in production, pointed at it."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from larder.core.model.job import Slot
from larder.core.model.page import Fetched
from larder.core.model.site import SiteTerms
from larder.sdk.urls import host_of, registrable_domain
from larder.stages.fetch import Client, FetchRequest, HttpFetcher, MemoryRobotsCache, Refusal, RequestGate
from larder.stages.fetch.terms import TermsGate

SITE = "shop.test"
TLS_HELLO = b"\x16"
PATIENCE = timedelta(seconds=30)
"""Long enough for a page on loopback on a busy machine; no test waits it out."""


class WallClock:
    """Time as it passes; tests may move it."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    async def sleep_until(self, moment: datetime) -> None:
        self.ahead += max(moment - self.now(), timedelta(0))


class Names(AbstractResolver):
    """DNS of the tests: a name's answers are given one after the other; the last one stays."""

    def __init__(self) -> None:
        self.answers: dict[str, list[str]] = {}
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:  # noqa: ARG002
        self.asked.append(host)
        answers = self.answers.get(host, ["127.0.0.1"] if host.endswith(".test") else [])
        if not answers:
            raise OSError(f"no such name: {host}")
        address = answers.pop(0) if len(answers) > 1 else answers[0]
        return [_result(host, port, one) for one in address.split()]

    async def close(self) -> None:
        self.answers.clear()


def _result(host: str, port: int, address: str) -> ResolveResult:
    family = 10 if ":" in address else 2
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=4)


class DecidedSites:
    """All sites are reviewed and none is blocked, but these."""

    def __init__(self) -> None:
        self.blocked: set[str] = set()
        self.unreviewed: set[str] = set()

    async def terms_of(self, url: str) -> SiteTerms:
        domain = registrable_domain(url) or host_of(url)
        return SiteTerms(
            domain=domain, blocked=domain in self.blocked, reviewed=domain not in self.unreviewed
        )


class EverySlot:
    """A lane without a limit, which notes what it was asked for."""

    def __init__(self, clock: WallClock) -> None:
        self.clock = clock
        self.reserved: list[str] = []
        self.refusal: Refusal | None = None

    async def reserve(self, url: str) -> Slot | Refusal:
        self.reserved.append(url)
        return self.refusal or self.slot()

    def slot(self) -> Slot:
        now = self.clock.now()
        return Slot(opens_at=now, closes_at=now + timedelta(seconds=60))


Script = Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Request:
    """What the server was sent."""

    method: str
    path: str
    headers: dict[str, str]


def reply(body: bytes = b"", status: str = "200 OK", **headers: str) -> Script:
    """An orderly answer."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        fields = {"Content-Length": str(len(body))} | {k.replace("_", "-"): v for k, v in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(
            f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + (b"" if request.method == "HEAD" else body)
        )

    return answer


@dataclass
class Hostile:
    """Scripts by path; everything else is 404. It writes down each request."""

    port: int = 0
    scheme: str = "http"
    scripts: dict[str, Script] = field(default_factory=dict)
    log: list[Request] = field(default_factory=list)
    connections: int = 0

    def url(self, path: str = "/", host: str = f"www.{SITE}") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [request.path for request in self.log]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while request := await _read(reader, writer):
                self.log.append(request)
                script = self.scripts.get(request.path.partition("?")[0], reply(status="404 Not Found"))
                await script(request, writer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.log.append(Request("CUT", "", {}))
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request | None:
    start = await reader.read(1)
    if start == TLS_HELLO:
        writer.write(b"HTTP/1.1 400 This is plain HTTP\r\n\r\n")
        return None
    try:
        head = (start + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *rest = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in rest)
    return Request(method, path, {name.lower(): value.strip() for name, _, value in pairs})


@asynccontextmanager
async def hostile_server(tls: ssl.SSLContext | None = None) -> AsyncIterator[Hostile]:
    hostile = Hostile(scheme="https" if tls else "http")
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await hostile.serve(reader, writer)

    listener = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    hostile.port = listener.sockets[0].getsockname()[1]
    try:
        yield hostile
    finally:
        listener.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class Stage:
    """The fetch stage, and the strings to its outside."""

    clock: WallClock
    names: Names
    slots: EverySlot
    robots: MemoryRobotsCache
    client: Client
    sites: DecidedSites
    terms: TermsGate
    gate: RequestGate
    fetcher: HttpFetcher

    async def fetch(self, url: str, **request: Any) -> Fetched:
        asked: dict[str, Any] = {"timeout": PATIENCE, "local_site": SITE} | request
        return await self.fetcher.fetch(FetchRequest(url=url, **asked))


@asynccontextmanager
async def fetch_stage(
    *, strict: bool = True, preview: bool = False, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Stage]:
    """The fetch stage as in production; time, names and slots are ours."""
    clock, names, robots = WallClock(), Names(), MemoryRobotsCache()
    slots, sites = EverySlot(clock), DecidedSites()
    terms = TermsGate(sites, need_review=not preview)
    agent = "Larder/0 (+https://larder.test)"
    async with Client(clock, user_agent=agent, resolver=names, tls=tls, dns_ttl=0) as client:
        gate = RequestGate(
            client, slots=slots, robots=robots, terms=terms, clock=clock, strict=strict, timeout=PATIENCE
        )
        fetcher = HttpFetcher(client, gate, clock)
        yield Stage(clock, names, slots, robots, client, sites, terms, gate, fetcher)
