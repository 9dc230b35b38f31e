"""How much of what politeness allows does one process reach, over many sites on one adapter?

    python -m bench.many_sites [--json] [--sites 200 --spacing 1] [--seconds 30]

Without `--sites`: 200 sites at one request a second, then 1,000 at one in five seconds. Each site is a
loopback address of its own with an index and its detail pages; another process serves them. After a warm-up
the requests that arrive are counted, and held against one per site and spacing. The CPU of a page is that of
the process and its parse workers, beside that of one site without a limit. Whatever happens, one measurement
ends within three minutes.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import tempfile
import time
from contextlib import suppress
from ctypes import c_longlong
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import uvloop
from sqlalchemy import Connection

from bench.written import write
from larder.app import open_app
from larder.cli.common.garbage import collect_seldom
from larder.settings import Settings
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.site import SimRequest
from larder.store.queue import sources
from tests.proofs.plans import listings_of, only_discovery
from tests.proofs.processes import START

GOALS = ((200, 1.0), (1000, 5.0))
ROWS, ROWS_WITHOUT_LIMIT = 200, 20_000
"""Of each index: more than a site is asked for in the time that is measured."""
FIRST = 4
"""Requests of a site before it counts as begun: robots.txt, the first page of its index, and details."""
WARM_UP = 3
"""Spacings before the count begins."""
PATIENCE = 90
"""Seconds after which the count begins, though not all sites have begun."""
ASK_AGAIN = 0.25
FAST = 10.0
"""Seconds for which the site without a limit is measured."""
AT_ONCE = 16
"""Requests to it at once."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Web:
    """The made-up sites, in a process of their own."""

    site: ClassifiedsSite
    requests: Any
    """A counter in shared memory."""

    async def open(self, addresses: list[str]) -> int:
        """Listen on all addresses; the port."""
        server = await asyncio.start_server(self._serve, addresses[0], 0)
        port: int = server.sockets[0].getsockname()[1]
        for address in addresses[1:]:
            await asyncio.start_server(self._serve, address, port)
        return port

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.requests.value += 1
                host = head.lower().split(b"host: ", 1)[1].split(b"\r", 1)[0].decode()
                writer.write(self._answer(f"http://{host}{head.split(b' ', 2)[1].decode()}"))

    def _answer(self, url: str) -> bytes:
        given = self.site.respond(SimRequest.of(url), START)
        head = f"HTTP/1.1 {given.status} OK\r\nContent-Type: text/html\r\nContent-Length: {len(given.body)}"
        return head.encode() + b"\r\n\r\n" + given.body


def serve(addresses: list[str], rows: int, requests: Any, ready: Any) -> None:
    """Serve the sites until this process is ended; the port goes to `ready`."""

    async def forever() -> None:
        truth = ClassifiedsTruth(seed=1, start=START, stock=rows)
        ready.send(await Web(ClassifiedsSite(name="site.test", classifieds=truth), requests).open(addresses))
        await asyncio.Event().wait()

    uvloop.run(forever())


