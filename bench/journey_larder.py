"""One discovery by Larder on embedded SQLite, as a process of its own; says what it cost as one JSON line.

python -m bench.journey_larder PORT AT_ONCE FOLDER [shops] [DATABASE_URL]

`shops`: pages of real shops (`bench.shop_pages`). Without a URL it is SQLite in the folder.
"""

import json
import re
import resource
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from urllib.request import urlopen

import uvloop
from sqlalchemy import Connection, text

from bench.many_sites import cpu_seconds
from larder.app import open_app
from larder.cli.common.garbage import collect_seldom
from larder.settings import Settings
from larder.store.queue import sources
from larder.store.tables import targets
from tests.proofs.plans import listings_of, only_discovery


def declare(conn: Connection, host: str, at_once: int, now: datetime) -> None:
    manners = {"local": 1, "spacing_ms": 0, "at_once": at_once}
    sources.ensure_site(conn, host.partition(":")[0], manners, now=now)
    only_discovery(conn, listings_of("homes") | {"url": f"http://{host}/listings"}, now=now)


def counted(conn: Connection) -> tuple[int, int]:
    pages = conn.execute(text("SELECT count(*) FROM pages WHERE outcome = 'ok'")).scalar_one()
    read = "last_scraped_at IS NOT NULL AND price_minor IS NOT NULL"
    rows = conn.execute(text(f"SELECT count(*) FROM records WHERE {read}")).scalar_one()
    return pages, rows


def declare_shops(conn: Connection, host: str, at_once: int, now: datetime) -> None:
    """A source that watches all pages that the site names."""
    base = f"http://{host}"
    with urlopen(f"{base}/listings") as named:
        urls = [base + path for path in re.findall(r'href="(/p/[^"]+)', named.read().decode())]
    manners = {"local": 1, "spacing_ms": 0, "at_once": at_once}
    site = sources.ensure_site(conn, host.partition(":")[0], manners, now=now)
    row = {"slug": "shops", "kind": "product", "adapter": "product", "plan": "monitor", "url": f"{base}/"}
    source = sources.add(conn, row, now=now)
    sources.adopt(conn, source, site, {"monitor": now}, now=now)
    watched = [{"source_id": source, "url": url, "canonical_url": url} for url in urls]
    conn.execute(targets.insert(), watched)


async def crawl(port: int, at_once: int, folder: Path, more: Sequence[str]) -> None:
    urls = [each for each in more if "://" in each]
    chosen = {"database": urls[0]} if urls else {}
    declares = declare_shops if "shops" in more else declare
    settings = Settings(**{"data": folder, "strict": False, "stagger_seconds": 0, **chosen})
    async with open_app(settings, upgrade=True) as app:
        await app.run(declares, f"127.0.0.1:{port}", at_once, app.clock.now())
        async with app.driver() as driver:
            began, cpu = time.perf_counter(), cpu_seconds(frozenset())
            await driver.run(idle_ends=True)
            seconds, used = time.perf_counter() - began, cpu_seconds(frozenset()) - cpu
        pages, rows = await app.run(counted)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"pages": pages, "rows": rows, "seconds": seconds, "cpu": used, "rss_kib": size}))


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    uvloop.run(crawl(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]))
