"""Counts behind condition alerts; the cost of each is bounded, whatever the size of the tables."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement
from larder.store.tables.columns import micros


class RecentDeadLetter(NamedTuple):
    """Where and why a job failed."""

    stage: str
    type: str
    created_at: int


_NEWEST = Statement(
    "SELECT stage, type, created_at FROM dead_letters ORDER BY id DESC LIMIT :limit",
    row=RecentDeadLetter,
    args={"limit": "int"},
)
_NTH_NEWEST = Statement(
    "SELECT created_at FROM dead_letters ORDER BY id DESC LIMIT 1 OFFSET :past",
    scalar=int,
    args={"past": "int"},
)
_STALE = Statement(
    """
    SELECT count(*) FROM (
      SELECT 1 FROM jobs WHERE finished_at IS NULL AND status = 'stale' AND updated_at > :since LIMIT :limit
    ) AS waiting
    """,
    scalar=int,
    args={"since": "int", "limit": "int"},
)


def list_recent_dead_letters(
    conn: Connection, *, since: datetime, more_than: int, limit: int
) -> list[RecentDeadLetter]:
    """The newest dead letters written after `since`, if there are more than `more_than`; else none."""
    found = _NTH_NEWEST(conn, past=more_than)
    if not found or found[0] <= micros(since):
        return []
    return [row for row in _NEWEST(conn, limit=limit) if row.created_at > micros(since)]


def count_stale_jobs(conn: Connection, *, since: datetime, limit: int) -> int:
    """Open jobs that were marked stale after `since`; counts up to `limit`."""
    return _STALE(conn, since=micros(since), limit=limit)[0]
