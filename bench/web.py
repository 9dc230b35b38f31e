"""How soon does a page begin to arrive, over a million records? Beside a bare FastAPI route of the same size.

    python -m bench.web DATABASE_URL … | --million NAME [--rounds N] [--first] [--json] [--write]

The databases are those of `bench.api_dataset`. One visitor asks for each page in turn, as people do, and for
the bare route in between; the figure is the time to the first byte. `--first`: only the first look at pages
that count everything, in a new process.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

from bench import written
from bench.api import Served
from bench.api_server import StandingClock, serve
from bench.million import with_million
from larder.actions.access import keys
from larder.app import open_app
from larder.asgi.routing import application
from larder.core.model.caller import Scope
from larder.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 30
FIRST_LOOKS = ("/admin", "/admin/sources")
"""Pages whose first look, by a process that has counted nothing yet, is measured by itself."""
WARM = "/admin/adapters"
"""Loads templates and opens connections, and counts nothing."""
STARTS = 3
PAGES = (
    "/", "/?kind=listing&sort=price", "/?q=woning", "/events", "/map", "/records/500000", "/admin",
    "/admin/sources", "/admin/sources/s1", "/admin/sites", "/admin/runs", "/admin/records",
    "/admin/records?text=woning", "/admin/targets", "/admin/verification", "/admin/adapters",
    "/admin/quarantine", "/admin/dead", "/admin/errors", "/admin/alerts", "/admin/audit",
)  # fmt: skip


async def pages_of(url: str) -> None:
    """Serve the pages; prints the key, its own number, then the port."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder), database=url, requests_a_minute=0, strict=False)
        async with open_app(settings) as app:
            app.clock = StandingClock()
            name = f"bench-{time.time_ns()}"
            issued = await app.run(keys.add, name, Scope.ADMIN, who="bench", now=app.clock.now())
            print(issued.key, os.getpid(), sep="\n", flush=True)
            await serve(application(app))


@contextmanager
def served(*command: str) -> Iterator[list[str]]:
    """A process of its own; the lines that it prints first."""
    process = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = 3 if command[0] == "bench.web" else 1
    try:
        yield [process.stdout.readline().strip() for _ in range(lines)]
    finally:
        process.terminate()
        process.communicate()


async def first_byte(session: aiohttp.ClientSession, url: str) -> tuple[float, int]:
    begun = time.perf_counter()
    async with session.get(url) as response:
        await response.content.read(1)
        took = time.perf_counter() - begun
        size = 1 + len(await response.read())
        response.raise_for_status()
    return took * 1000, size


async def measure(url: str, rounds: int) -> dict[str, Any]:
    took: dict[str, list[float]] = {path: [] for path in PAGES}
    plain: list[float] = []
    with served("bench.web", "--serve", url) as (key, _, port):
        base, headers = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {key}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            sizes = {path: (await first_byte(session, base + path))[1] for path in PAGES}
            middle = round(statistics.median(sizes.values()))
            with served("bench.api_server", "bare", str(middle)) as (bare,):
                for _ in range(rounds):
                    for path in PAGES:
                        took[path].append((await first_byte(session, base + path))[0])
                        plain.append((await first_byte(session, f"http://127.0.0.1:{bare}/api/records"))[0])
    firsts = [await first_looks(url) for _ in range(STARTS)]
    each = {path: p95(times) for path, times in took.items()}
    all_of_it = [one for times in took.values() for one in times]
    return {
        "bytes": middle,
        "bare_p95_ms": p95(plain),
        "p50_ms": round(statistics.median(all_of_it), 1),
        "p95_ms": p95(all_of_it),
        "over_bare_ms": round(p95(all_of_it) - p95(plain), 1),
        "by_page_p95_ms": each,
        **{
            name: {path: round(statistics.median(one[path][at] for one in firsts), 1) for path in FIRST_LOOKS}
            for at, name in enumerate(("first_look_ms", "first_look_cpu_ms"))
        },
    }


async def first_looks(url: str) -> dict[str, tuple[float, float]]:
    """Milliseconds of the first look at each page in a new process, and those of CPU, a server's included."""
    with served("bench.web", "--serve", url) as (key, pid, port):
        base, looks = Served(f"http://127.0.0.1:{port}"), {}
        base.pid, base.database = int(pid), url.rpartition("/")[2]
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {key}"}) as session:
            await first_byte(session, base + WARM)
            for path in FIRST_LOOKS:
                cpu = base.cpu_seconds()
                took, _ = await first_byte(session, base + path)
                looks[path] = took, (base.cpu_seconds() - cpu) * 1000
    return looks


def p95(times: list[float]) -> float:
    return round(statistics.quantiles(times, n=20)[18], 1)


def main(arguments: list[str]) -> int:
    arguments = with_million(arguments)
    urls = [each for each in arguments if "://" in each]
    if "--serve" in arguments:
        asyncio.run(pages_of(urls[0]))
        return 0
    rounds = int(arguments[arguments.index("--rounds") + 1]) if "--rounds" in arguments else ROUNDS
    if "--first" in arguments:
        print(json.dumps({url.partition(":")[0]: asyncio.run(first_looks(url)) for url in urls}))
        return 0
    found = {url.partition(":")[0]: asyncio.run(measure(url, rounds)) for url in urls}
    print(json.dumps(found, indent=None if "--json" in arguments else 2))
    if "--write" in arguments:
        written.write("web", found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
