"""The jobs of a lane that are ready, in claim order, and when the next one will be."""

from collections.abc import Callable, Mapping
from datetime import datetime

from sqlalchemy import Connection

from larder.core.model.job import Job
from larder.store.database.statement import Statement
from larder.store.queue.job_rows import ReadyJob, job_from_row
from larder.store.tables.columns import micros, moment_or_none

NextJobs = Callable[[int, int], list[Job]]
"""Given a lane and a limit: its next jobs in claim order."""

_READY = Statement(
    """
    SELECT id, run_id, source_id, site_id, purpose, url, number, context, stage, attempts, page_id,
           interruptions, error
    FROM jobs
    WHERE site_id = :site_id AND status = 'pending' AND not_before <= :now
    ORDER BY claim_order, id LIMIT :limit
    """,
    row=ReadyJob,
    args={"site_id": "int", "now": "int", "limit": "int"},
)

_READY_OF_MANY = Statement(
    """
    SELECT ready.* FROM {rows} AS lane CROSS JOIN LATERAL (
      SELECT id, run_id, source_id, site_id, purpose, url, number, context, stage, attempts, page_id,
             interruptions, error
      FROM jobs
      WHERE site_id = lane.site_id AND status = 'pending' AND not_before <= :now
      ORDER BY claim_order, id LIMIT lane.most) AS ready
    """,
    row=ReadyJob,
    rows={"site_id": "int", "most": "int"},
    args={"now": "int"},
)

_READY_BY_ACTOR = Statement(
    """
    SELECT jobs.id, run_id, source_id, jobs.site_id, purpose, jobs.url, number, context, stage, attempts,
           page_id, interruptions, error
    FROM jobs JOIN sources ON sources.id = jobs.source_id
    WHERE jobs.site_id = :site_id AND status = 'pending' AND not_before <= :now
      AND sources.fetcher = 'actor' AND purpose <> 'check'
    ORDER BY claim_order, jobs.id LIMIT :limit
    """,
    row=ReadyJob,
    args={"site_id": "int", "now": "int", "limit": "int"},
)

_NEXT_READY: Statement[int | None] = Statement(
    """
    SELECT min(not_before) FROM jobs
    WHERE site_id = :site_id AND status = 'pending' AND not_before > :now
    """,
    scalar=int,
    args={"site_id": "int", "now": "int"},
)


def list_ready(conn: Connection, site_id: int, *, now: datetime, limit: int) -> list[Job]:
    """The next jobs of a lane in claim order."""
    return [job_from_row(row) for row in _READY(conn, site_id=site_id, now=micros(now), limit=limit)]


def next_jobs(conn: Connection, most: Mapping[int, int], *, now: datetime) -> NextJobs:
    """A function that returns the next jobs of these lanes, up to a limit for each.

    PostgreSQL reads all lanes in one statement. On SQLite a statement costs less than reading a row in vain,
    so each lane is read when its turn comes.
    """
    if conn.dialect.name != "postgresql":
        return lambda site_id, limit: list_ready(conn, site_id, now=now, limit=limit)
    found: dict[int, list[ReadyJob]] = {site_id: [] for site_id in most}
    for row in _READY_OF_MANY(conn, list(most.items()), now=micros(now)):
        found[row.site_id].append(row)
    return lambda site_id, limit: list(map(job_from_row, found[site_id][:limit]))


def list_ready_by_actor(conn: Connection, site_id: int, *, now: datetime, limit: int) -> list[Job]:
    """The next jobs of a lane that use an actor, not the site."""
    return [job_from_row(row) for row in _READY_BY_ACTOR(conn, site_id=site_id, now=micros(now), limit=limit)]


def next_ready_at(conn: Connection, site_id: int, *, now: datetime) -> datetime | None:
    """The earliest `not_before` of the jobs that are not ready yet."""
    return moment_or_none(_NEXT_READY(conn, site_id=site_id, now=micros(now))[0])
