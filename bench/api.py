"""How fast does the API list and search a million records? Beside a bare FastAPI route of the same size.

    python -m bench.api [DATABASE_URL … | --million NAME] [--rows N] [--seconds S] [--filled] [--json]

Each database is filled first (`bench.api_dataset`) unless it is said to be; without one it is SQLite in a
temporary folder, with a tenth of the rows. Then, at 50 connections, in alternating rounds: `list` asks for
twenty pages that many people ask for (first pages, filters, sorts), `every page another` follows cursors
through pages that nobody asked for before, `search` asks up to two hundred questions in three languages, some
of them misspelt, `every search another` the same with another limit each time. The bare route returns a
constant of the size of a page of the list. CPU is that of the process that serves and of PostgreSQL's on this
machine: unlike requests a second it can be compared with that of another run, whatever else the machine does.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp

from bench import api_dataset, written
from bench.many_sites import cpu_seconds
from bench.million import with_million

ROOT = Path(__file__).resolve().parents[1]
CONNECTIONS = 50
SECONDS = 5.0
ROUNDS = 3

Figures = dict[str, float]

PAGES = [
    "/api/records",
    *(f"/api/records?kind={kind}" for kind in ("listing", "event", "product")),
    *(f"/api/records?sort={sort}" for sort in ("price", "-price", "starts_at", "freshness")),
    *(f"/api/records?source=s{number}" for number in (1, 7, 33, 101)),
    *(f"/api/records?kind=listing&price_max={price}" for price in (500, 1_000, 1_500, 2_000)),
    *(f"/api/records?category={name}" for name in ("music", "art")),
    "/api/records?near=52.1,5.1&within_km=5&sort=distance",
    "/api/records?brand=Acme",
]


def questions(size: str = "limit=20&") -> list[str]:
    """Things and places, whole and misspelt, of all three languages."""
    things = [thing for kind in api_dataset.THINGS.values() for thing in kind]
    asked = [f"{thing} {place}" for thing in things for place in api_dataset.PLACES[:6]]
    asked += [thing[:2] + thing[3] + thing[2] + thing[4:] for thing in things if len(thing) > 5]
    return [f"/api/records?{size}text={quote(each)}" for each in asked[:200]]


def distinct_questions() -> Iterator[str]:
    """Each question with another limit each time: none is ever asked twice."""
    for limit in count(20):
        yield from (f"{each}&limit={limit}" for each in questions(""))


class Served(str):
    """The address of a server, and the processes that work for it."""

    __slots__ = ("database", "pid")
    pid: int
    database: str

    def cpu_seconds(self) -> float:
        """What they have used."""
        return cpu_seconds(of=frozenset({self.pid, *_backends(self.database)}))


def _backends(database: str) -> list[int]:
    """The processes of a PostgreSQL on this machine that work on a database."""
    title = f" {database} ".encode()
    return [
        int(each.parent.name)
        for each in Path("/proc").glob("[0-9]*/cmdline")
        if (named := _read(each)).startswith(b"postgres: ") and title in named
    ]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it has ended
        return b""


@contextmanager
def server(*arguments: str) -> Iterator[Served]:
    command = [sys.executable, "-m", "bench.api_server", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        served = Served(f"http://127.0.0.1:{int(process.stdout.readline() if process.stdout else 0)}")
        served.pid, served.database = process.pid, arguments[-1].rpartition("/")[2]
        yield served
    finally:
        process.terminate()
        process.communicate()


async def load(base: Served, paths: Iterator[str], seconds: float) -> Figures:
    """Fifty connections, each asking as soon as it was answered."""
    took: list[float] = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONNECTIONS)) as session:
        ends = time.perf_counter() + seconds

        async def one() -> None:
            while (begun := time.perf_counter()) < ends:
                async with session.get(base + next(paths)) as response:
                    await response.read()
                    response.raise_for_status()
                took.append(time.perf_counter() - begun)

        begun, cpu = time.perf_counter(), base.cpu_seconds()
        await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
        lasted, cpu = time.perf_counter() - begun, base.cpu_seconds() - cpu
    cuts = statistics.quantiles(took, n=100)
    return {
        "requests_per_second": round(len(took) / lasted, 1),
        "p50_ms": round(cuts[49] * 1000, 1),
        "p95_ms": round(cuts[94] * 1000, 1),
        "cpu_ms": round(cpu * 1000 / len(took), 3),
    }


def distinct_pages(followed: Sequence[str]) -> list[str]:
    """Each page at twelve sizes of about fifty records: more pages than are asked for in all rounds."""
    return [f"{path}{'&' if '?' in path else '?'}limit={size}" for size in range(44, 56) for path in followed]


async def follow(base: str, pages: int) -> list[str]:
    """Addresses of so many pages, one after the other."""
    paths, path = [], "/api/records"
    async with aiohttp.ClientSession() as session:
        for _ in range(pages):
            paths.append(path)
            async with session.get(base + path) as response:
                path = f"/api/records?after={(await response.json())['next']}"
    return paths


async def size_of(base: str) -> int:
    async with aiohttp.ClientSession() as session, session.get(base + PAGES[0]) as response:
        return len(await response.read())


async def measure(url: str, seconds: float) -> dict[str, Any]:
    """One database: medians of rounds that alternate with the bare route's."""
    with server("larder", url) as ours:
        size = await size_of(ours)
        another = cycle(distinct_pages(await follow(ours, 400)))
        with server("bare", str(size)) as bare:
            asked = {
                "list": cycle(PAGES),
                "every page another": another,
                "search": cycle(questions()),
                "every search another": distinct_questions(),
            }
            for paths in asked.values():
                await load(ours, paths, 1)
            rounds = [
                {"bare": await load(bare, cycle(["/api/records"]), seconds)}
                | {name: await load(ours, paths, seconds) for name, paths in asked.items()}
                for _ in range(ROUNDS)
            ]
    told: dict[str, Any] = {"bytes": size}
    for name in rounds[0]:
        told[name] = {key: statistics.median(each[name][key] for each in rounds) for key in rounds[0][name]}
    for name in asked:
        ratios = [r[name]["requests_per_second"] / r["bare"]["requests_per_second"] for r in rounds]
        told[name]["ratio"] = round(statistics.median(ratios), 3)
    return told


def filled(url: str, rows: int) -> None:
    """Make the dataset, unless it is there."""
    command = [sys.executable, "-m", "bench.api_dataset", url, str(rows)]
    subprocess.run(command, cwd=ROOT, check=True)


def main(arguments: list[str]) -> int:
    arguments = with_million(arguments)
    if not any("://" in each for each in arguments):
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{folder}/larder.db"
            return main([url, "--rows", str(api_dataset.ROWS // 10), *arguments])
    urls = [each for each in arguments if "://" in each]
    rows = int(arguments[arguments.index("--rows") + 1]) if "--rows" in arguments else api_dataset.ROWS
    seconds = float(arguments[arguments.index("--seconds") + 1]) if "--seconds" in arguments else SECONDS
    found: dict[str, Any] = {"rows": rows, "connections": CONNECTIONS}
    for url in urls:
        if "--filled" not in arguments:
            filled(url, rows)
        found[url.partition(":")[0]] = asyncio.run(measure(url, seconds))
    print(json.dumps(found, indent=None if "--json" in arguments else 2))
    if "--write" in arguments:
        written.write("api", found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
