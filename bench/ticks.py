"""Does a tick grow with the targets that are not due? A million of them beside ten thousand, on SQLite.

    python -m bench.ticks [--json] [--write] [--targets 1000000]

One source watches so many pages, of which ten, then ten thousand are due: the tick opens its run and claims
the first window. Measured is the CPU of the tick's unit of work, undone each time, in rounds that take turns.
"""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from sqlalchemy import Connection, text

from bench.api_dataset import NOW
from bench.written import write
from larder import adapters
from larder.engine.scheduling import dispatch
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import InlineDatabase, inline_database
from larder.store.migrations import upgrade
from larder.store.queue import sources
from larder.store.tables.columns import micros

FEW, MANY = 10_000, 1_000_000
DUE = (10, 10_000)
ROUNDS = 30
FILL = """
INSERT INTO targets (source_id, url, canonical_url, enabled, priority, next_due_at, created_at, updated_at)
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
SELECT :source, 'https://shop.test/' || n, 'https://shop.test/' || n, 1, n % 3, :later + n, :now, :now
FROM numbers
"""
MAKE_DUE = "UPDATE targets SET next_due_at = :now - id WHERE id % :each = 0"


class Undone(Exception):
    """Ends a transaction that is to leave nothing behind."""


@dataclass(slots=True, kw_only=True)
class Watch:
    """A source with so many targets, and what each tick cost."""

    database: InlineDatabase
    targets: int
    due: int
    settings: DispatchSettings = field(
        default_factory=lambda: DispatchSettings(
            adapters={each.id: each for each in adapters.known()}, chance=Random(0), strict=False
        )
    )
    spent: list[float] = field(default_factory=list)

    @classmethod
    def filled(cls, path: Path, targets: int, due: int) -> "Watch":
        database = inline_database(f"sqlite:///{path}")
        database.now(upgrade.create)
        database.now(_declare, targets, due)
        return cls(database=database, targets=targets, due=due)

    def tick(self) -> None:
        def work(conn: Connection) -> None:
            began = time.thread_time()
            done = dispatch.tick(conn, self.settings, now=NOW + timedelta(minutes=2))
            self.spent.append(time.thread_time() - began)
            if len(done.opened) != 1:
                raise RuntimeError(f"{len(done.opened)} runs were opened: {done.held_back}")
            raise Undone

        try:
            self.database.now(work)
        except Undone:
            return


def _declare(conn: Connection, targets: int, due: int) -> None:
    values = {"kind": "product", "adapter": "product", "plan": "monitor", "url": "https://shop.test/"}
    added = sources.add(conn, {"slug": "shop", **values}, now=NOW)
    site = sources.ensure_site(conn, "shop.test", now=NOW)
    sources.adopt(conn, added, site, {"monitor": NOW + timedelta(minutes=1)}, now=NOW)
    now, later = micros(NOW), micros(NOW + timedelta(hours=5))
    conn.execute(text(FILL), {"count": targets, "source": added, "later": later, "now": now})
    conn.execute(text(MAKE_DUE), {"now": now, "each": targets // due})
    conn.execute(text("ANALYZE"))


def measure(many: int) -> dict[str, Any]:
    """CPU of a tick with few and with many targets, for each number of due ones."""
    found = {}
    for due in DUE:
        with tempfile.TemporaryDirectory() as folder:
            watched = [Watch.filled(Path(folder) / f"{count}.db", count, due) for count in (FEW, many)]
            for _ in range(ROUNDS):
                for watch in watched:
                    watch.tick()
        found[str(due)] = {str(watch.targets): round(median(watch.spent) * 1000, 3) for watch in watched}
    return {"rounds": ROUNDS, "ms_by_due": found}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=MANY)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(options.targets)
    if options.write:
        write("ticks", found)
    print(json.dumps(found, indent=None if options.json else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
