"""Writes what did not become records: dead letters, dropped items, quarantined items."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from larder.core.model.job import Job
from larder.core.model.outcome import DropReason
from larder.core.policy.retry import DEAD_LETTER_WAIT
from larder.engine.progress.job_outcome import Finished
from larder.engine.work_items import ProcessedPage
from larder.store.database import Connection
from larder.store.queue import failures


def write_dead_letters(
    conn: Connection, finished: Sequence[tuple[ProcessedPage, Finished]], *, now: datetime
) -> None:
    """Write a dead letter for each job that failed for good, with what a retry needs."""
    letters = [_dead_letter(page, outcome) for page, outcome in finished if outcome.failed]
    failures.add_dead_letters(conn, letters, now=now, retry_at=now + DEAD_LETTER_WAIT)


def job_columns(job: Job) -> dict[str, int]:
    """The columns that every row about a failed job has."""
    return {"job_id": job.id, "run_id": job.run_id, "source_id": job.source_id}


def _dead_letter(page: ProcessedPage, outcome: Finished) -> dict[str, Any]:
    job = page.work.job
    return {
        **job_columns(job),
        "stage": outcome.stage,
        "category": outcome.category,
        "type": outcome.kind,
        "message": outcome.error,
        "trace": page.trace or None,
        "payload": {"url": job.request.url, "purpose": job.request.purpose, "page_id": page.page_id},
    }


def write_rejected_items(conn: Connection, ended: Sequence[ProcessedPage], *, now: datetime) -> None:
    """Write dropped and quarantined items with their reasons.

    Of duplicates the first one is stored as a record.
    """
    failures.add_dropped_items(
        conn,
        [
            {
                **_origin(page),
                "position": position,
                "fields": dict(left.item.fields),
                "block": left.item.block or None,
                "strategy": left.item.strategy,
                "score": left.item.score,
                "outcome": "dropped",
                "reason": left.reason,
                "error": left.details or None,
            }
            for page in ended
            for position, left in enumerate(page.dropped)
            if left.reason is not DropReason.DUPLICATE_WITHIN_RUN
        ],
    )
    failures.add_to_quarantine(
        conn,
        [
            {
                **_origin(page),
                "reason": q.reason,
                "details": q.details,
                "item": dict(q.item.fields),
                "identity_key": q.identity_key,
                "price_minor": q.price_minor,
            }
            for page in ended
            for q in page.quarantined
        ],
        now=now,
    )


def _origin(page: ProcessedPage) -> dict[str, Any]:
    return {
        **job_columns(page.work.job),
        "page_id": page.page_id,
        "observed_at": page.fetched.fetched_at,
    }
