"""The same job by Scrapy: same pages, same fields, rows into SQLite; says what it cost as one JSON line.

python -m bench.journey_scrapy PORT AT_ONCE FOLDER
"""

import json
import resource
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess

COLUMNS = (
    "platform_id", "url", "title", "price", "currency", "availability", "seller", "image",
    "description", "posted_at", "area", "rooms", "street", "postcode", "city", "latitude", "longitude",
)  # fmt: skip
UPSERT = (
    f"INSERT INTO records ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) "
    f"ON CONFLICT (platform_id) DO UPDATE SET {', '.join(f'{c} = excluded.{c}' for c in COLUMNS[1:])}"
)
BATCH = 64


def offered(thing: dict[str, Any]) -> dict[str, Any]:
    offer = thing["offers"]
    return {
        "platform_id": thing["productID"],
        "url": thing["url"],
        "title": thing["name"],
        "price": round(float(offer["price"]) * 100),
        "currency": offer["priceCurrency"],
        "availability": offer["availability"].rsplit("/", 1)[-1],
        "seller": offer["seller"]["name"],
        "image": thing["image"],
    }


def told(thing: dict[str, Any]) -> dict[str, Any]:
    address, place = thing["address"], thing["geo"]
    return {
        **offered(thing),
        "description": thing["description"],
        "posted_at": thing["datePosted"],
        "area": thing["floorSize"]["value"],
        "rooms": thing["numberOfRooms"],
        "street": address["streetAddress"],
        "postcode": address["postalCode"],
        "city": address["addressLocality"],
        "latitude": place["latitude"],
        "longitude": place["longitude"],
    }


class Homes(scrapy.Spider):
    name = "homes"
    first = ""

    async def start(self) -> Any:
        yield scrapy.Request(self.first)

    def parse(self, response: Any) -> Iterator[Any]:
        for element in _data(response)["itemListElement"]:
            row = offered(element["item"])
            yield row
            yield scrapy.Request(row["url"], callback=self.read)
        following = response.css('link[rel="next"]::attr(href)').get()
        if following:
            yield scrapy.Request(following, callback=self.parse, priority=-1)

    def read(self, response: Any) -> Iterator[dict[str, Any]]:
        yield told(_data(response))


def _data(response: Any) -> Any:
    return json.loads(response.css('script[type="application/ld+json"]::text').get())


class Rows:
    """Rows into SQLite, so many to a transaction."""

    def open_spider(self) -> None:
        self._conn = sqlite3.connect(Path(sys.argv[3]) / "rows.db")
        self._conn.execute("PRAGMA journal_mode = WAL")
        self._conn.execute("PRAGMA synchronous = NORMAL")
        self._conn.execute(f"CREATE TABLE records ({', '.join(COLUMNS)}, UNIQUE (platform_id))")
        self._waiting: list[tuple[Any, ...]] = []

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        self._waiting.append(tuple(item.get(column) for column in COLUMNS))
        if len(self._waiting) >= BATCH:
            self._flush()
        return item

    def close_spider(self) -> None:
        self._flush()
        self._conn.close()

    def _flush(self) -> None:
        with self._conn:
            self._conn.executemany(UPSERT, self._waiting)
        self._waiting.clear()


def settings(at_once: int) -> dict[str, Any]:
    return {
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        "ITEM_PIPELINES": {Rows: 1},
    }


def crawl(port: int, at_once: int, folder: Path) -> None:
    process = CrawlerProcess(settings(at_once))
    crawler = process.create_crawler(Homes)
    began, cpu = time.perf_counter(), time.process_time()
    process.crawl(crawler, first=f"http://127.0.0.1:{port}/listings")
    process.start()
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    pages = crawler.stats.get_value("downloader/response_status_count/200", 0) - 1  # robots.txt
    with sqlite3.connect(folder / "rows.db") as conn:
        rows = conn.execute("SELECT count(*) FROM records WHERE description IS NOT NULL").fetchone()[0]
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"pages": pages, "rows": rows, "seconds": seconds, "cpu": used, "rss_kib": size}))


if __name__ == "__main__":
    crawl(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
