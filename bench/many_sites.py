"""How much of what politeness allows does one process reach, over many sites on one adapter?

    python -m bench.many_sites [--json] [--sites 200] [--spacing 1] [--seconds 30]

Each site is a loopback address of its own with an index and its detail pages. After a warm-up the requests
that arrive are counted, and held against one per site and spacing.
"""

import argparse
import asyncio
import json
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import uvloop
from sqlalchemy import Connection

from larder.app import open_app
from larder.settings import Settings
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.site import SimRequest
from larder.store.queue import sources
from tests.proofs.plans import listings_of, only_discovery
from tests.proofs.processes import START

ROWS = 200
"""Of each index: more than a site is asked for in the time that is measured."""
WARM_UP = 3
"""Spacings before the count begins."""


@dataclass(slots=True)
class Web:
    """The made-up sites, in the process that asks them."""

    site: ClassifiedsSite
    requests: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Four requests for each site came: robots.txt, the first page of its index, and details."""
    first: int = 0

    async def open(self, addresses: list[str]) -> int:
        """Listen on all addresses; the port."""
        self.first = 4 * len(addresses)
        server = await asyncio.start_server(self._serve, addresses[0], 0)
        port: int = server.sockets[0].getsockname()[1]
        for address in addresses[1:]:
            await asyncio.start_server(self._serve, address, port)
        return port

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.requests += 1
                if self.requests >= self.first:
                    self.begun.set()
                host = head.lower().split(b"host: ", 1)[1].split(b"\r", 1)[0].decode()
                writer.write(self._answer(f"http://{host}{head.split(b' ', 2)[1].decode()}"))

    def _answer(self, url: str) -> bytes:
        given = self.site.respond(SimRequest.of(url), START)
        head = f"HTTP/1.1 {given.status} OK\r\nContent-Type: text/html\r\nContent-Length: {len(given.body)}"
        return head.encode() + b"\r\n\r\n" + given.body


def declare(conn: Connection, addresses: list[str], port: int, spacing: float, now: datetime) -> None:
    """One source on each address."""
    for number, address in enumerate(addresses):
        limits = {"local": 1, "spacing_ms": int(spacing * 1000), "at_once": 1}
        sources.ensure_site(conn, address, limits, now=now)
        url = f"http://{address}:{port}/listings"
        only_discovery(conn, listings_of(f"site-{number}") | {"url": url}, now=now)


async def measure(sites: int, spacing: float, seconds: float, folder: Path) -> dict[str, float]:
    """Requests that arrived, beside those that the limits allow."""
    addresses = [f"127.1.{number // 250}.{number % 250 + 1}" for number in range(sites)]
    truth = ClassifiedsTruth(seed=1, start=START, stock=ROWS)
    web = Web(ClassifiedsSite(name="site.test", classifieds=truth))
    port = await web.open(addresses)
    settings = Settings(data=folder, strict=False, stagger_seconds=0)
    async with open_app(settings, upgrade=True) as app:
        await app.run(declare, addresses, port, spacing, app.clock.now())
        async with app.driver() as driver:
            task = asyncio.create_task(driver.run())
            await web.begun.wait()
            await asyncio.sleep(WARM_UP * spacing)
            before, began = web.requests, time.perf_counter()
            await asyncio.sleep(seconds)
            sent, took = web.requests - before, time.perf_counter() - began
            driver.stop()
            await task
    possible = sites / spacing * took
    figures = {"sites": sites, "spacing": spacing, "seconds": round(took, 1)}
    return figures | {"requests_per_second": round(sent / took, 1), "of_possible": round(sent / possible, 3)}


def main() -> None:
    """Measure once."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--spacing", type=float, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = uvloop.run(measure(asked.sites, asked.spacing, asked.seconds, Path(folder)))
    print(json.dumps(found) if asked.json else found)


if __name__ == "__main__":
    main()
