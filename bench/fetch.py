"""What does being polite cost? The whole fetch stage beside the bare client that it is built on.

    python -m bench.fetch [--json] [--write]

Both bring the same 50 KB pages of many hosts from a server in a process of its own, fifty at a time, on the
same event loop, in alternating rounds of one run. The stage checks robots.txt, the guard and a slot for every
request, hashes every body, and, in its second form, keeps every body in packs as well.
"""

import asyncio
import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import aiohttp
import uvloop
from aiohttp.abc import AbstractResolver, ResolveResult

from bench.written import write
from larder.core.model.job import Slot
from larder.core.model.site import SiteTerms
from larder.engine.clock import SystemClock
from larder.stages.fetch import Client, FetchRequest, HttpFetcher, MemoryRobotsCache, RequestGate
from larder.stages.fetch.terms import TermsGate
from larder.store.pages.blobs import PackedBlobs

HOSTS = 20
AT_ONCE = 50
REQUESTS = 1_000
ROUNDS = 15
BATCH = 64
GOALS = {"stage": 0.6, "stage with blobs": 0.3}
ROBOTS = b"User-agent: *\nDisallow: /private\nDisallow: /*?sort=\nAllow: /private/open\nCrawl-delay: 1\n"
WORDS = b"<article><h2>A room with a view</h2><p>Two minutes from the harbour, %d euros</p></article>\n"
PAGE = b"<html><body>" + b"".join(WORDS % n for n in range(560)) + b"</body></html>"


class Server(asyncio.Protocol):
    """The least that can be called a web server."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        body = ROBOTS if data.startswith(b"GET /robots.txt") else PAGE
        head = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: "1"\r\nContent-Length: %d\r\n\r\n' % len(
            body
        )
        self.transport.write(head + body)  # type: ignore[attr-defined]


def serve(told: Connection) -> None:
    async def forever() -> None:
        server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    uvloop.run(forever())


@contextmanager
def server() -> Iterator[int]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    yield ours.recv()
    process.terminate()
    process.join()


class Loopback(AbstractResolver):
    """Every name is this machine."""

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:  # noqa: ARG002
        return [ResolveResult(hostname=host, host="127.0.0.1", port=port, family=2, proto=0, flags=4)]

    async def close(self) -> None:
        """Nothing is held."""


class MemorySlots:
    """A lane in memory that is always open."""

    def __init__(self, clock: SystemClock) -> None:
        self._clock = clock

    async def reserve(self, url: str) -> Slot:  # noqa: ARG002
        return free_slot(self._clock.now())


def free_slot(now: datetime) -> Slot:
    return Slot(opens_at=now, closes_at=now + timedelta(seconds=60))


@dataclass(frozen=True, slots=True)
class Cost:
    """What one round came to."""

    requests_per_second: float
    cpu_us_per_request: float


Get = Callable[[str], Awaitable[bytes]]


async def measured(get: Get, urls: list[str]) -> Cost:
    left = iter(urls)

    async def one_after_the_other() -> None:
        for url in left:
            assert len(await get(url)) == len(PAGE)

    start, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))
    took, used = time.perf_counter() - start, time.process_time() - cpu
    return Cost(round(len(urls) / took, 1), round(used / len(urls) * 1e6, 2))


def bare(session: aiohttp.ClientSession) -> Get:
    async def get(url: str) -> bytes:
        async with session.get(url) as response:
            return await response.read()

    return get


class ReviewedSites:
    """No site is blocked."""

    async def terms_of(self, url: str) -> SiteTerms:
        """All terms are reviewed."""
        return SiteTerms(domain=url, reviewed=True)


def stage(fetcher: HttpFetcher, clock: SystemClock) -> Get:
    async def get(url: str) -> bytes:
        request = FetchRequest(url=url, slot=free_slot(clock.now()), jar="bench", local_site="bench.test")
        return (await fetcher.fetch(request)).body

    return get


def keeping(get: Get, blobs: PackedBlobs) -> Get:
    """As the driver does it: a batch at a time."""
    waiting: list[bytes] = []

    async def get_and_keep(url: str) -> bytes:
        body = await get(url)
        waiting.append(body)
        if len(waiting) >= BATCH:
            batch = waiting[:]
            waiting.clear()
            await blobs.put(batch)
        return body

    return get_and_keep


async def race(port: int, folder: Path) -> dict[str, list[Cost]]:
    """All runners over the same pages, in turn; the first round warms up."""
    clock = SystemClock()
    urls = [f"http://h{n % HOSTS}.bench.test:{port}/item/{n}?page=1" for n in range(REQUESTS)]
    connector = aiohttp.TCPConnector(resolver=Loopback(), limit=0)
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        Client(clock, user_agent="Larder/bench", resolver=Loopback()) as client,
    ):
        terms = TermsGate(ReviewedSites(), need_review=True)
        gate = RequestGate(
            client, slots=MemorySlots(clock), robots=MemoryRobotsCache(), terms=terms, clock=clock
        )
        polite = stage(HttpFetcher(client, gate, clock), clock)
        blobs = PackedBlobs(folder)
        runners = {"bare": bare(session), "stage": polite, "stage with blobs": keeping(polite, blobs)}
        costs: dict[str, list[Cost]] = {name: [] for name in runners}
        for _ in range(ROUNDS + 1):
            for name, get in runners.items():
                costs[name].append(await measured(get, urls))
        await blobs.close()
    return {name: rounds[1:] for name, rounds in costs.items()}


def verdict(costs: dict[str, list[Cost]]) -> dict[str, Any]:
    """Medians, and ratios of rounds that ran next to each other."""
    told: dict[str, Any] = {}
    for name, rounds in costs.items():
        pairs = list(zip(rounds, costs["bare"], strict=True))
        told[name] = {
            "requests_per_second": round(statistics.median(r.requests_per_second for r in rounds)),
            "cpu_us_per_request": round(statistics.median(r.cpu_us_per_request for r in rounds), 1),
            "ratio": round(
                statistics.median(r.requests_per_second / b.requests_per_second for r, b in pairs), 3
            ),
            "cpu_ratio": round(
                statistics.median(b.cpu_us_per_request / r.cpu_us_per_request for r, b in pairs), 3
            ),
            "goal": GOALS.get(name),
        }
    return told


def main(arguments: list[str]) -> int:
    with server() as port, tempfile.TemporaryDirectory() as folder:
        costs = uvloop.run(race(port, Path(folder)))
    told = verdict(costs)
    if "--write" in arguments:
        setting = {"page_bytes": len(PAGE), "at_once": AT_ONCE, "requests": REQUESTS, "rounds": ROUNDS}
        write("fetch", {**told, "setting": setting})
    if "--json" in arguments:
        print(json.dumps(told, indent=2))
        return 0
    print(f"{'':18} {'req/s':>8} {'CPU µs':>8} {'ratio':>7} {'CPU':>6} {'goal':>6}")
    for name, found in told.items():
        print(
            f"{name:18} {found['requests_per_second']:8} {found['cpu_us_per_request']:8} "
            f"{found['ratio']:7} {found['cpu_ratio']:6} {found['goal'] or '':>6}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
