"""The jobs of a lane: enqueued, claimed in order, requeued, finished.

Jobs are claimed by `claim_order`, which is fixed when a job is created: its creation time, plus ten minutes
for each rank that its run kind is below a manual run. Urgent jobs go first, waiting jobs move up, and an
index holds the order.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from larder.core.model.job import Job, PageRequest, Slot, Stage
from larder.store.database.statement import Statement
from larder.store.queue.job_rows import JobRow
from larder.store.tables import jobs
from larder.store.tables.columns import micros

HELD_UNTIL = datetime(9999, 1, 1, tzinfo=UTC)
"""`not_before` of the jobs of a paused run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to enqueue."""

    run_id: int
    source_id: int
    site_id: int
    adapter: str
    request: PageRequest
    priority: int
    claim_order: datetime
    not_before: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Requeue:
    """A job that goes back to the queue."""

    job_id: int
    not_before: datetime
    attempts: int
    stage: Stage = Stage.FETCH
    page_id: int | None = None
    error: str | None = None


class ClaimedJob(NamedTuple):
    """A job that a driver takes, with the token of its lane's lease and the slot reserved for it."""

    job: Job
    token: int
    slot: Slot | None


class LaneToken(NamedTuple):
    """A lane's lease."""

    site_id: int
    token: int


class JobToken(NamedTuple):
    """A job, and the lease that it was claimed under."""

    job_id: int
    token: int


class JobPage(NamedTuple):
    """A job and its stored page."""

    job_id: int
    page_id: int


class FinishedJob(NamedTuple):
    """The end of a job."""

    id: int
    status: str
    stage: str
    attempts: int
    error: str | None


_ENQUEUE = Statement(
    """
    INSERT INTO jobs (run_id, source_id, site_id, adapter, purpose, url, number, context, priority,
                      claim_order, not_before, created_at, updated_at)
    SELECT run_id, source_id, site_id, adapter, purpose, url, number, context, priority,
           claim_order, not_before, :now, :now
    FROM {rows} AS asked
    """,
    rows=JobRow,
    args={"now": "int"},
)

_OPEN_URLS = Statement(
    """
    SELECT jobs.url FROM {rows} AS asked
    JOIN jobs ON jobs.run_id = :run_id AND jobs.status IN ('pending', 'running') AND jobs.url = asked.url
    """,
    scalar=str,
    rows={"url": "text"},
    args={"run_id": "int"},
)

_CLAIM = Statement(
    """
    UPDATE jobs SET status = 'running', token = mine.token, slot_opens_at = mine.opens_at,
                    slot_closes_at = mine.closes_at, updated_at = :now
    FROM {rows} AS mine WHERE jobs.id = mine.id AND jobs.status = 'pending'
    """,
    rows={"id": "int", "token": "int", "opens_at": "int", "closes_at": "int"},
    args={"now": "int"},
)

_OURS = Statement(
    """
    SELECT jobs.id FROM {rows} AS done
    JOIN jobs ON jobs.id = done.id WHERE jobs.status = 'running' AND jobs.token = done.token
    """,
    scalar=int,
    rows={"id": "int", "token": "int"},
)

_CLAIMED = Statement(
    """
    SELECT jobs.id FROM {rows} AS held
    JOIN jobs ON jobs.site_id = held.site_id AND jobs.status = 'running' AND jobs.token = held.token
    """,
    scalar=int,
    rows={"site_id": "int", "token": "int"},
)

_FREE = Statement(
    """
    UPDATE jobs SET status = 'pending', token = NULL
    FROM {rows} AS lost WHERE jobs.id = lost.id AND jobs.status = 'running'
    """,
    rows={"id": "int"},
)

_TOUCH = Statement(
    "UPDATE jobs SET interruptions = interruptions + 1 WHERE id = :id AND status = 'running'",
    args={"id": "int"},
)

_PUT_BACK = Statement(
    """
    UPDATE jobs SET status = 'pending', token = NULL, stage = back.stage, page_id = back.page_id,
                    not_before = back.not_before, attempts = back.attempts, interruptions = 0,
                    error = coalesce(back.error, jobs.error), updated_at = :now
    FROM {rows} AS back WHERE jobs.id = back.id AND jobs.status = 'running'
    """,
    rows={"id": "int", "stage": "text", "page_id": "int", "not_before": "int", "attempts": "int"}
    | {"error": "text"},
    args={"now": "int"},
)