def declare(conn: Connection, addresses: list[str], port: int, spacing: float, now: datetime) -> None:
    """One source on each address."""
    for number, address in enumerate(addresses):
        at_once = 1 if spacing else AT_ONCE
        limits = {"local": 1, "spacing_ms": int(spacing * 1000), "at_once": at_once}
        sources.ensure_site(conn, address, limits, now=now)
        url = f"http://{address}:{port}/listings"
        only_discovery(conn, listings_of(f"site-{number}") | {"url": url}, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The sites that another process serves."""

    pid: int
    port: int
    requests: Any


async def measure(
    sites: int, spacing: float, seconds: float, *, folder: Path, web: Served
) -> dict[str, float]:
    """Requests that arrived, beside those that the limits allow."""
    requests, others = web.requests, frozenset({web.pid})
    addresses = addresses_of(sites)
    settings = Settings(data=folder, strict=False, stagger_seconds=0, parse_workers=1)
    async with open_app(settings, upgrade=True) as app:
        await app.run(declare, addresses, web.port, spacing, app.clock.now())
        async with app.driver() as driver:
            task = asyncio.create_task(driver.run())
            begun = await _begun(requests, FIRST * sites)
            await asyncio.sleep(WARM_UP * (spacing or 1))
            before, began, cpu = requests.value, time.perf_counter(), cpu_seconds(others)
            await asyncio.sleep(seconds)
            sent, took = requests.value - before, time.perf_counter() - began
            used = cpu_seconds(others) - cpu
            driver.stop()
            await task
    possible = sites / spacing * took if spacing else sent
    return {
        "sites": sites,
        "spacing": spacing,
        "seconds": round(took, 1),
        "all_begun": begun,
        "requests_per_second": round(sent / took, 1),
        "of_possible": round(sent / possible, 3),
        "cpu_ms_per_page": round(used / max(sent, 1) * 1000, 2),
        "load": round(os.getloadavg()[0], 1),
    }


async def _begun(requests: Any, first: int) -> bool:
    """Whether all sites have begun in time."""
    ends = time.monotonic() + PATIENCE
    while requests.value < first and time.monotonic() < ends:  # noqa: ASYNC110 - another process counts
        await asyncio.sleep(ASK_AGAIN)
    return bool(requests.value >= first)


def addresses_of(sites: int) -> list[str]:
    """A loopback address for each site."""
    return [f"127.1.{number // 250}.{number % 250 + 1}" for number in range(sites)]


def cpu_seconds(others: frozenset[int] = frozenset(), *, of: frozenset[int] | None = None) -> float:
    """What these processes (this one by default) and those that they started have used, but for others."""
    stats = {int(each.name): _stat(each) for each in Path("/proc").iterdir() if each.name.isdigit()}
    family = {os.getpid()} if of is None else set(of)
    while more := {pid for pid, (parent, _) in stats.items() if parent in family} - family - others:
        family |= more
    return sum(stats[pid][1] for pid in family if pid in stats) / TICKS


def _stat(process: Path) -> tuple[int, int]:
    """Of a process: its parent, and the ticks that it and those it waited for have used."""
    try:
        told = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0, 0
    return int(told[1]), sum(int(each) for each in told[11:15])


def measured(sites: int, spacing: float, seconds: float) -> dict[str, float]:
    """One process that reads so many sites, and beside it one that reads a site without a limit."""
    found = alone(sites, spacing, seconds)
    fast = alone(1, 0, FAST)
    return {**found, "fast_cpu_ms_per_page": fast["cpu_ms_per_page"]}


def alone(sites: int, spacing: float, seconds: float) -> dict[str, float]:
    """One process that reads sites which another one serves; a spacing of 0: one without a limit."""
    collect_seldom()  # as a driver does
    rows = ROWS if spacing else ROWS_WITHOUT_LIMIT
    context = multiprocessing.get_context("spawn")
    requests = context.Value(c_longlong, 0, lock=False)
    here, there = context.Pipe()
    web = context.Process(target=serve, args=(addresses_of(sites), rows, requests, there), daemon=True)
    web.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            served = Served(pid=web.pid or 0, port=here.recv(), requests=requests)
            return uvloop.run(measure(sites, spacing, seconds, folder=Path(folder), web=served))
    finally:
        web.terminate()
        web.join()


def main() -> None:
    """Measure what was asked for, or both goals."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--sites", type=int)
    parser.add_argument("--spacing", type=float, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    asked = parser.parse_args()
    goals = GOALS if asked.sites is None else ((asked.sites, asked.spacing),)
    found = [measured(sites, spacing, asked.seconds) for sites, spacing in goals]
    if asked.write:
        write("many_sites", {"runs": found})
    print(json.dumps(found) if asked.json else "\n".join(map(str, found)))


if __name__ == "__main__":
    main()
