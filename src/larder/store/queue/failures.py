"""Stores failures: errors, dead letters, dropped items, quarantine."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, update

from larder.store.queue import dead_letters as letter_rows
from larder.store.tables import dead_letters, errors, items, quarantine

MAX_MESSAGE_LENGTH = 2_000
MAX_TRACE = 8_000


def add_dead_letters(
    conn: Connection, letters: Sequence[Mapping[str, Any]], *, now: datetime, retry_at: datetime
) -> None:
    """Add dead letters and errors for jobs that failed for good.

    A job that failed again on a retry has its dead letter already.
    """
    if not letters:
        return
    cut = [_cut(letter) for letter in letters]
    known = letter_rows.record_failed_retries(conn, cut)
    new = [letter for letter in cut if letter["job_id"] not in known]
    if new:
        rows = [{**letter, "created_at": now, "retry_at": retry_at} for letter in new]
        conn.execute(insert(dead_letters), rows)
    columns = ("job_id", "run_id", "source_id", "stage", "category", "type", "message", "trace")
    conn.execute(insert(errors), [{"at": now, **{k: letter.get(k) for k in columns}} for letter in cut])


def add_errors(conn: Connection, rows: Sequence[Mapping[str, Any]], *, now: datetime) -> None:
    """Add errors of attempts that will be retried."""
    if rows:
        conn.execute(insert(errors), [{"at": now, **_cut(row)} for row in rows])


def add_dropped_items(conn: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add dropped items, each with its reason."""
    if rows:
        conn.execute(insert(items), [dict(row) for row in rows])


def add_to_quarantine(conn: Connection, rows: Sequence[Mapping[str, Any]], *, now: datetime) -> None:
    """Add items for a person to review."""
    if rows:
        conn.execute(insert(quarantine), [{**row, "created_at": now} for row in rows])


def _cut(letter: Mapping[str, Any]) -> dict[str, Any]:
    message, trace = letter.get("message"), letter.get("trace")
    return {
        **letter,
        "message": message and message[:MAX_MESSAGE_LENGTH],
        "trace": trace and trace[-MAX_TRACE:],
    }


def clear_quarantine(conn: Connection, page_ids: Sequence[int], *, who: str, now: datetime) -> None:
    """Close the pending quarantine of pages on which nothing is implausible any more."""
    waiting = quarantine.c.page_id.in_(page_ids) & (quarantine.c.status == "pending")
    values = {"status": "rejected", "decided_at": now, "decided_by": who, "note": "its page was read again"}
    conn.execute(update(quarantine).where(waiting).values(values))
