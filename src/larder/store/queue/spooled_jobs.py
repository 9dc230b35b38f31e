"""What becomes of jobs whose page was kept in a file while the database was away.

The job itself says whether its page is still wanted. Every change asks for the status again, so that a page
that is taken in twice, or by two processes, changes nothing the second time.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from larder.store.database.statement import AnyRow, Statement
from larder.store.tables.columns import micros

_OF = Statement(
    """
    SELECT jobs.id, jobs.status, jobs.token, jobs.page_id, jobs.site_id FROM {rows} AS kept
    JOIN jobs ON jobs.id = kept.id
    """,
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


def load_jobs(conn: Connection, job_ids: Sequence[int]) -> dict[int, AnyRow]:
    """The jobs that are still on record."""
    return {row.id: row for row in _OF(conn, [(job_id,) for job_id in job_ids])}


def resume(conn: Connection, got: Sequence[tuple[int, int]], *, now: datetime) -> None:
    """(job, page): back into line, from the page that is stored now."""
    _GO_ON(conn, got, now=micros(now))


def abandon(conn: Connection, got: Sequence[tuple[int, int]], *, now: datetime) -> None:
    """(job, page): nobody waits for these any more; a dead letter can go on from the page."""
    _GIVE_UP(conn, got, now=micros(now))
