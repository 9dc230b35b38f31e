"""Does work grow with the table? One selection to verify and one batch of rows, beside a thousand records.

    python -m bench.tables [--json] [--write] [--sizes 1000,100000,1000000]

One made-up source on SQLite files with a thousand, a hundred thousand and a million records, measured in
turn: the CPU of a window of 50 records to verify, undone each time, and of committing 90 rows, of which 45
have another price and 5 are new. Then the largest ages by an hour: the rows that this writes are counted.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from sqlalchemy import Connection

from bench import api_dataset
from bench.api_dataset import NOW
from bench.written import write
from larder import adapters
from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.run import RunKind, Trigger
from larder.core.model.source import Kind
from larder.engine.progress.selections import resolve
from larder.engine.scheduling import dispatch
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs.fold import Selection, SelectPages
from larder.stages.persist import PageItems, persist
from larder.store.database import InlineDatabase, inline_database
from larder.store.dataset.record_rows import NewRecordRow
from larder.store.migrations import upgrade
from larder.store.queue import runs, sources
from larder.store.reads.operators.overview import overview

SIZES = (1_000, 100_000, 1_000_000)
ROUNDS = 40
WINDOW, KNOWN, CHANGED, NEW = 50, 85, 45, 5
FADING = NOW + timedelta(hours=20)
"""When about half of the records are to be verified."""
SOURCE = 1


class Undone(Exception):
    """Ends a transaction that is to leave nothing behind."""


@dataclass(slots=True, kw_only=True)
class Table:
    """A dataset of so many records, and what each round cost."""

    database: InlineDatabase
    records: int
    run_id: int = 0
    added: int = 0
    spent: dict[str, list[float]] = field(default_factory=lambda: {"selection": [], "batch": []})

    @classmethod
    def filled(cls, path: Path, records: int) -> "Table":
        """A new file with so many records of one source."""
        database = inline_database(f"sqlite:///{path}")
        database.now(upgrade.create)
        database.now(api_dataset.without_indexes)
        database.now(_declare)
        rows = map(_of_one_source, api_dataset.rows(records))
        while batch := list(islice(rows, api_dataset.BATCH)):
            database.now(api_dataset.keep, batch)
        database.now(api_dataset.settle)
        return cls(database=database, records=records, run_id=database.now(_open_run))

    def select(self) -> None:
        """A window of records to verify; what it wrote is undone."""

        def work(conn: Connection) -> None:
            run, source = runs.load(conn, [self.run_id])[self.run_id], sources.load(conn, [SOURCE])[SOURCE]
            began = time.thread_time()
            found = resolve(conn, SelectPages(what=Selection.CHECKS, limit=WINDOW), run, source, now=FADING)
            self.spent["selection"].append(time.thread_time() - began)
            if found.selected.checks != WINDOW:
                raise RuntimeError(f"{found.selected.checks} records were selected")
            raise Undone

        self._undone(work)

    def pages(self) -> Iterator[list[int]]:
        """The known rows of each page, spread over the table; of a small one some come again."""
        step = self.records // (ROUNDS * KNOWN) or 1
        numbers = cycle(range(0, self.records // KNOWN * KNOWN, step))
        return (list(islice(numbers, KNOWN)) for _ in range(ROUNDS))

    def commit(self, number: int, known: list[int], *, measured: bool) -> None:
        """A page of rows: known ones, some with another price than in the round before, and new ones."""
        rows = [_row(each, number if n < CHANGED else 0) for n, each in enumerate(known)]
        rows += [_row(self.records + self.added + n, number) for n in range(NEW)]
        self.added += NEW
        at = NOW + timedelta(seconds=number)

        def work(conn: Connection) -> None:
            page = PageItems(
                job_id=number, run_id=self.run_id, page_id=number, staged=rows, number=1, discovers=True,
                source=sources.load(conn, [SOURCE])[SOURCE], purpose=Purpose.INDEX, adapter_version="1",
                fetched_at=at,
            )  # fmt: skip
            found = persist(conn, [page], now=at)[number]
            if len(found.new) != NEW:
                raise RuntimeError(f"{len(found.new)} of {NEW} rows were new")

        began = time.thread_time()
        self.database.now(work)
        if measured:
            self.spent["batch"].append(time.thread_time() - began)

    def age(self) -> dict[str, Any]:
        """An hour passes: rows written beside the clock that a tick writes, and whether readers see it."""
        settings = DispatchSettings(
            adapters={each.id: each for each in adapters.known()}, chance=Random(0), strict=False
        )

        def written(now: datetime) -> int:
            before = self.database.now(_total_changes)
            self.database.now(dispatch.tick, settings, now=now)
            return self.database.now(_total_changes) - before

        later = FADING + timedelta(hours=1)
        written(FADING)
        clock = written(FADING + timedelta(minutes=5))
        before = self.database.now(overview, now=FADING).badges
        rows = written(later) - clock
        after = self.database.now(overview, now=later).badges
        return {"records": self.records, "rows_written": rows, "seen": before != after}

    def _undone(self, work: Callable[[Connection], None]) -> None:
        try:
            self.database.now(work)
        except Undone:
            return


def _declare(conn: Connection) -> None:
    values = {"kind": "listing", "adapter": "listing", "url": "https://s0.test/", "visibility": "public"}
    added = sources.add(conn, {"slug": "s0", **values}, now=NOW)
    sources.adopt(conn, added, sources.ensure_site(conn, "s0.test", now=NOW), {}, now=NOW)


def _open_run(conn: Connection) -> int:
    return runs.open_run(
        conn, source_id=SOURCE, kind=RunKind.VERIFICATION, trigger=Trigger.SCHEDULED, adapter="listing",
        adapter_version="1", now=NOW,
    )  # fmt: skip


def _of_one_source(row: NewRecordRow) -> NewRecordRow:
    url = _url(int(row.columns.platform_id or 0))
    return row._replace(
        identity=row.identity._replace(source_id=SOURCE, kind="listing"),
        columns=row.columns._replace(url=url, canonical_url=url),
    )


def _url(number: int) -> str:
    return f"https://s0.test/{number}"


def _row(number: int, price: int) -> Staged:
    """A row of an index page."""
    url = _url(number)
    said = {"platform_id": str(number), "title": f"Home {number}", "url": url, "currency": "EUR"}
    return Staged(
        kind=Kind.LISTING, identity_key=f"PID:{number}", url=url, canonical_url=url,
        fields={**said, "price_minor": 100_000 + price}, strategies={},
    )  # fmt: skip


def _total_changes(conn: Connection) -> int:
    changes: int = conn.connection.driver_connection.total_changes  # type: ignore[union-attr]
    return changes


def measure(sizes: tuple[int, ...]) -> dict[str, Any]:
    """CPU of each act at each size, in rounds that take turns."""
    with tempfile.TemporaryDirectory() as folder:
        tables = [Table.filled(Path(folder) / f"{size}.db", size) for size in sizes]
        for _ in range(ROUNDS):
            for table in tables:
                table.select()
        for measured in (False, True):  # what is read the second time is known with this content
            for number, pages in enumerate(zip(*(table.pages() for table in tables), strict=True), 1):
                for table, known in zip(tables, pages, strict=True):
                    table.commit(ROUNDS * measured + number, known, measured=measured)
        aged = tables[-1].age()
    acts = {
        act: {str(table.records): round(median(table.spent[act]) * 1000, 3) for table in tables}
        for act in tables[0].spent
    }
    return {"rounds": ROUNDS, "ms": acts, "aged": aged}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(tuple(map(int, options.sizes.split(","))))
    if options.write:
        write("tables", found)
    print(json.dumps(found, indent=None if options.json else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
