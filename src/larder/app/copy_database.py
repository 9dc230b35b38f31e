"""Moves a deployment's data from one database to another, and checks that all of it arrived."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from larder.core.errors import Unusable
from larder.store import search
from larder.store.database import Database
from larder.store.migrations import copy_tables

ProgressListener = Callable[[str, int, int], None]
"""Called after each batch with the table, its rows in the target, and the rows to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedDatabase:
    """Rows by table, as counted in both databases."""

    tables: dict[str, int]

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(self.tables.values())


async def copy_database(
    source: Database, target: Database, *, now: datetime, tell: ProgressListener
) -> CopiedDatabase:
    """Copy every table, build the search index, compare the counts; an interrupted copy continues."""
    await target.run(copy_tables.prepare_target)
    for name in copy_tables.table_names():
        await _copy_table(source, target, name, now=now, tell=tell)
    counts = await _compare(source, target)
    await _build_index(target, tell)
    await target.run(copy_tables.finish)
    return CopiedDatabase(tables=counts)


async def _copy_table(
    source: Database, target: Database, name: str, *, now: datetime, tell: ProgressListener
) -> None:
    total = await source.read(copy_tables.count_rows, name)
    after = await target.read(copy_tables.copied_to, name)
    done = await target.read(copy_tables.count_rows, name)
    while rows := await source.read(copy_tables.read_batch, name, after):
        await target.run(copy_tables.write_batch, name, rows, now=now)
        after = await target.read(copy_tables.copied_to, name)
        done += len(rows)
        tell(name, done, total)


async def _build_index(target: Database, tell: ProgressListener) -> None:
    total = await target.read(copy_tables.count_rows, "records")
    done, after = 0, 0
    while batch := await target.run(search.reindex, after):
        done, after = done + len(batch), batch[-1]
        tell("search index", done, total)


async def _compare(source: Database, target: Database) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in copy_tables.table_names():
        source_rows = await source.read(copy_tables.count_rows, name)
        target_rows = await target.read(copy_tables.count_rows, name)
        if source_rows != target_rows:
            raise Unusable(
                f"table {name} has {source_rows} rows, its copy has {target_rows}",
                hint="something wrote to one of them meanwhile: stop it, empty the target, copy again",
            )
        counts[name] = source_rows
    return counts
