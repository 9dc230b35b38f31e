"""Dead letters: jobs that failed for good, until they are retried, resolved or discarded.

A dead letter is about one job. A retry requeues that job at the stage where it failed, with its stored page
if it has one, so that no job is queued twice. Its run has ended: the job adds to its counts and causes no
step. A dead letter in status `retrying` ends with its job; if the job became stale, it is pending again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, exists, func, or_, select, update

from larder.core.model.outcome import FailReason
from larder.core.policy.retry import dead_letter_retry
from larder.core.policy.scheduling.priority import claim_order
from larder.store.database.statement import Statement, fetch_as, fetch_one_as
from larder.store.queue import lanes
from larder.store.queue.dead_letter_rows import (
    DeadLetterGroupRow,
    DeadLetterRow,
    RetriableDeadLetter,
    UnsentMessage,
)
from larder.store.tables import dead_letters as letters
from larder.store.tables import jobs, pages, runs, sources
from larder.store.tables.columns import micros


class DeadLetterStatus(StrEnum):
    """The status of a dead letter."""

    PENDING = "pending"
    RETRYING = "retrying"
    RESOLVED = "resolved"
    DISCARDED = "discarded"


AUTOMATIC = "larder"
"""`resolved_by` of what was resolved automatically."""
NOTIFY = "notify"
"""The stage of dead letters about messages."""
_OPEN_RUN = ("running", "paused")
_IN_LINE = ("pending", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterSelection:
    """Selects dead letters; by default all."""

    source_id: int | None = None
    status: DeadLetterStatus | None = None
    stage: str | None = None
    type: str | None = None

    def where(self) -> list[ColumnElement[bool]]:
        """The conditions of the query."""
        query = {"source_id": self.source_id, "status": self.status, "stage": self.stage, "type": self.type}
        return [letters.c[name] == value for name, value in query.items() if value is not None]


# -- looking -----------------------------------------------------------------------------------------------


def list_newest(
    conn: Connection,
    selection: DeadLetterSelection,
    *,
    limit: int,
    ids: Sequence[int] | None = None,
    before: int | None = None,
) -> list[DeadLetterRow]:
    """The newest dead letters; `before`: those with a smaller id."""
    query = _among(_listed(), selection, ids)
    if before is not None:
        query = query.where(letters.c.id < before)
    return fetch_as(conn, query.order_by(letters.c.id.desc()).limit(limit), DeadLetterRow)


def by_id(conn: Connection, letter_id: int) -> DeadLetterRow | None:
    """The dead letter of that id."""
    return fetch_one_as(conn, _listed().where(letters.c.id == letter_id), DeadLetterRow)


def newest_id(conn: Connection) -> int:
    """The id of the newest dead letter; 0 if there is none."""
    return conn.scalar(select(func.max(letters.c.id))) or 0


def count_after(conn: Connection, letter_id: int) -> int:
    """How many dead letters are newer than that one."""
    return conn.scalar(select(func.count()).where(letters.c.id > letter_id)) or 0


def count_groups(conn: Connection, selection: DeadLetterSelection) -> list[DeadLetterGroupRow]:
    """Dead letters counted by stage, type and status, the most frequent first."""
    many = func.count().label("many")
    columns = (letters.c.stage, letters.c.type, letters.c.status)
    ends = (func.min(letters.c.created_at).label("first_at"), func.max(letters.c.created_at).label("last_at"))
    query = select(*columns, many, *ends).where(*selection.where()).group_by(*columns)
    return fetch_as(conn, query.order_by(many.desc(), letters.c.stage, letters.c.type), DeadLetterGroupRow)


def _among(query: Select[Any], selection: DeadLetterSelection, ids: Sequence[int] | None) -> Select[Any]:
    of_kind = query.where(*selection.where())
    return of_kind if ids is None else of_kind.where(letters.c.id.in_(ids))


def _listed() -> Select[Any]:
    columns = [letters.c[name] for name in DeadLetterRow._fields[:-3]]
    query = select(*columns, sources.c.slug.label("source"), jobs.c.site_id, jobs.c.page_id)
    of_source = query.outerjoin(sources, sources.c.id == letters.c.source_id)
    return of_source.outerjoin(jobs, jobs.c.id == letters.c.job_id)


# -- retrying ----------------------------------------------------------------------------------------------


def list_retriable(
    conn: Connection, selection: DeadLetterSelection, *, limit: int, ids: Sequence[int] | None = None
) -> list[RetriableDeadLetter]:
    """Pending dead letters whose job exists and whose run has ended."""
    query = _among(_retriable(), selection, ids).order_by(letters.c.id).limit(limit)
    return fetch_as(conn, query, RetriableDeadLetter)


def list_unsent_messages(
    conn: Connection, selection: DeadLetterSelection, *, limit: int, ids: Sequence[int] | None
) -> list[UnsentMessage]:
    """Pending dead letters about messages; they have no job, only rows of the outbox."""
    unsent = select(letters.c.id, letters.c.payload).where(
        letters.c.status == DeadLetterStatus.PENDING, letters.c.stage == NOTIFY
    )
    return fetch_as(conn, _among(unsent, selection, ids).order_by(letters.c.id).limit(limit), UnsentMessage)


def list_due(conn: Connection, *, now: datetime, limit: int) -> list[RetriableDeadLetter]:
    """Retriable dead letters that are due, the longest overdue first."""
    ripe = _retriable().where(letters.c.retry_at <= now)
    return fetch_as(conn, ripe.order_by(letters.c.retry_at).limit(limit), RetriableDeadLetter)


def _retriable() -> Select[Any]:
    under_way = exists().where(runs.c.id == jobs.c.run_id, runs.c.status.in_(_OPEN_RUN))
    return (
        select(
            letters.c.id,
            letters.c.job_id,
            letters.c.source_id,
            letters.c.type,
            letters.c.retries,
            jobs.c.site_id,
            jobs.c.priority,
        )
        .join(jobs, jobs.c.id == letters.c.job_id)
        .where(letters.c.status == DeadLetterStatus.PENDING, jobs.c.status == "dead", ~under_way)
    )


def list_read_since(conn: Connection, rows: Sequence[RetriableDeadLetter]) -> list[int]:
    """Dead letters whose URL was fetched and read after they were written."""
    later = exists().where(
        pages.c.source_id == letters.c.source_id,
        pages.c.url == letters.c.payload["url"].as_string(),
        pages.c.fetched_at > letters.c.created_at,
        pages.c.adapter_version.is_not(None),
    )
    return list(conn.scalars(select(letters.c.id).where(letters.c.id.in_([r.id for r in rows]), later)))


_AGAIN = Statement(
    """
    UPDATE jobs SET status = 'pending', token = NULL, attempts = 0, interruptions = 0,
      stage = CASE WHEN jobs.page_id IS NULL OR asked.anew = 1 THEN 'fetch' ELSE 'parse' END,
      page_id = CASE WHEN asked.anew = 1 THEN NULL ELSE jobs.page_id END, claim_order = asked.claim_order,
      created_at = :now, not_before = :now, updated_at = :now, finished_at = NULL
    FROM {rows} AS asked WHERE jobs.id = asked.id AND jobs.status = 'dead'
    """,
    rows={"id": "int", "anew": "int", "claim_order": "int"},
    args={"now": "int"},
)


def retry(
    conn: Connection, rows: Sequence[RetriableDeadLetter], *, counted: bool, now: datetime
) -> list[int]:
    """Requeue the jobs of these dead letters; returns which. `counted`: an automatic retry."""
    lanes.lock(conn, [row.site_id for row in rows])
    claimed = {row.id: row for row in rows if _take(conn, row, counted=counted, now=now)}
    _AGAIN(conn, [_requeue_row(row, now) for row in claimed.values()], now=micros(now))
    lanes.wake(conn, {row.site_id: now for row in claimed.values()})
    return list(claimed)


def _requeue_row(row: RetriableDeadLetter, now: datetime) -> tuple[int, int, int]:
    """The requeued job: a blocked page is fetched again; any other stored page is read again."""
    anew = row.type == FailReason.BLOCKED_PAGE
    return row.job_id, int(anew), micros(claim_order(row.priority, now))


def _take(conn: Connection, row: RetriableDeadLetter, *, counted: bool, now: datetime) -> bool:
    """Set it to retrying; False if another process did."""
    retries = row.retries + int(counted)
    next_retry = dead_letter_retry(retries)
    values = {
        "status": DeadLetterStatus.RETRYING,
        "retries": retries,
        "retry_at": next_retry and now + next_retry,
    }
    condition = (letters.c.id == row.id) & (letters.c.status == DeadLetterStatus.PENDING)
    return bool(conn.execute(update(letters).where(condition).values(values)).rowcount)


def postpone(conn: Connection, letter_ids: Sequence[int], until: datetime) -> None:
    """A closed gate is not a failure: try these again then."""
    conn.execute(update(letters).where(letters.c.id.in_(letter_ids)).values(retry_at=until))


# -- how it ended ------------------------------------------------------------------------------------------

_FAILED_AGAIN = Statement(
    """
    UPDATE dead_letters SET status = 'pending', stage = said.stage, category = said.category,
      type = said.type, message = said.message, trace = said.trace
    FROM {rows} AS said WHERE dead_letters.job_id = said.job_id AND dead_letters.status = 'retrying'
    RETURNING dead_letters.job_id
    """,
    scalar=int,
    rows=dict.fromkeys(("stage", "category", "type", "message", "trace"), "text") | {"job_id": "int"},
)
_SUCCEEDED = Statement(
    """
    UPDATE dead_letters SET status = 'resolved', resolved_at = :now, resolved_by = :who
    FROM {rows} AS done WHERE dead_letters.job_id = done.job_id AND dead_letters.status = 'retrying'
    """,
    rows={"job_id": "int"},
    args={"now": "int", "who": "text"},
)


def record_failed_retries(conn: Connection, failures: Sequence[Mapping[str, Any]]) -> set[int]:
    """Set the dead letters of failed retries to pending; returns those jobs."""
    names = ("stage", "category", "type", "message", "trace", "job_id")
    rows = [tuple(letter.get(name) for name in names) for letter in failures]
    return set(_FAILED_AGAIN(conn, rows))


def resolve_retried(conn: Connection, job_ids: Sequence[int], *, now: datetime) -> None:
    """Resolve the dead letters of retried jobs that succeeded."""
    _SUCCEEDED(conn, [(job_id,) for job_id in job_ids], now=micros(now), who=AUTOMATIC)


def resolve_read_again(conn: Connection, source_id: int, job_ids: Sequence[int], *, now: datetime) -> None:
    """Resolve the dead letters of jobs whose stored page was read after all."""
    condition = (letters.c.source_id == source_id) & letters.c.job_id.in_(job_ids)
    waiting = condition & (letters.c.status == DeadLetterStatus.PENDING)
    values = {
        "status": DeadLetterStatus.RESOLVED,
        "resolved_at": now,
        "resolved_by": AUTOMATIC,
        "retry_at": None,
    }
    conn.execute(update(letters).where(waiting).values(values))


def close(
    conn: Connection, letter_ids: Sequence[int], status: DeadLetterStatus, *, who: str, now: datetime
) -> list[int]:
    """Close the pending ones of these dead letters; returns which."""
    condition = letters.c.id.in_(letter_ids) & (letters.c.status == DeadLetterStatus.PENDING)
    values = {"status": status, "resolved_at": now, "resolved_by": who, "retry_at": None}
    return list(conn.scalars(update(letters).where(condition).values(values).returning(letters.c.id)))


def add_note(conn: Connection, letter_ids: Sequence[int], text: str) -> None:
    """Append a line to the notes."""
    before = func.coalesce(letters.c.notes + "\n", "")
    conn.execute(update(letters).where(letters.c.id.in_(letter_ids)).values(notes=before + text))


def reset_interrupted(conn: Connection, *, site_id: int | None = None) -> int:
    """Set retries whose job became stale to pending; `site_id`: also those still queued there."""
    conditions = [jobs.c.id == letters.c.job_id]
    lost = ~exists().where(*conditions, jobs.c.status.in_(_IN_LINE))
    if site_id is not None:
        lost = or_(lost, exists().where(*conditions, jobs.c.status == "pending", jobs.c.site_id == site_id))
    retrying = letters.c.status == DeadLetterStatus.RETRYING
    statement = update(letters).where(retrying, lost).values(status=DeadLetterStatus.PENDING)
    job_ids = list(conn.scalars(statement.returning(letters.c.job_id)))
    if job_ids:
        condition = jobs.c.id.in_(job_ids) & jobs.c.status.in_(("pending", "stale"))
        conn.execute(update(jobs).where(condition).values(status="dead"))
    return len(job_ids)
