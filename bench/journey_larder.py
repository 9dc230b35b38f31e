"""One discovery by Larder on embedded SQLite, as a process of its own; says what it cost as one JSON line.

python -m bench.journey_larder PORT AT_ONCE FOLDER
"""

import gc
import json
import resource
import sys
import time
from datetime import datetime
from pathlib import Path

import uvloop
from sqlalchemy import Connection, text

from bench.many_sites import cpu_seconds
from larder.app import open_app
from larder.cli import GC_THRESHOLDS
from larder.settings import Settings
from larder.store.queue import sources
from tests.proofs.plans import listings_of, only_discovery


def declare(conn: Connection, host: str, at_once: int, now: datetime) -> None:
    manners = {"local": 1, "spacing_ms": 0, "at_once": at_once}
    sources.ensure_site(conn, host.partition(":")[0], manners, now=now)
    only_discovery(conn, listings_of("homes") | {"url": f"http://{host}/listings"}, now=now)


def counted(conn: Connection) -> tuple[int, int]:
    pages = conn.execute(text("SELECT count(*) FROM pages WHERE outcome = 'ok'")).scalar_one()
    rows = conn.execute(text("SELECT count(*) FROM records WHERE last_scraped_at IS NOT NULL")).scalar_one()
    return pages, rows


async def crawl(port: int, at_once: int, folder: Path) -> None:
    settings = Settings(data=folder, strict=False, stagger_seconds=0)
    async with open_app(settings, upgrade=True) as app:
        await app.run(declare, f"127.0.0.1:{port}", at_once, app.clock.now())
        async with app.driver() as driver:
            began, cpu = time.perf_counter(), cpu_seconds(frozenset())
            await driver.run(idle_ends=True)
            seconds, used = time.perf_counter() - began, cpu_seconds(frozenset()) - cpu
        pages, rows = await app.run(counted)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"pages": pages, "rows": rows, "seconds": seconds, "cpu": used, "rss_kib": size}))


if __name__ == "__main__":
    gc.set_threshold(*GC_THRESHOLDS)  # as the command line does
    uvloop.run(crawl(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
