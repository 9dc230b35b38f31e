"""What more workers cost on PostgreSQL: CPU of a page, time in queue and database, lanes claimed a second.

    python -m bench.scale [--json] [--write] [--rounds 5] [--sites 8] [--listings 60] [--lanes 100000]

The CPU of a page is the difference between a short and a long crawl, so that starting a process costs
nothing; one driver and two take turns. Caps on requests are lifted; the made-up sites answer from a process
of their own.
"""

import argparse
import asyncio
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import Connection, text

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
ROOM = 64
QUEUE = ("claim", "release", "renew", "tick")
"""Units of work that find and hold work; the others store what it brought."""


# -- CPU of a page -----------------------------------------------------------------------------------------


class Cost(NamedTuple):
    """What a crawl took."""

    cpu: float
    """CPU seconds of all driver processes, with all that they start."""
    seconds: float
    """From the start of the first driver until the last page is stored."""


def page_cost(drivers: int, *, sites: int, listings: int) -> Cost:
    """CPU of all driver processes, and time, for each page more; in milliseconds."""
    few, many = (crawl_cost(drivers, sites=sites, listings=n) for n in (listings, 3 * listings))
    pages = sites * 2 * listings
    return Cost(*(1000 * (more - less) / pages for less, more in zip(few, many, strict=True)))


def crawl_cost(drivers: int, *, sites: int, listings: int) -> Cost:
    """What so many drivers took to read the sites."""
    with (
        tempfile.TemporaryDirectory() as folder,
        empty_database() as database,
        deployed(Path(folder), database=database, sites=sites, listings=listings) as many,
    ):
        asyncio.run(without_caps(database))
        cpu, began = children_cpu(), time.perf_counter()
        for _ in range(drivers):
            many.driver(drivers)
        many.until_read()
        seconds = time.perf_counter() - began
        check_end(many)
        return Cost(children_cpu() - cpu, seconds)


def check_end(many: Deployment) -> None:
    if any(many.end()) or many.wrong():
        raise RuntimeError(f"the crawl went wrong: {many.wrong()}\n{many.logs()}")


def children_cpu() -> float:
    """Of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
    settings = Settings.model_validate(
        {"database": many.database, "data": many.folder / "larder-data", "parse_workers": 1, "strict": False}
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
        claim = await database.run(claims.claim, worker, under_way={}, room=ROOM, now=now)
        claimed += len({work.lane.site_id for work in claim.work})
    return claimed


def page_costs(rounds: int, *, sites: int, listings: int) -> dict[str, Any]:
    """One driver and two in turn, so many times: medians, and the ratio of each round."""
    costs = [
        {count: page_cost(count, sites=sites, listings=listings) for count in (1, 2)} for _ in range(rounds)
    ]
    cpu = {count: [each[count].cpu for each in costs] for count in (1, 2)}
    took = {count: [each[count].seconds for each in costs] for count in (1, 2)}
    ratios = sorted(two / one for one, two in zip(cpu[1], cpu[2], strict=True))
    return {
        "rounds": rounds,
        "cpu_ms_per_page": {str(count): round(median(each), 2) for count, each in cpu.items()},
        "cpu_ratio": round(median(ratios), 2),
        "cpu_ratios": [round(ratio, 2) for ratio in ratios],
        "pages_per_second": {str(count): round(1000 / median(each), 1) for count, each in took.items()},
    }


def measure(*, rounds: int, sites: int, listings: int, lanes: int) -> dict[str, Any]:
    """Everything; the cost of a page in rounds."""
    return {
        **page_costs(rounds, sites=sites, listings=listings),
        "share_of_time": shares(sites=sites, listings=listings),
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
    parser.add_argument("--listings", type=int, default=60)
    parser.add_argument("--lanes", type=int, default=100_000)
    asked = parser.parse_args()
    found = measure(rounds=asked.rounds, sites=asked.sites, listings=asked.listings, lanes=asked.lanes)
    if asked.write:
        write("scale", found)
    print(json.dumps(found) if asked.json else found)


if __name__ == "__main__":
    main()
