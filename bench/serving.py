"""How soon do the API and the pages answer while a crawl runs flat out in the same `larder up`?

    python -m bench.serving [--json] [--write] [--seconds S] [--listings N] [--on sqlite|postgresql]

`larder up` reads a made-up site without a rate limit and serves its records at the same time. It and a bare
FastAPI route in a process of its own are asked in turn, on kept connections: both share the machine with the
crawl. Some queries are asked again and again, as visitors ask for the home page; others never twice.
"""

import asyncio
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp
from sqlalchemy import Connection, text

from bench import written
from bench.api import server
from bench.journey_larder import declare
from larder.app import open_app
from larder.settings import Settings
from tests.proofs.postgres import empty_database

ROOT = Path(__file__).resolve().parents[1]
LISTINGS = 6_000
AT_ONCE = 16
SECONDS = 15.0
PAUSE = 0.01
"""Between two requests: they are probes, not a load."""
PATHS = ("/api/records", "/api/records?sort=price", "/api/records?text=huis", "/", "/map")
NEW_PATHS = ("/api/records?price_min={}", "/?from={}")
"""Asked with another number each time: nothing of them is cached."""
DATABASES = ("sqlite", "postgresql")


@contextmanager
def site(listings: int) -> Iterator[int]:
    command = [sys.executable, "-m", "bench.homes", str(listings)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline() if process.stdout else 0)
    finally:
        process.kill()
        process.communicate()


@contextmanager
def crawling(folder: Path, database: str) -> Iterator[str]:
    """The address of a `larder up` that works."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
    env |= {"LARDER_DATA": str(folder), "LARDER_STRICT": "false", "LARDER_STAGGER_SECONDS": "0"}
    env |= {"LARDER_LISTEN": "127.0.0.1:0", "LARDER_REQUESTS_A_MINUTE": "0", "LARDER_TICK_SECONDS": "0.2"}
    env |= {"LARDER_DATABASE": database} if database else {}
    command = [sys.executable, "-m", "larder", "up", "--json"]
    process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    try:
        yield _address(process)
    finally:
        process.terminate()
        process.communicate()


def _address(process: "subprocess.Popen[str]") -> str:
    for line in process.stdout or ():
        told = json.loads(line)
        if told.get("event") == "up":
            return str(told["address"])
    raise SystemExit("larder up ended before it served")


async def first_byte(session: aiohttp.ClientSession, url: str) -> float:
    began = time.perf_counter()
    async with session.get(url) as response:
        await response.content.readany()
        took = time.perf_counter() - began
        response.raise_for_status()
        await response.read()
    return took


async def probe(ours: str, bare: str, seconds: float) -> dict[str, list[float]]:
    took: dict[str, list[float]] = {path: [] for path in (*PATHS, *NEW_PATHS, "bare")}
    ends, numbers = time.perf_counter() + seconds, itertools.count(1)
    async with aiohttp.ClientSession() as session:
        while time.perf_counter() < ends:
            for path in (*PATHS, *NEW_PATHS):
                took[path].append(await first_byte(session, ours + path.format(next(numbers))))
                took["bare"].append(await first_byte(session, bare + "/api/records"))
                await asyncio.sleep(PAUSE)
    return took


def pages(conn: Connection) -> int:
    counted: int = conn.execute(text("SELECT count(*) FROM pages WHERE outcome = 'ok'")).scalar_one()
    return counted


def declare_public(conn: Connection, host: str, now: datetime) -> None:
    declare(conn, host, AT_ONCE, now)
    conn.execute(text("UPDATE sources SET visibility = 'public'"))


async def measure(folder: Path, database: str, listings: int, seconds: float) -> dict[str, Any]:
    chosen = {"database": database} if database else {}
    settings = Settings(**{"data": folder, "strict": False, "stagger_seconds": 0, **chosen})
    with site(listings) as port:
        async with open_app(settings, upgrade=True) as app:
            await app.run(declare_public, f"127.0.0.1:{port}", app.clock.now())
            with crawling(folder, database) as ours, server("bare", "50000") as bare:
                await probe(ours, bare, 2)
                before, began = await app.read(pages), time.perf_counter()
                took = await probe(ours, bare, seconds)
                read, lasted = await app.read(pages) - before, time.perf_counter() - began
    return _figures(took, read / lasted)


def _figures(took: dict[str, list[float]], pages_per_second: float) -> dict[str, Any]:
    repeated, new = ([each for path in paths for each in took[path]] for paths in (PATHS, NEW_PATHS))
    told = {name: _cuts(times) for name, times in {"larder": repeated, "new": new, **took}.items()}
    ratios = {name: round(told[name]["p95_ms"] / told["bare"]["p95_ms"], 2) for name in ("larder", "new")}
    crawled = {"crawled_pages_per_second": round(pages_per_second, 1)}
    return {**crawled, "ratio": ratios["larder"], "ratio_of_new": ratios["new"], **told}


def _cuts(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=100)
    return {"p50_ms": round(cuts[49] * 1000, 1), "p95_ms": round(cuts[94] * 1000, 1)}


def main(arguments: list[str]) -> int:
    def given(name: str, default: float) -> float:
        return float(arguments[arguments.index(name) + 1]) if name in arguments else default

    chosen = arguments[arguments.index("--on") + 1 :][:1] if "--on" in arguments else DATABASES
    found = {}
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            database = "" if name == "sqlite" else stack.enter_context(empty_database())
            listings, seconds = int(given("--listings", LISTINGS)), given("--seconds", SECONDS)
            found[name] = asyncio.run(measure(Path(folder), database, listings, seconds))
    print(json.dumps(found, indent=None if "--json" in arguments else 2))
    if "--write" in arguments:
        written.write("serving", found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
