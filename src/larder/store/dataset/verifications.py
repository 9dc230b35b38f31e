"""Checks of records: each is stored, and applied to its record when its window closes."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement, column_types
from larder.store.dataset import changes
from larder.store.dataset.changes import NewChange
from larder.store.dataset.freshness import FreshnessColumns
from larder.store.tables.columns import micros


class NewVerification(NamedTuple):
    """One check of a record."""

    record_id: int
    run_id: int
    page_id: int | None
    at: int
    method: str
    status: int | None
    outcome: str
    reason: str | None
    window_number: int | None
    control: int


class WindowCheck(NamedTuple):
    """A check of an open window with the state of its record."""

    id: int
    record_id: int
    at: int
    outcome: str
    source_id: int
    active: int
    verification: str | None
    strikes: int
    struck_at: int | None
    verified_at: int | None
    deactivated_at: int | None
    missing_at: int | None
    base: int
    anchored_at: int
    rate: int
    last_seen_at: int
    shown_until: int


class RecordStateRow(NamedTuple):
    """The state of a record after its checks."""

    id: int
    active: int
    verification: str | None
    strikes: int
    struck_at: int | None
    verified_at: int | None
    deactivated_at: int | None
    freshness: FreshnessColumns


class _Span(NamedTuple):
    since: int | None
    until: int | None
    controls: int


class AliveAnswers(NamedTuple):
    """The answers of a window that were alive."""

    since: int
    until: int
    controls: int
    """How many of them were controls."""


_ADD = Statement(
    """
    INSERT INTO verifications (record_id, run_id, page_id, at, method, status, outcome, reason,
                               window_number, control)
    SELECT record_id, run_id, page_id, at, method, status, outcome, reason, window_number, control
    FROM {rows} AS checked
    """,
    rows=NewVerification,
)

_CHECKED = Statement(
    "UPDATE records SET checked_at = checked.at FROM {rows} AS checked WHERE records.id = checked.id",
    rows={"id": "int", "at": "int"},
)

_OPEN = Statement(
    """
    SELECT verifications.id, verifications.record_id, verifications.at, verifications.outcome,
           records.source_id, records.active, records.verification, records.strikes, records.struck_at,
           records.verified_at, records.deactivated_at, records.missing_at, records.base,
           records.anchored_at, records.rate, records.last_seen_at, records.shown_until
    FROM verifications JOIN records ON records.id = verifications.record_id
    WHERE verifications.run_id = :run_id AND verifications.window_number = :number
      AND verifications.settled = 0 AND verifications.control = 0
    """,
    row=WindowCheck,
    args={"run_id": "int", "number": "int"},
)

_ALIVE = Statement(
    """
    SELECT min(at) AS since, max(at) AS until, coalesce(sum(control), 0) AS controls
    FROM verifications
    WHERE run_id = :run_id AND window_number = :number AND outcome = 'alive'
    """,
    row=_Span,
    args={"run_id": "int", "number": "int"},
)

_CLOSE = Statement(
    "UPDATE verifications SET settled = 1 WHERE run_id = :run_id AND window_number = :number",
    args={"run_id": "int", "number": "int"},
)

_PROVED_NOTHING = Statement(
    """
    UPDATE verifications SET outcome = 'undecided', reason = dropped.reason
    FROM {rows} AS dropped WHERE verifications.id = dropped.id
    """,
    rows={"id": "int", "reason": "text"},
)

_STATE = column_types(RecordStateRow)
_STATE.pop("freshness")
_STAND = Statement(
    """
    UPDATE records SET active = now.active, verification = now.verification, strikes = now.strikes,
      struck_at = now.struck_at, verified_at = now.verified_at, deactivated_at = now.deactivated_at,
      base = now.base, anchored_at = now.anchored_at, shown_until = now.shown_until, dead_at = now.dead_at,
      missing_at = CASE WHEN now.verification = 'verified' AND records.missing_at <= now.verified_at THEN NULL
                        ELSE records.missing_at END
    FROM {rows} AS now WHERE records.id = now.id
    """,
    rows={**_STATE, **column_types(FreshnessColumns)},
)


class MissingPageRow(NamedTuple):
    """The status of a missing page of a record."""

    source_id: int
    canonical_url: str
    at: int
    status: int | None


_MISSING = Statement(
    """
    UPDATE records SET missing_at = missing.at, missing_status = missing.status FROM {rows} AS missing
    WHERE records.source_id = missing.source_id AND records.canonical_url = missing.canonical_url
      AND records.last_seen_at <= missing.at
    """,
    rows=MissingPageRow,
)

_LAPSE = Statement(
    """
    UPDATE records SET active = 0, verification = 'lapsed', deactivated_at = :now
    WHERE id IN (
      SELECT id FROM records
      WHERE source_id = :source_id AND active = 1 AND dead_at <= :now
        AND (verified_at IS NULL OR verified_at < last_seen_at OR ends_at <= :now)
      ORDER BY dead_at LIMIT :limit
    )
    RETURNING id
    """,
    scalar=int,
    args={"source_id": "int", "now": "int", "limit": "int"},
)


def add(conn: Connection, rows: Sequence[NewVerification]) -> None:
    """Store checks and set `checked_at` of their records."""
    _ADD(conn, rows)
    _CHECKED(conn, [(row.record_id, row.at) for row in rows])


def mark_missing(conn: Connection, rows: Sequence[MissingPageRow]) -> None:
    """Mark the records of these pages as missing; a later sighting cancels that."""
    _MISSING(conn, rows)


def list_window(conn: Connection, run_id: int, number: int) -> list[WindowCheck]:
    """The checks of a window with the state of their records."""
    return _OPEN(conn, run_id=run_id, number=number)


def alive_answers(conn: Connection, run_id: int, number: int) -> AliveAnswers | None:
    """What in a window, controls included, was found alive; None where nothing was."""
    span = _ALIVE(conn, run_id=run_id, number=number)[0]
    if span.since is None or span.until is None:
        return None
    return AliveAnswers(span.since, span.until, span.controls)


def close_window(
    conn: Connection,
    run_id: int,
    number: int,
    states: Sequence[RecordStateRow],
    dropped: Sequence[tuple[int, str]] = (),
) -> None:
    """Write the states of the checked records; (check, reason): checks that prove nothing."""
    _STAND(conn, [(*row[:-1], *row.freshness) for row in states])
    _PROVED_NOTHING(conn, dropped)
    _CLOSE(conn, run_id=run_id, number=number)


def lapse_records(conn: Connection, source_id: int, *, now: datetime, limit: int = 100) -> list[int]:
    """Deactivate records at confidence 0 that were not verified, or that have ended; which."""
    lapsed = _LAPSE(conn, source_id=source_id, now=micros(now), limit=limit)
    changes.add(conn, [NewChange(record_id, source_id, "lapsed", None) for record_id in lapsed], now=now)
    return lapsed
