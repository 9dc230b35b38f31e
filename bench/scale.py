"""What more workers cost on PostgreSQL: CPU of a page, time in queue and database, lanes claimed a second.

    python -m bench.scale [--json] [--write] [--rounds 5] [--sites 8] [--listings 400] [--lanes 100000]

The CPU of a page is that of the middle part of a crawl, in which each driver has lanes with work; the start
is reported apart. One driver and two take turns. Caps on requests are lifted; the made-up sites answer from a
process of their own.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import Connection, text

from bench.many_sites import cpu_seconds
from bench.written import write
from larder.app import open_app
from larder.engine.work_items import Worker
from larder.engine.worker import claims
from larder.settings import Settings
from larder.store.database import Database, moment, open_database
from larder.store.migrations import upgrade
from tests.proofs.deployment import Deployment, deployed
from tests.proofs.postgres import empty_database

P = ParamSpec("P")
T = TypeVar("T")

CLAIM_SECONDS = 5.0
MAX_JOBS = 64
MIDDLE = (0.25, 0.8)
"""The part of all details that is measured."""
QUEUE = ("claim", "release", "renew", "tick")
"""Units of work that find and hold work; the others store what it brought."""


# -- CPU of a page -----------------------------------------------------------------------------------------


class Cost(NamedTuple):
    """What a crawl took of all driver processes, with all that they start."""

    start: float
    """CPU seconds until the first page is stored."""
    page: float
    """CPU milliseconds of each page of the middle part, in which every driver has work."""
    seconds: float
    """Of that part, milliseconds for each page."""


def crawl_cost(drivers: int, *, sites: int, listings: int) -> Cost:
    """What so many drivers took to read the sites."""
    with (
        tempfile.TemporaryDirectory() as folder,
        empty_database() as database,
        deployed(Path(folder), database=database, sites=sites, listings=listings) as many,
    ):
        asyncio.run(without_caps(database))
        of = frozenset(many.driver(drivers).pid for _ in range(drivers))
        first = _reading(many, of, 1)
        begin, end = (_reading(many, of, round(part * sites * listings)) for part in MIDDLE)
        many.until_read()
        check_end(many)
    pages = end.pages - begin.pages
    spent = ((end.cpu - begin.cpu) * 1000 / pages, (end.at - begin.at) * 1000 / pages)
    return Cost(first.cpu, *spent)


class Reading(NamedTuple):
    """CPU seconds and pages so far."""

    at: float
    cpu: float
    pages: int


def _reading(many: Deployment, of: frozenset[int], least: int) -> Reading:
    """The state once so many pages are stored."""
    pages = 0

    def stored() -> bool:
        nonlocal pages
        pages = int(many.ask("SELECT count(*) FROM pages")[0][0])
        return pages >= least

    many.until(f"{least} pages", stored)
    return Reading(time.perf_counter(), cpu_seconds(of=of), pages)


def check_end(many: Deployment) -> None:
    if any(many.end()) or many.wrong():
        raise RuntimeError(f"the crawl went wrong: {many.wrong()}\n{many.logs()}")


async def without_caps(url: str) -> None:
    database = open_database(url)
    try:
        await database.run(
            lambda conn: conn.execute(text("UPDATE sites SET spacing_ms = 0, at_once = 8")).close()
        )
    finally:
        await database.close()


# -- time in queue and database ----------------------------------------------------------------------------


@dataclass(slots=True)
class TimedDatabase:
    """Counts the seconds of each unit of work, by its name."""

    inner: Database
    seconds: dict[str, float] = field(default_factory=dict)

    async def run(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        began = time.perf_counter()
        try:
            return await self.inner.run(work, *args, **kwargs)
        finally:
            name = getattr(work, "__name__", "other")
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began

    async def read(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        return await self.inner.read(work, *args, **kwargs)

    async def close(self) -> None:
        await self.inner.close()


def shares(*, sites: int, listings: int) -> dict[str, float]:
    """Of the time of one driver that is never without work, the part in which it waits for the database."""
    with (
        tempfile.TemporaryDirectory() as folder,
        empty_database() as database,
        deployed(Path(folder), database=database, sites=sites, listings=listings) as many,
    ):
        asyncio.run(without_caps(database))
        return asyncio.run(_shares(many))


async def _shares(many: Deployment) -> dict[str, float]:
    settings = Settings(
        database=many.database, data=many.folder / "larder-data", parse_workers=1, strict=False
    )
    async with open_app(settings) as app:
        timed = TimedDatabase(app.database)
        app.database = timed
        async with app.driver() as driver:
            began = time.perf_counter()
            await driver.run(idle_ends=True)
            took = time.perf_counter() - began
    queue = sum(seconds for name, seconds in timed.seconds.items() if name in QUEUE)
    return {
        "queue": round(queue / took, 3),
        "other database": round((sum(timed.seconds.values()) - queue) / took, 3),
        "pages_per_second": round(driver.totals.pages / took, 1),
    }


# -- claims ------------------------------------------------------------------------------------------------

_FILL = (
    "INSERT INTO sites (id, domain) SELECT i, 's' || i || '.test' FROM generate_series(1, :lanes) AS i",
    "INSERT INTO lanes (site_id, next_at) SELECT i, i FROM generate_series(1, :lanes) AS i",
    """INSERT INTO sources (id, slug, kind, url, site_id, adapter, adopted_at)
       SELECT i, 's' || i, 'listing', 'http://s' || i || '.test/', i, 'listing', 1
       FROM generate_series(1, :lanes) AS i""",
    """INSERT INTO runs (source_id, kind, status, trigger, started_at, heartbeat_at)
       SELECT i, 'discovery', 'running', 'scheduled', 1, 1 FROM generate_series(1, :lanes) AS i""",
    """INSERT INTO jobs (run_id, source_id, site_id, adapter, purpose, url, status, priority, claim_order,
                         not_before, created_at, updated_at)
       SELECT runs.id, source_id, source_id, 'listing', 'detail', 'http://s' || source_id || '.test/' || n,
              'pending', 1, n, 1, 1, 1
       FROM runs, generate_series(1, 2) AS n""",
)


def lanes_claimed(lanes: int, workers: Sequence[int]) -> dict[str, float]:
    """Lanes that so many workers at once claim with their next jobs in a second, of so many that wait."""
    with empty_database() as url:
        asyncio.run(_fill(url, lanes))
        return {str(count): asyncio.run(_claim_for_a_while(url, count)) for count in workers}


async def _fill(url: str, lanes: int) -> None:
    def fill(conn: Connection) -> None:
        upgrade.upgrade(conn)
        for statement in _FILL:
            conn.execute(text(statement), {"lanes": lanes} if ":lanes" in statement else {})
        conn.execute(text("ANALYZE"))

    database = open_database(url)
    await database.run(fill)
    await database.close()


async def _claim_for_a_while(url: str, workers: int) -> float:
    database = open_database(url)
    began = time.perf_counter()
    counts = await asyncio.gather(*(_claim(database, f"w{workers}-{n}", began) for n in range(workers)))
    took = time.perf_counter() - began
    await database.close()
    return round(sum(counts) / took, 1)


async def _claim(database: Database, owner: str, began: float) -> int:
    worker, claimed = Worker(owner=owner, chance=Random(0)), 0
    now = moment(int(time.time() * 1_000_000))
    while time.perf_counter() - began < CLAIM_SECONDS:
        claim = await database.run(claims.claim, worker, under_way={}, max_jobs=MAX_JOBS, now=now)
        claimed += len({work.lane.site_id for work in claim.work})
    return claimed


def page_costs(rounds: int, *, sites: int, listings: int) -> dict[str, Any]:
    """One driver and two in turn, so many times: medians, and the ratio of each round."""
    costs = [
        {count: crawl_cost(count, sites=sites, listings=listings) for count in order}
        for order in islice(cycle(((1, 2), (2, 1))), rounds)
    ]
    ratios = sorted(each[2].page / each[1].page for each in costs)

    def middle(of: Callable[[Cost], float]) -> dict[str, float]:
        return {str(count): round(median(of(each[count]) for each in costs), 2) for count in (1, 2)}

    return {
        "rounds": rounds,
        "cpu_ms_per_page": middle(lambda cost: cost.page),
        "cpu_ratio": round(median(ratios), 2),
        "cpu_ratios": [round(ratio, 2) for ratio in ratios],
        "cpu_seconds_of_the_start": middle(lambda cost: cost.start),
        "pages_per_second": middle(lambda cost: 1000 / cost.seconds),
    }


def measure(*, rounds: int, sites: int, listings: int, lanes: int) -> dict[str, Any]:
    """Everything; the cost of a page in rounds."""
    return {
        **page_costs(rounds, sites=sites, listings=listings),
        "share_of_time": shares(sites=sites, listings=min(listings, 60)),
        "lanes_waiting": lanes,
        "lanes_claimed_per_second": lanes_claimed(lanes, (1, 2)),
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measure once."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sites", type=int, default=8)
    parser.add_argument("--listings", type=int, default=400)
    parser.add_argument("--lanes", type=int, default=100_000)
    asked = parser.parse_args()
    found = measure(rounds=asked.rounds, sites=asked.sites, listings=asked.listings, lanes=asked.lanes)
    if asked.write:
        write("scale", found)
    print(json.dumps(found) if asked.json else found)


if __name__ == "__main__":
    main()
