"""Deletes rows past their retention, and lists maintenance statements.

Rows are walked by id, one batch per unit of work; ids grow with time, so a walk ends at recent rows. Jobs
needed by a dead letter, an item in quarantine or an open run are kept, however old.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, exists, func, select

from larder.store.database.statement import Statement
from larder.store.tables import changes, dead_letters, errors, items, jobs, metadata, quarantine, runs
from larder.store.tables.columns import micros

BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """One batch: the number of deleted rows, and the last id read (None: the walk is complete)."""

    deleted: int = 0
    looked_to: int | None = None


BatchDelete = Callable[..., BatchResult]
"""`walk(conn, before=…, after=…)`."""


def delete_old_jobs(conn: Connection, *, before: datetime, after: int = 0, limit: int = BATCH) -> BatchResult:
    """Delete jobs that ended before then, with their items."""
    looked = _old(
        conn,
        jobs,
        func.coalesce(jobs.c.finished_at, jobs.c.updated_at),
        before=before,
        after=after,
        limit=limit,
    )
    over = jobs.c.status.in_(("done", "stale", "dead"))
    gone = delete(jobs).where(jobs.c.id.in_(looked), over, ~_job_is_needed()).returning(jobs.c.id)
    ids = list(conn.scalars(gone)) if looked else []
    if ids:
        conn.execute(delete(items).where(items.c.job_id.in_(ids)))
    return BatchResult(deleted=len(ids), looked_to=looked[-1] if looked else None)


def _job_is_needed() -> ColumnElement[bool]:
    letters = select(dead_letters.c.job_id).where(dead_letters.c.status.in_(("pending", "retrying")))
    set_aside = select(quarantine.c.job_id).where(quarantine.c.status == "pending")
    return (
        jobs.c.id.in_(letters.where(dead_letters.c.job_id.is_not(None)))
        | jobs.c.id.in_(set_aside.where(quarantine.c.job_id.is_not(None)))
        | exists().where(runs.c.id == jobs.c.run_id, runs.c.status.in_(("running", "paused")))
    )


def delete_old_errors(
    conn: Connection, *, before: datetime, after: int = 0, limit: int = BATCH
) -> BatchResult:
    """Delete errors of before then."""
    return _expire(conn, errors, _old(conn, errors, errors.c.at, before=before, after=after, limit=limit))


def delete_old_dead_letters(
    conn: Connection, *, before: datetime, after: int = 0, limit: int = BATCH
) -> BatchResult:
    """Delete dead letters that were decided before then."""
    closed_at = func.coalesce(dead_letters.c.resolved_at, dead_letters.c.created_at)
    looked = _old(conn, dead_letters, closed_at, before=before, after=after, limit=limit)
    return _expire(conn, dead_letters, looked, dead_letters.c.status.in_(("resolved", "discarded")))


def delete_old_changes(
    conn: Connection, *, before: datetime, after: int = 0, limit: int = BATCH
) -> BatchResult:
    """Delete changes made before then."""
    return _expire(conn, changes, _old(conn, changes, changes.c.at, before=before, after=after, limit=limit))


def _old(
    conn: Connection, table: Table, at: ColumnElement[Any], *, before: datetime, after: int, limit: int
) -> list[int]:
    """The expired among the next rows; the walk is complete if there are none."""
    column = (at >= before).label("young")
    rows = conn.execute(
        select(table.c.id, column).where(table.c.id > after).order_by(table.c.id).limit(limit)
    )
    return [row.id for row in rows if not row.young]


def _expire(conn: Connection, table: Table, looked: list[int], *free: ColumnElement[bool]) -> BatchResult:
    if not looked:
        return BatchResult()
    deleted = conn.execute(delete(table).where(table.c.id.in_(looked), *free)).rowcount
    return BatchResult(deleted=deleted, looked_to=looked[-1])


# -- one at a time -----------------------------------------------------------------------------------------

_CLAIM = Statement(
    """
    INSERT INTO facts (name, value, updated_at) SELECT name, NULL, :now FROM {rows} AS claimed WHERE true
    ON CONFLICT (name) DO UPDATE SET updated_at = excluded.updated_at WHERE facts.updated_at < :since
    RETURNING name
    """,
    scalar=str,
    rows={"name": "text"},
    args={"now": "int", "since": "int"},
)
_GIVE_BACK = Statement(
    "UPDATE facts SET updated_at = 0 FROM {rows} AS given WHERE facts.name = given.name",
    rows={"name": "text"},
)


def claim(conn: Connection, name: str, *, since: datetime, now: datetime) -> bool:
    """Claim a task that runs once since then; False if it is claimed or done."""
    return bool(_CLAIM(conn, [(name,)], now=micros(now), since=micros(since)))


def release(conn: Connection, name: str) -> None:
    """Release a claimed task that was not done."""
    _GIVE_BACK(conn, [(name,)])


# -- quick -------------------------------------------------------------------------------------------------


def maintenance_statements(conn: Connection) -> list[str]:
    """Maintenance statements for this database, each a unit of work.

    SQLite gets no statistics: taken while a table is small, they make it scan that table later. Without
    them it assumes large tables and uses the indexes that our statements are written for.
    """
    if conn.dialect.name == "sqlite":
        return ["PRAGMA incremental_vacuum"]
    return [f"ANALYZE {table.name}" for table in metadata.sorted_tables]


def run_statement(conn: Connection, statement: str) -> None:
    """Run one clean-up statement."""
    conn.exec_driver_sql(statement)
