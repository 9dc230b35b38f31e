"""Checks and what they did to their records: each attempt is kept, and acted upon when its window closes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.store.database.statement import AnyRow, Statement
from larder.store.tables.columns import micros

_ADD = Statement(
    """
    INSERT INTO verifications (record_id, run_id, page_id, at, method, status, outcome, reason,
                               window_number, control)
    SELECT record_id, run_id, page_id, at, method, status, outcome, reason, window_number, control
    FROM {rows} AS checked
    """,
    rows={
        "record_id": "int",
        "run_id": "int",
        "page_id": "int",
        "at": "int",
        "method": "text",
        "status": "int",
        "outcome": "text",
        "reason": "text",
        "window_number": "int",
        "control": "int",
    },
)

_CHECKED = Statement(
    "UPDATE records SET checked_at = checked.at FROM {rows} AS checked WHERE records.id = checked.id",
    rows={"id": "int", "at": "int"},
)

_OPEN = Statement(
    """
    SELECT verifications.id, verifications.record_id, verifications.at, verifications.outcome,
           records.source_id, records.active, records.verification, records.strikes, records.struck_at,
           records.verified_at, records.deactivated_at, records.base, records.anchored_at, records.rate,
           records.last_seen_at, records.shown_until
    FROM verifications JOIN records ON records.id = verifications.record_id
    WHERE verifications.run_id = :run_id AND verifications.window_number = :number
      AND verifications.settled = 0 AND verifications.control = 0
    """,
    args={"run_id": "int", "number": "int"},
)

_ALIVE = Statement(
    """
    SELECT min(at) AS since, max(at) AS until FROM verifications
    WHERE run_id = :run_id AND window_number = :number AND outcome = 'alive'
    """,
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

_STAND = Statement(
    """
    UPDATE records SET active = now.active, verification = now.verification, strikes = now.strikes,
      struck_at = now.struck_at, verified_at = now.verified_at, deactivated_at = now.deactivated_at,
      base = now.base, anchored_at = now.anchored_at, shown_until = now.shown_until, dead_at = now.dead_at
    FROM {rows} AS now WHERE records.id = now.id
    """,
    rows={
        "id": "int",
        "active": "int",
        "verification": "text",
        "strikes": "int",
        "struck_at": "int",
        "verified_at": "int",
        "deactivated_at": "int",
        "base": "int",
        "anchored_at": "int",
        "shown_until": "int",
        "dead_at": "int",
    },
)

_LAPSE = Statement(
    """
    UPDATE records SET active = 0, verification = 'lapsed', deactivated_at = :now
    WHERE id IN (
      SELECT id FROM records
      WHERE source_id = :source_id AND active = 1 AND dead_at <= :now
        AND (verified_at IS NULL OR verified_at < last_seen_at OR ends_at <= :now)
      ORDER BY dead_at LIMIT :most
    )
    RETURNING id
    """,
    args={"source_id": "int", "now": "int", "most": "int"},
)


def add(conn: Connection, rows: Sequence[Sequence[Any]]) -> None:
    """Attempts, in the order of the table's columns; their records count as checked."""
    _ADD(conn, rows)
    _CHECKED(conn, [(row[0], row[3]) for row in rows])


def list_window(conn: Connection, run_id: int, number: int) -> Sequence[AnyRow]:
    """The checks of a window, with how their records stand."""
    return _OPEN(conn, run_id=run_id, number=number)


def alive_span(conn: Connection, run_id: int, number: int) -> tuple[int, int] | None:
    """The first and the last moment of a window at which something, controls included, was found alive."""
    found = _ALIVE(conn, run_id=run_id, number=number)[0]
    return None if found.since is None else (found.since, found.until)


def close_window(
    conn: Connection,
    run_id: int,
    number: int,
    standings: Sequence[Sequence[Any]],
    dropped: Sequence[tuple[int, str]] = (),
) -> None:
    """Write what the window's checks made of their records; (check, why): those that proved nothing."""
    _STAND(conn, standings)
    _PROVED_NOTHING(conn, dropped)
    _CLOSE(conn, run_id=run_id, number=number)


def lapse_records(conn: Connection, source_id: int, *, now: datetime, most: int = 100) -> list[int]:
    """Records at confidence 0 that no check confirmed, or that are over: out of sight, never called gone."""
    return [row.id for row in _LAPSE(conn, source_id=source_id, now=micros(now), most=most)]
