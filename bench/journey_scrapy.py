"""The same job by Scrapy: same pages, same fields, rows into SQLite; says what it cost as one JSON line.

python -m bench.journey_scrapy PORT AT_ONCE FOLDER [shops]

`shops`: pages of real shops (`bench.shop_pages`), which it reads with extruct.
"""

import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import extruct
import scrapy
from scrapy.crawler import CrawlerProcess

from bench.journey_rows import Rows, first_price, offered, told


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


class Shops(scrapy.Spider):
    name = "shops"
    first = ""

    async def start(self) -> Any:
        yield scrapy.Request(self.first)

    def parse(self, response: Any) -> Iterator[Any]:
        for address in response.css("a::attr(href)").getall():
            yield scrapy.Request(response.urljoin(address), callback=self.read)

    def read(self, response: Any) -> Iterator[dict[str, Any]]:
        syntaxes = ["json-ld", "microdata"]
        found = extruct.extract(response.text, base_url=response.url, syntaxes=syntaxes, errors="ignore")
        price = first_price(found)
        if price is not None:
            named = response.css("title::text").get()
            row = {"platform_id": response.url, "url": response.url, "title": named, "price": price}
            yield {**row, "description": json.dumps(found)}


class Kept:
    """The pipeline that writes rows."""

    def open_spider(self) -> None:
        self._rows = Rows(Path(sys.argv[3]))

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        self._rows.add(item)
        return item

    def close_spider(self) -> None:
        written.append(self._rows.close())


written: list[int] = []
"""Rows at the end."""


def settings(at_once: int) -> dict[str, Any]:
    return {
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        "ITEM_PIPELINES": {Kept: 1},
    }


def crawl(port: int, at_once: int, spider: type[scrapy.Spider]) -> None:
    process = CrawlerProcess(settings(at_once))
    crawler = process.create_crawler(spider)
    began, cpu = time.perf_counter(), time.process_time()
    process.crawl(crawler, first=f"http://127.0.0.1:{port}/listings")
    process.start()
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    pages = crawler.stats.get_value("downloader/response_status_count/200", 0) - 1  # robots.txt
    cost = {"pages": pages, "rows": written[0], "seconds": seconds, "cpu": used}
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps(cost | {"rss_kib": size}))


if __name__ == "__main__":
    crawl(int(sys.argv[1]), int(sys.argv[2]), Shops if "shops" in sys.argv else Homes)
