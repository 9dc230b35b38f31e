"""Targets: named URLs with a schedule of their own.

What is due is found by priority, then by time, in an index: a few look-ups for each priority in use, with
ten targets or ten million. A target that a run has taken is out of reach for an hour, or until its look is
settled. One that nobody came for within a day of its time is stale until somebody does.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from larder.store.database.statement import AnyRow, Statement
from larder.store.tables.columns import micros

TAKEN_FOR = timedelta(hours=1)

_WATCHED = "enabled = 1 AND blocked = 0 AND status <> 'paused'"

_PRIORITY_BELOW = Statement(
    f"""
    SELECT max(priority) AS priority FROM targets
    WHERE source_id = :source_id AND {_WATCHED} AND priority < :below
    """,
    args={"source_id": "int", "below": "int"},
)

_DUE = Statement(
    f"""
    SELECT id, url FROM targets
    WHERE source_id = :source_id AND {_WATCHED} AND priority = :priority AND next_due_at <= :now
    ORDER BY next_due_at, id LIMIT :most
    """,
    args={"source_id": "int", "priority": "int", "now": "int", "most": "int"},
)

_TAKE = Statement(
    "UPDATE targets SET next_due_at = :until FROM {rows} AS taken WHERE targets.id = taken.id",
    rows={"id": "int"},
    args={"until": "int"},
)

_NEGLECT = Statement(
    f"""
    UPDATE targets SET status = 'stale', updated_at = :now WHERE status = 'active' AND id IN (
      SELECT id FROM targets
      WHERE source_id = :source_id AND {_WATCHED} AND priority = :priority AND next_due_at <= :before
      ORDER BY next_due_at DESC LIMIT :most
    )
    RETURNING id
    """,
    args={"now": "int", "source_id": "int", "priority": "int", "before": "int", "most": "int"},
)

_LOOKED_AT = Statement(
    """
    SELECT targets.id, targets.status, targets.failures, targets.haste, targets.interval_s, targets.cron,
           targets.record_id
    FROM {rows} AS asked JOIN targets ON targets.id = asked.id
    """,
    rows={"id": "int"},
)

_SETTLE = Statement(
    """
    UPDATE targets SET status = now.status, failures = now.failures, haste = now.haste,
      next_due_at = now.next_due_at, last_status = now.last_status, last_at = :at, updated_at = :at,
      record_id = coalesce(now.record_id, targets.record_id)
    FROM {rows} AS now WHERE targets.id = now.id
    """,
    rows={
        "id": "int",
        "status": "text",
        "failures": "int",
        "haste": "int",
        "next_due_at": "int",
        "last_status": "text",
        "record_id": "int",
    },
    args={"at": "int"},
)

HIGHEST = 2**31


def claim_due(conn: Connection, source_id: int, *, now: datetime, most: int) -> list[AnyRow]:
    """The next due targets, higher priorities first; nobody else gets them meanwhile."""
    found: list[AnyRow] = []
    for priority in _priorities(conn, source_id):
        room = most - len(found)
        found += _DUE(conn, source_id=source_id, priority=priority, now=micros(now), most=room)
        if len(found) >= most:
            break
    _TAKE(conn, [(row.id,) for row in found], until=micros(now + TAKEN_FOR))
    return found


def any_due(conn: Connection, source_id: int, *, now: datetime) -> bool:
    """Is there anything to look at?"""
    return any(
        _DUE(conn, source_id=source_id, priority=priority, now=micros(now), most=1)
        for priority in _priorities(conn, source_id)
    )


def _priorities(conn: Connection, source_id: int) -> Iterator[int]:
    """Those in use, the highest first: one look-up for each."""
    below = HIGHEST
    while (priority := _PRIORITY_BELOW(conn, source_id=source_id, below=below)[0].priority) is not None:
        yield priority
        below = priority


def mark_neglected(
    conn: Connection, source_id: int, *, before: datetime, now: datetime, most: int = 1_000
) -> int:
    """Active targets that were due before then, and nobody came, are stale; how many became so.

    The latest first: what is overdue for longer was found by an earlier look.
    """
    when: dict[str, Any] = {"before": micros(before), "now": micros(now)}
    return sum(
        len(_NEGLECT(conn, source_id=source_id, priority=priority, most=most, **when))
        for priority in _priorities(conn, source_id)
    )


def load_checked(conn: Connection, ids: Sequence[int]) -> Sequence[AnyRow]:
    """Targets whose look has ended."""
    return _LOOKED_AT(conn, [(i,) for i in ids])


def save_results(conn: Connection, rows: Sequence[Sequence[Any]], *, now: datetime) -> None:
    """(id, status, failures, haste, next due, last status, record): how they stand now."""
    _SETTLE(conn, rows, at=micros(now))
