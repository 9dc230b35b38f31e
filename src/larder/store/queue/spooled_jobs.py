"""Jobs whose page was written to a file while the database was unavailable.

The job's status decides whether its page is still wanted. Every update checks the status, so that loading the
same page twice, or in two processes, changes nothing the second time.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement
from larder.store.queue.jobs import JobPage
from larder.store.tables.columns import micros


class SpooledJob(NamedTuple):
    """A job whose page was written to the spool."""

    id: int
    status: str
    token: int | None
    page_id: int | None
    site_id: int


_OF = Statement(
    """
    SELECT jobs.id, jobs.status, jobs.token, jobs.page_id, jobs.site_id FROM {rows} AS kept
    JOIN jobs ON jobs.id = kept.id
    """,
    row=SpooledJob,
    rows={"id": "int"},
)

_GO_ON = Statement(
    """
    UPDATE jobs SET status = 'pending', token = NULL, stage = 'parse', page_id = got.page_id, attempts = 0,
      not_before = :now, updated_at = :now
    FROM {rows} AS got WHERE jobs.id = got.id AND jobs.status IN ('pending', 'running')
    """,
    rows={"id": "int", "page_id": "int"},
    args={"now": "int"},
)

_GIVE_UP = Statement(
    """
    UPDATE jobs SET status = 'dead', stage = 'parse', page_id = got.page_id, updated_at = :now,
      finished_at = :now
    FROM {rows} AS got WHERE jobs.id = got.id AND jobs.status = 'stale'
    """,
    rows={"id": "int", "page_id": "int"},
    args={"now": "int"},
)


def load_jobs(conn: Connection, job_ids: Sequence[int]) -> dict[int, SpooledJob]:
    """The jobs among these that still exist."""
    return {row.id: row for row in _OF(conn, [(job_id,) for job_id in job_ids])}


def resume(conn: Connection, fetched: Sequence[JobPage], *, now: datetime) -> None:
    """Requeue open jobs, which continue from the stored page."""
    _GO_ON(conn, fetched, now=micros(now))


def abandon(conn: Connection, stored: Sequence[JobPage], *, now: datetime) -> None:
    """Mark stale jobs as dead; their dead letters can continue from the page."""
    _GIVE_UP(conn, stored, now=micros(now))
