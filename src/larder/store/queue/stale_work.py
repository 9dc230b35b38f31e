"""Marks jobs as stale that no worker claimed for a day, and requeues them on request.

A job whose `not_before` is in the future (cooldown, pause) is not stale.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from larder.store.database.statement import Statement
from larder.store.tables.columns import micros

MAX_JOBS = 1_000

_MARK = Statement(
    """
    UPDATE jobs SET status = 'stale', updated_at = :now WHERE status = 'pending' AND id IN (
      SELECT id FROM jobs WHERE status = 'pending' AND created_at < :before AND not_before <= :now
      ORDER BY created_at LIMIT :limit
    )
    RETURNING run_id
    """,
    scalar=int,
    args={"now": "int", "before": "int", "limit": "int"},
)

_REQUEUE = Statement(
    """
    UPDATE jobs SET status = 'pending', created_at = :now, claim_order = :now, not_before = :now,
                    updated_at = :now, finished_at = NULL
    WHERE run_id = :run_id AND status = 'stale'
    RETURNING site_id
    """,
    scalar=int,
    args={"now": "int", "run_id": "int"},
)

_OPEN_JOBS = Statement(
    "UPDATE runs SET open_jobs = runs.open_jobs + moved.jobs FROM {rows} AS moved WHERE runs.id = moved.id",
    rows={"id": "int", "jobs": "int"},
)


def mark_stale(conn: Connection, *, before: datetime, now: datetime) -> int:
    """Mark pending jobs created before then as stale; how many."""
    marked = _MARK(conn, before=micros(before), now=micros(now), limit=MAX_JOBS)
    _count(conn, marked, each=-1)
    return len(marked)


def requeue(conn: Connection, run_id: int, *, now: datetime) -> set[int]:
    """Requeue the stale jobs of a run; returns the lanes to wake."""
    requeued = _REQUEUE(conn, run_id=run_id, now=micros(now))
    _count(conn, [run_id] * len(requeued), each=1)
    return set(requeued)


def _count(conn: Connection, run_ids: Iterable[int], *, each: int) -> None:
    _OPEN_JOBS(conn, [(run_id, each * count) for run_id, count in sorted(Counter(run_ids).items())])
