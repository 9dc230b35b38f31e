"""Finds work that stands still: jobs that no worker claimed for a day, runs without a heartbeat.

Such jobs are marked as stale, and requeued on request. A job whose `not_before` is in the future (cooldown,
pause) is not stale.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

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


class StalledRun(NamedTuple):
    """A running run without progress."""

    id: int
    source_id: int
    kind: str


_STALLED = Statement(
    """
    SELECT id, source_id, kind FROM runs
    WHERE status = 'running'
      AND source_id IS NOT NULL -- a scout continues from its checkpoint, however late
      AND heartbeat_at < :silent_since AND (parked_until IS NULL OR parked_until < :silent_since)
      AND NOT EXISTS (
        SELECT 1 FROM jobs LEFT JOIN lanes ON lanes.site_id = jobs.site_id AND lanes.lease_until > :now
        WHERE jobs.run_id = runs.id
          AND (jobs.status = 'pending' OR jobs.status = 'running' AND lanes.site_id IS NULL)
      )
    LIMIT 100
    """,
    row=StalledRun,
    args={"silent_since": "int", "now": "int"},
)


def list_stalled(conn: Connection, *, silent_since: datetime, now: datetime) -> list[StalledRun]:
    """Running runs without a heartbeat since then that are not parked and have no job in the queue.

    A running job on a lane without a lease counts as queued: the next lease releases it.
    """
    return _STALLED(conn, silent_since=micros(silent_since), now=micros(now))


_ASLEEP = Statement(
    """
    SELECT DISTINCT lanes.site_id FROM runs
    JOIN jobs ON jobs.run_id = runs.id AND jobs.status IN ('pending', 'running')
    JOIN lanes ON lanes.site_id = jobs.site_id AND lanes.next_at IS NULL
    WHERE runs.status = 'running' AND runs.heartbeat_at < :silent_since
    """,
    scalar=int,
    args={"silent_since": "int"},
)


def list_sleeping_lanes(conn: Connection, *, silent_since: datetime) -> list[int]:
    """Lanes without a `next_at` that have open jobs of a silent run. There should be none."""
    return _ASLEEP(conn, silent_since=micros(silent_since))
