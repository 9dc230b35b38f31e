"""The same job by Crawlee: same pages, same fields, rows into SQLite; says what it cost as one JSON line.

python -m bench.journey_crawlee PORT AT_ONCE FOLDER

Its lists of requests stay in memory, and so many requests run at once from the start.
"""

import asyncio
import json
import logging
import resource
import sys
import time
from pathlib import Path
from typing import Any

import uvloop
from crawlee import ConcurrencySettings, Request
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from bench.journey_rows import Rows, offered, told


def crawler(at_once: int, rows: Rows) -> ParselCrawler:
    """Reads the index, and every page that it names."""
    made = ParselCrawler(
        storage_client=MemoryStorageClient(),
        respect_robots_txt_file=True,
        concurrency_settings=ConcurrencySettings(at_once, at_once, desired_concurrency=at_once),
        use_session_pool=False,
        configure_logging=False,
    )

    @made.router.default_handler
    async def index(context: ParselCrawlingContext) -> None:
        items = [each["item"] for each in _data(context)["itemListElement"]]
        for item in items:
            rows.add(offered(item))
        await context.add_requests([Request.from_url(item["url"], label="own") for item in items])
        if following := context.selector.css('link[rel="next"]::attr(href)').get():
            await context.add_requests([following])

    @made.router.handler("own")
    async def own(context: ParselCrawlingContext) -> None:
        rows.add(told(_data(context)))

    return made


def _data(context: ParselCrawlingContext) -> Any:
    return json.loads(context.selector.css('script[type="application/ld+json"]::text').get() or "")


async def crawl(port: int, at_once: int, folder: Path) -> None:
    rows = Rows(folder)
    crawls = crawler(at_once, rows)
    began, cpu = time.perf_counter(), time.process_time()
    finished = await crawls.run([f"http://127.0.0.1:{port}/listings"])
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    cost = {"pages": finished.requests_finished, "rows": rows.close(), "seconds": seconds, "cpu": used}
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps(cost | {"rss_kib": size}))


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # this site asks for no delay
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(crawl(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
