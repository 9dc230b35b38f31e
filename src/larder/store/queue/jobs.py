"""The jobs of a lane: put in line, claimed in order, put back, ended.

A job is claimed by `claim_order`, a moment fixed when it is made: its creation, later by ten minutes for
each rank its run kind stands below a manual one. So the urgent go first and the long waiting move up, and
an index can tell the next one.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection, func, select, update

from larder.core.model.job import Job, PageRequest, Purpose, Slot, Stage
from larder.store.database.statement import AnyRow, Statement, loads
from larder.store.tables import jobs
from larder.store.tables.columns import micros, moment_or_none

HELD_UNTIL = datetime(9999, 1, 1, tzinfo=UTC)
"""Jobs of a paused run wait until then, or until it is resumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to be put in line."""

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
    """A job that goes back into line."""

    job_id: int
    not_before: datetime
    attempts: int
    stage: Stage = Stage.FETCH
    page_id: int | None = None
    category: str | None = None
    error: str | None = None


_ENQUEUE = Statement(
    """
    INSERT INTO jobs (run_id, source_id, site_id, adapter, purpose, url, number, context, priority,
                      claim_order, not_before, created_at, updated_at)
    SELECT run_id, source_id, site_id, adapter, purpose, url, number, context, priority,
           claim_order, not_before, :now, :now
    FROM {rows} AS asked
    """,
    rows={
        "run_id": "int",
        "source_id": "int",
        "site_id": "int",
        "adapter": "text",
        "purpose": "text",
        "url": "text",
        "number": "int",
        "context": "json",
        "priority": "int",
        "claim_order": "int",
        "not_before": "int",
    },
    args={"now": "int"},
)

_READY = Statement(
    """
    SELECT id, run_id, source_id, site_id, purpose, url, number, context, stage, attempts, page_id,
           interruptions, error
    FROM jobs
    WHERE site_id = :site_id AND status = 'pending' AND not_before <= :now
    ORDER BY claim_order, id LIMIT :most
    """,
    args={"site_id": "int", "now": "int", "most": "int"},
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
    rows={"id": "int", "token": "int"},
)

_CLAIMED = Statement(
    """
    SELECT jobs.id FROM {rows} AS held
    JOIN jobs ON jobs.site_id = held.site_id AND jobs.status = 'running' AND jobs.token = held.token
    """,
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
                    error_category = coalesce(back.category, jobs.error_category),
                    error = coalesce(back.error, jobs.error), updated_at = :now
    FROM {rows} AS back WHERE jobs.id = back.id AND jobs.status = 'running'
    """,
    rows={
        "id": "int",
        "stage": "text",
        "page_id": "int",
        "not_before": "int",
        "attempts": "int",
        "category": "text",
        "error": "text",
    },
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
                    error_category = ended.category, error = ended.error,
                    updated_at = :now, finished_at = :now
    FROM {rows} AS ended WHERE jobs.id = ended.id
    """,
    rows={
        "id": "int",
        "status": "text",
        "stage": "text",
        "attempts": "int",
        "category": "text",
        "error": "text",
    },
    args={"now": "int"},
)


_NEXT_READY = Statement(
    """
    SELECT min(not_before) AS soonest FROM jobs
    WHERE site_id = :site_id AND status = 'pending' AND not_before > :now
    """,
    args={"site_id": "int", "now": "int"},
)


def enqueue(conn: Connection, asked: Sequence[NewJob], *, now: datetime) -> None:
    """Put jobs in line, in this order."""
    _ENQUEUE(
        conn,
        [
            (
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
            for job in asked
        ],
        now=micros(now),
    )


def list_ready(conn: Connection, site_id: int, *, now: datetime, most: int) -> list[Job]:
    """The next jobs of a lane, first come first."""
    return [_job(row) for row in _READY(conn, site_id=site_id, now=micros(now), most=most)]


def claim(conn: Connection, claimed: Iterable[tuple[Job, int, Slot | None]], *, now: datetime) -> list[Job]:
    """Mark jobs as ours, each with the lane's token and its slot."""
    pairs = list(claimed)
    _CLAIM(
        conn,
        [
            (job.id, token, slot and micros(slot.opens_at), slot and micros(slot.closes_at))
            for job, token, slot in pairs
        ],
        now=micros(now),
    )
    return [replace(job, slot=slot) for job, _, slot in pairs]


def release_unknown(conn: Connection, held: Sequence[tuple[int, int]], known: Collection[int]) -> None:
    """(site, token): jobs claimed under these leases of which their driver knows nothing are free again.

    A claim can be committed and its answer lost; nobody else would ever look for such a job.
    """
    _FREE(conn, [(row.id,) for row in _CLAIMED(conn, held) if row.id not in known])


def filter_owned(conn: Connection, done: Sequence[tuple[int, int]]) -> set[int]:
    """(job, token): which of these jobs still wait for us to end them. A job ends once."""
    return {row.id for row in _OURS(conn, done)}


def touch(conn: Connection, job_id: int) -> None:
    """A suspect is about to be fetched or read: if that is the last we hear, it counts as an interruption."""
    _TOUCH(conn, id=job_id)


def requeue(conn: Connection, back: Sequence[Requeue], *, now: datetime) -> None:
    """Wait and try again: waiting takes no worker."""
    _PUT_BACK(
        conn,
        [(b.job_id, b.stage, b.page_id, micros(b.not_before), b.attempts, b.category, b.error) for b in back],
        now=micros(now),
    )


def mark_fetched(conn: Connection, got: Sequence[tuple[int, int]], *, now: datetime) -> None:
    """The durable point after fetch: (job, page) pairs whose page is stored."""
    _FETCHED(conn, got, now=micros(now))


def finish(
    conn: Connection,
    ended: Sequence[tuple[int, str, str, int, str | None, str | None]],
    *,
    now: datetime,
) -> None:
    """(id, status, stage, attempts, category, error): these jobs are over."""
    _END(conn, ended, now=micros(now))


def next_ready_at(conn: Connection, site_id: int, *, now: datetime) -> datetime | None:
    """When the earliest job that is not ready yet may go."""
    soonest = _NEXT_READY(conn, site_id=site_id, now=micros(now))[0].soonest
    return moment_or_none(soonest)


def count_pending_by_adapter(conn: Connection) -> dict[str, int]:
    """How long the queues are; bounded by backpressure, so counting them is cheap."""
    counted = select(jobs.c.adapter, func.count()).where(jobs.c.status == "pending").group_by(jobs.c.adapter)
    return {row[0]: row[1] for row in conn.execute(counted)}


def _job(row: AnyRow) -> Job:
    return Job(
        id=row.id,
        run_id=row.run_id,
        source_id=row.source_id,
        site_id=row.site_id,
        request=PageRequest(
            url=row.url, purpose=Purpose(row.purpose), number=row.number, context=loads(row.context) or {}
        ),
        stage=Stage(row.stage),
        attempts=row.attempts,
        page_id=row.page_id,
        interruptions=row.interruptions,
        last_error=row.error,
    )


def abandon(conn: Connection, run_id: int, *, now: datetime) -> None:
    """The run is over before its jobs are: nobody waits for them any more."""
    waiting = (jobs.c.run_id == run_id) & jobs.c.status.in_(("pending", "running"))
    conn.execute(
        update(jobs).where(waiting).values(status="stale", token=None, finished_at=now, updated_at=now)
    )
