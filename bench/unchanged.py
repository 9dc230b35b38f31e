"""What does a watched page cost that has not changed? A 304, then the same body, beside a changed page.

    python -m bench.unchanged [--json] [--write] [--bytes 50000]

The real driver and store on SQLite in virtual time watch 200 pages, each once an hour: one source whose pages
have another price each time, one whose pages are sent again as they were, one whose server answers 304. What
is measured is the CPU of everything but the network: claim, storing, parsing, commit and the run.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from bench.homes import START, surrounded
from bench.written import write
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.engine.work_items import NO_WAIT, BatchWait, FetchedWork, Work
from larder.sim.virtual import SimWeb, VirtualFetchTasks, VirtualLarder
from larder.store.database import inline_database
from larder.store.pages.blobs import content_hash
from larder.store.queue import sources
from larder.store.tables import targets

PAGES = 200
ROUNDS = 7
AT_ONCE = 32
LIMITS = {"spacing_ms": 0, "at_once": AT_ONCE}
HOUR = timedelta(hours=1)
PAGE = """<!doctype html><html lang="en"><head><title>A shop</title></head><body>@body@</body></html>"""
BODY = """<h1>Lamp {n}</h1>
<p class="price">€ {price}.00</p><script type="application/ld+json">{{"@context": "https://schema.org",
"@type": "Product", "sku": "L-{n}", "name": "Lamp {n}", "offers": {{"@type": "Offer", "price": "{price}.00",
"priceCurrency": "EUR", "availability": "https://schema.org/InStock"}}}}</script>"""
Answer = Callable[[str, int, int], tuple[int, bytes]]
"""From a page's number, the round and the size of a page: status and body."""


def changed(number: str, turn: int, size: int) -> tuple[int, bytes]:
    return 200, _around(size).replace(b"@body@", BODY.format(n=number, price=20 + turn).encode())


@cache
def _around(size: int) -> bytes:
    return surrounded(PAGE.encode(), size)


def same(number: str, turn: int, size: int) -> tuple[int, bytes]:  # noqa: ARG001 - whenever it is asked
    return changed(number, 0, size)


def not_modified(number: str, turn: int, size: int) -> tuple[int, bytes]:
    return (304, b"") if turn else changed(number, 0, size)


KINDS: dict[str, Answer] = {"changed": changed, "same_body": same, "not_modified": not_modified}


class BatchedFetchTasks(VirtualFetchTasks):
    """Pages that come in at once are handed over together, as from a fast site."""

    async def wait_finished(self, until: datetime, wait: BatchWait = NO_WAIT) -> Sequence[FetchedWork]:
        found = list(await super().wait_finished(until, wait))
        while found and len(found) < AT_ONCE and (more := await super().wait_finished(self.clock.now())):
            found += more
        return found


class Shop:
    """A Larder that watches the pages of one site."""

    def __init__(self, answer: Answer, size: int, folder: Path, pages: int = PAGES) -> None:
        self._answer, self._size = answer, size
        self._looks: Counter[str] = Counter()
        database = inline_database(f"sqlite:///{folder}/larder.db")
        kinds = frozenset({RunKind.MONITOR})
        self.larder = VirtualLarder(
            SimWeb.of([]), start=START, database=database, kinds=kinds, tick_every=HOUR
        )
        tasks = BatchedFetchTasks(clock=self.larder.clock, answer=self._fetched, latency=timedelta(0))
        self.larder.driver.fetch_tasks = self.larder.fetch_tasks = tasks
        site = database.now(
            sources.ensure_site, "shop.test", {"spacing_ms": 0, "at_once": AT_ONCE}, now=START
        )
        values = {"kind": "product", "adapter": "product", "plan": "monitor", "url": "http://shop.test/"}
        source = self.larder.add_source(slug="shop", site_id=site, **values)
        watched = [
            {
                "source_id": source, "url": f"http://shop.test/{n}", "canonical_url": f"http://shop.test/{n}",
                "interval_s": 3000,
            }
            for n in range(pages)
        ]  # fmt: skip
        database.now(lambda conn: conn.execute(targets.insert(), watched))

    def _fetched(self, work: Work, at: datetime) -> Fetched:
        url = work.job.request.url
        number = url.rpartition("/")[2]
        status, body = self._answer(number, self._looks[number], self._size)
        self._looks[number] += 1
        last = work.last
        return Fetched(
            outcome=FetchOutcome.OK if status == 200 else FetchOutcome.NOT_MODIFIED,
            url=url, final_url=url, fetched_at=at, status=status, body=body, headers={"etag": '"1"'},
            content_hash=content_hash(body) if body else last.content_hash if last else None,
        )  # fmt: skip

    @property
    def pages(self) -> int:
        """Pages looked at so far."""
        return self.larder.driver.totals.pages

    def step(self, span: timedelta = HOUR) -> None:
        """Let time pass."""
        self.larder.run(self.larder.clock.now() + span)

    def hour(self) -> float:
        """CPU seconds a page of one look at each."""
        before, began = self.pages, time.process_time()
        self.step()
        spent, pages = time.process_time() - began, self.pages - before
        if pages < PAGES:  # pages that change are looked at more often
            raise RuntimeError(f"{pages} of {PAGES} pages were looked at")
        return spent / pages


def measure(size: int) -> dict[str, Any]:
    """CPU of a page of each kind, in rounds that take turns; the first look is not counted."""
    spent: dict[str, list[float]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory() as name:
        shops = {}
        for kind, answer in KINDS.items():
            folder = Path(name) / kind
            folder.mkdir()
            shops[kind] = Shop(answer, size, folder)
            shops[kind].hour()
        for _ in range(ROUNDS):
            for kind, shop in shops.items():
                spent[kind].append(shop.hour())
    ms = {kind: round(median(times) * 1000, 3) for kind, times in spent.items()}
    ratios = {
        kind: sorted(a / b for a, b in zip(spent["changed"], spent[kind], strict=True))
        for kind in KINDS
        if kind != "changed"
    }
    return {
        "rounds": ROUNDS,
        "bytes": size,
        "ms": ms,
        "ratio": {kind: round(median(each), 2) for kind, each in ratios.items()},
        "spread": {kind: [round(each[0], 2), round(each[-1], 2)] for kind, each in ratios.items()},
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=50_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(options.bytes)
    if options.write:
        write("unchanged", found)
    print(json.dumps(found, indent=None if options.json else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