_FETCHED = Statement(
    """
    UPDATE jobs SET stage = 'parse', page_id = got.page_id, attempts = 0, updated_at = :now
    FROM {rows} AS got WHERE jobs.id = got.id
    """,
    rows={"id": "int", "page_id": "int"},
    args={"now": "int"},
)

_END = Statement(
    """
    UPDATE jobs SET status = ended.status, stage = ended.stage, token = NULL, attempts = ended.attempts,
                    error = ended.error, updated_at = :now, finished_at = :now
    FROM {rows} AS ended WHERE jobs.id = ended.id
    """,
    rows=FinishedJob,
    args={"now": "int"},
)


def enqueue(conn: Connection, new_jobs: Sequence[NewJob], *, now: datetime) -> None:
    """Add jobs to the queue, in this order."""
    _ENQUEUE(
        conn,
        [
            JobRow(
                job.run_id,
                job.source_id,
                job.site_id,
                job.adapter,
                job.request.purpose,
                job.request.url,
                job.request.number,
                dict(job.request.context) or None,
                job.priority,
                micros(job.claim_order),
                micros(job.not_before),
            )
            for job in new_jobs
        ],
        now=micros(now),
    )


def list_open_urls(conn: Connection, run_id: int, urls: Sequence[str]) -> set[str]:
    """The addresses among these that an open job of the run requests."""
    return set(_OPEN_URLS(conn, [(url,) for url in sorted(set(urls))], run_id=run_id))


def claim(conn: Connection, claimed: Sequence[ClaimedJob], *, now: datetime) -> list[Job]:
    """Mark jobs as running, each with the lane's token and its slot."""
    _CLAIM(
        conn,
        [
            (job.id, token, slot and micros(slot.opens_at), slot and micros(slot.closes_at))
            for job, token, slot in claimed
        ],
        now=micros(now),
    )
    return [replace(each.job, slot=each.slot) for each in claimed]


def release_unknown(conn: Connection, held: Sequence[LaneToken], known: Collection[int]) -> None:
    """Release the jobs claimed under these leases that their driver does not know.

    The answer to a committed claim can be lost, and no other driver looks for such a job.
    """
    _FREE(conn, [(job_id,) for job_id in _CLAIMED(conn, held) if job_id not in known])


def filter_owned(conn: Connection, done: Sequence[JobToken]) -> set[int]:
    """The jobs among these that still run under their token. A job is finished once."""
    return set(_OURS(conn, done))


def touch(conn: Connection, job_id: int) -> None:
    """Count an interruption before a suspect job is processed, in case the process does not survive it."""
    _TOUCH(conn, id=job_id)


def requeue(conn: Connection, requeues: Sequence[Requeue], *, now: datetime) -> None:
    """Return jobs to the queue, to be tried again at `not_before`."""
    _PUT_BACK(
        conn,
        [(b.job_id, b.stage, b.page_id, micros(b.not_before), b.attempts, b.error) for b in requeues],
        now=micros(now),
    )


def mark_fetched(conn: Connection, fetched: Sequence[JobPage], *, now: datetime) -> None:
    """Store the page of each job, which then continues from parse."""
    _FETCHED(conn, fetched, now=micros(now))


def finish(conn: Connection, ended: Sequence[FinishedJob], *, now: datetime) -> None:
    """Store the end of these jobs."""
    _END(conn, ended, now=micros(now))


class _Pending(NamedTuple):
    site_id: int
    many: int


_PENDING = Statement(
    "SELECT site_id, count(*) AS many FROM jobs WHERE status = 'pending' GROUP BY site_id", row=_Pending
)


def count_pending_by_site(conn: Connection) -> dict[int, int]:
    """Pending jobs by site; backpressure bounds them, so counting is cheap."""
    return dict(_PENDING(conn))


def abandon(conn: Connection, run_id: int, *, now: datetime) -> None:
    """Mark the open jobs of a run that ended as stale."""
    waiting = (jobs.c.run_id == run_id) & jobs.c.status.in_(("pending", "running"))
    conn.execute(
        update(jobs).where(waiting).values(status="stale", token=None, finished_at=now, updated_at=now)
    )


def delay_pending(conn: Connection, run_id: int, *, until: datetime) -> list[int]:
    """Let no pending job of a run start before `until`; the sites of all its jobs."""
    pending = (jobs.c.run_id == run_id) & (jobs.c.status == "pending")
    conn.execute(update(jobs).where(pending).values(not_before=until))
    return list(conn.scalars(select(jobs.c.site_id).where(jobs.c.run_id == run_id).distinct()))
