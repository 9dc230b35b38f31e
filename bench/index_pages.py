"""What an index page of 90 rows costs to commit, beside a bare batch upsert of the same rows.

    python -m bench.index_pages [--json] [--write] [--listings 5400] [--hours 12]

A made-up classifieds site is read whole every hour, in virtual time, with the real driver and store on a
SQLite file; a few rows move, change their price, appear and vanish. Measured is the CPU of the unit of work
that commits a page: its sightings, prices, versions and changes, its job, and its run's next step. The peer
writes the same rows by one `INSERT … ON CONFLICT DO UPDATE` a page, in a transaction of its own, in turn.
"""

import argparse
import json
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from bench.written import write
from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.run import RunKind
from larder.engine.commit.batch import commit_batch
from larder.engine.work_items import ProcessedPage
from larder.sim.benchmark.market_site import NAME, MarketRules, market
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store import json_safe
from larder.store.database import InlineDatabase, inline_database

START = datetime(2026, 3, 2, tzinfo=UTC)
COLUMNS = ("identity_key", "url", "title", "price_minor", "currency", "seller", "content", "last_seen_at")
UPSERT = (
    f"INSERT INTO records ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) "
    f"ON CONFLICT (identity_key) DO UPDATE SET {', '.join(f'{c} = excluded.{c}' for c in COLUMNS[1:])}"
)
EVERY = timedelta(hours=1)


class BareUpsert:
    """The rows of a page into one table, by one statement."""

    def __init__(self, path: Path) -> None:
        self._conn = sqlite3.connect(path, isolation_level=None)
        self._conn.execute("PRAGMA journal_mode = WAL")
        self._conn.execute("PRAGMA synchronous = NORMAL")
        self._conn.execute(f"CREATE TABLE records ({', '.join(COLUMNS)}, UNIQUE (identity_key))")

    def write(self, rows: Sequence[Staged], at: datetime) -> None:
        stamp = at.timestamp()
        values = [_values(row, stamp) for row in rows]
        self._conn.execute("BEGIN IMMEDIATE")
        self._conn.executemany(UPSERT, values)
        self._conn.execute("COMMIT")


def _values(row: Staged, stamp: float) -> tuple[Any, ...]:
    said, content = row.fields, json_safe.dumps(row.fields).decode()
    facts = (said.get("price_minor"), said.get("currency"), said.get("seller"))
    return (row.identity_key, row.url, said["title"], *facts, content, stamp)


@dataclass
class MeasuredDatabase:
    """A database that measures the commits of index pages, and the same rows in a bare upsert."""

    database: InlineDatabase
    bare: BareUpsert
    ours: list[float] = field(default_factory=list)
    """CPU seconds a row, page by page."""
    peer: list[float] = field(default_factory=list)
    rows: int = 0
    measures: bool = False

    async def run(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        if work is not commit_batch or not self.measures or not _is_index(pages := args[1]):
            return self.database.now(work, *args, **kwargs)
        rows = [staged for page in pages for staged in page.staged]
        began = time.process_time()
        done = self.database.now(work, *args, **kwargs)
        ours = time.process_time()
        self.bare.write(rows, kwargs["now"])
        self.ours.append((ours - began) / len(rows))
        self.peer.append((time.process_time() - ours) / len(rows))
        self.rows += len(rows)
        return done

    read = run

    def now(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self.database.now(work, *args, **kwargs)


def _is_index(pages: Sequence[ProcessedPage]) -> bool:
    return all(page.work.job.request.purpose is Purpose.INDEX and page.staged for page in pages)


def measure(listings: int, hours: int) -> dict[str, Any]:
    """Read the site every hour; the first two days are not measured."""
    ends = START + timedelta(days=2, hours=hours)
    rules = MarketRules(listings=listings, arrivals_per_day=listings / 22.5, outages=False, blocked=0)
    site = market(rules, seed=1, start=START, until=ends)
    with tempfile.TemporaryDirectory() as folder:
        database: Any = MeasuredDatabase(
            database=inline_database(f"sqlite:///{folder}/larder.db"),
            bare=BareUpsert(Path(folder) / "bare.db"),
        )
        kinds = frozenset({RunKind.DISCOVERY, RunKind.SWEEP})
        larder = VirtualLarder(SimWeb.of([site]), start=START, database=database, kinds=kinds)
        larder.add_source(
            slug="market", kind="listing", url=f"http://{NAME}/listings", adapter="listing", currency="EUR",
            policy={"sweep_every": EVERY.total_seconds()}, params={"sweep_pages": 10_000, "sweep_details": 0},
        )  # fmt: skip
        larder.run(ends - timedelta(hours=hours))
        database.measures = True
        larder.run(ends)
    return verdict(database)


def verdict(measured: MeasuredDatabase) -> dict[str, Any]:
    """Medians over pages, in µs of CPU a row, and ratios of page and upsert next to each other."""
    ratios = sorted(b / a for a, b in zip(measured.ours, measured.peer, strict=True))
    tenth = len(ratios) // 10
    return {
        "pages": len(measured.ours),
        "rows_a_page": round(measured.rows / len(measured.ours)),
        "larder_us_a_row": round(median(measured.ours) * 1e6, 2),
        "bare_us_a_row": round(median(measured.peer) * 1e6, 2),
        "ratio": round(sum(measured.peer) / sum(measured.ours), 3),
        "spread": [round(ratios[tenth], 3), round(ratios[-1 - tenth], 3)],
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listings", type=int, default=5_400)
    parser.add_argument("--hours", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(options.listings, options.hours)
    if options.write:
        write("index_pages", found)
    print(json.dumps(found, indent=2) if options.json else found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
