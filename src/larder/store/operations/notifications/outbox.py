"""The outbox: notifications are written with their cause and sent when their channel is available.

`route` copies a notification without a channel to every channel whose minimum severity it reaches. A channel
sends in the order of writing. Its first notifications are sent as one message under a lease; until it is
delivered or given up, the others wait. A retry sends the same message with the same key. The number of the
attempt is a fencing token: an answer after the lease was lost changes nothing.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from larder.core.policy.alerting import Severity, send_at
from larder.core.policy.delivery import (
    Delivered,
    DeliveryResult,
    Undelivered,
    retry_at,
    retry_wait,
)
from larder.store.database.statement import Statement, json_value
from larder.store.operations.notifications.dead_notifications import add_dead_letter
from larder.store.tables.columns import micros, moment

MAX_NOTIFICATIONS = 100
"""The most in one message."""
LEASE = timedelta(minutes=2)
"""Longer than the timeout of any channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """One event to report."""

    id: int
    topic: str
    severity: Severity
    payload: Mapping[str, Any]
    written_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Notifications that go to a channel together."""

    channel: str
    notes: Sequence[Notification]
    attempt: int
    key: str
    """The same at each attempt, and unique to this message."""


class _Unrouted(NamedTuple):
    id: int
    severity: str


class _Pending(NamedTuple):
    id: int
    topic: str
    severity: str
    payload: Any
    created_at: int
    attempts: int
    next_at: int


# -- writing -----------------------------------------------------------------------------------------------

_ADD = Statement(
    """
    INSERT INTO outbox (topic, channel, severity, dedupe_key, payload, next_at, created_at)
    SELECT topic, channel, severity, dedupe_key, payload, :next_at, :now FROM {rows} AS given WHERE true
    ON CONFLICT (dedupe_key) DO NOTHING RETURNING id
    """,
    scalar=int,
    rows={"topic": "text", "channel": "text", "severity": "text", "dedupe_key": "text", "payload": "json"},
    args={"next_at": "int", "now": "int"},
)

_UNROUTED = Statement(
    """
    UPDATE outbox SET status = 'routed', sent_at = :now WHERE status = 'pending' AND channel IS NULL
    RETURNING id, severity
    """,
    row=_Unrouted,
    args={"now": "int"},
)

_COPY = Statement(
    """
    INSERT INTO outbox (topic, channel, severity, dedupe_key, payload, next_at, created_at)
    SELECT said.topic, routed.channel, said.severity, said.id || '@' || routed.channel, said.payload,
      said.next_at, said.created_at
    FROM {rows} AS routed JOIN outbox AS said ON said.id = routed.id WHERE true
    ORDER BY said.id, routed.channel
    ON CONFLICT (dedupe_key) DO NOTHING
    """,
    rows={"id": "int", "channel": "text"},
)


def add(
    conn: Connection,
    *,
    topic: str,
    channel: str | None,
    payload: Mapping[str, Any],
    dedupe_key: str | None,
    severity: str,
    now: datetime,
) -> bool:
    """Add a notification for one channel, or (None) for all; False if the dedupe key was used before."""
    row = (topic, channel, severity, dedupe_key, dict(payload))
    return bool(_ADD(conn, [row], next_at=micros(send_at(severity, now)), now=micros(now)))


def route(conn: Connection, minimums: Mapping[str, Severity], *, now: datetime) -> int:
    """Copy notifications without a channel to the channels whose minimum they reach; how many."""
    unrouted = _UNROUTED(conn, now=micros(now))
    copies = [
        (row.id, channel)
        for row in sorted(unrouted)
        for channel, minimum in minimums.items()
        if Severity(row.severity).reaches(minimum)
    ]
    _COPY(conn, copies)
    return len(unrouted)


# -- sending -----------------------------------------------------------------------------------------------

_COLUMNS = ", ".join(_Pending._fields)
_TRIED = Statement(
    f"""
    SELECT {_COLUMNS} FROM outbox WHERE status = 'pending' AND channel = :channel AND attempts > 0 ORDER BY id
    """,
    row=_Pending,
    args={"channel": "text"},
)
_UNTRIED = Statement(
    f"""
    SELECT {_COLUMNS} FROM outbox WHERE status = 'pending' AND channel = :channel AND attempts = 0
    ORDER BY id LIMIT :limit
    """,
    row=_Pending,
    args={"channel": "text", "limit": "int"},
)
_URGENT = Statement(
    f"""
    SELECT {_COLUMNS} FROM outbox WHERE status = 'pending' AND channel = :channel AND severity = 'P1'
    ORDER BY attempts, id LIMIT :limit
    """,
    row=_Pending,
    args={"channel": "text", "limit": "int"},
)
"""Among notifications that were tried, `_TRIED` decides."""
_LEASE = Statement(
    """
    UPDATE outbox SET attempts = :attempt, next_at = :until WHERE id IN (SELECT id FROM {rows} AS taken)
    """,
    rows={"id": "int"},
    args={"attempt": "int", "until": "int"},
)
_SETTLE = Statement(
    """
    UPDATE outbox SET status = :status, attempts = :attempts, next_at = :next_at, error = :error,
      sent_at = CASE WHEN :status = 'sent' THEN :now ELSE NULL END
    WHERE id IN (SELECT id FROM {rows} AS sent) AND attempts = :attempt AND status = 'pending' RETURNING id
    """,
    scalar=int,
    rows={"id": "int"},
    args={"status": "text", "error": "text"}
    | dict.fromkeys(("attempts", "next_at", "now", "attempt"), "int"),
)
_ALONE = Statement(
    "SELECT pg_try_advisory_xact_lock(hashtextextended(:name, 0))", scalar=bool, args={"name": "text"}
)


def try_lock(conn: Connection, name: str) -> bool:
    """Take a lock until the transaction ends; False if another one holds it. (SQLite has one writer.)"""
    return conn.dialect.name == "sqlite" or _ALONE(conn, name=f"larder outbox {name}")[0]


def claim(
    conn: Connection,
    channel: str,
    *,
    now: datetime,
    limit: int = MAX_NOTIFICATIONS,
    flush: bool = False,
    quiet: bool = False,
) -> Message | None:
    """The next message of a channel, if one is due; `flush`: also if it is not; `quiet`: only P1."""
    if not try_lock(conn, channel):
        return None
    if quiet and not _URGENT(conn, channel=channel, limit=1):
        return None
    rows = _due(conn, channel, _URGENT if quiet else _UNTRIED, now=micros(now), limit=limit, flush=flush)
    if not rows:
        return None
    attempt = max(row.attempts for row in rows) + 1
    _LEASE(conn, [(row.id,) for row in rows], attempt=attempt, until=micros(now + LEASE))
    return Message(channel=channel, notes=[_note(row) for row in rows], attempt=attempt, key=_key(rows))


def _due(
    conn: Connection, channel: str, waiting: Statement[_Pending], *, now: int, limit: int, flush: bool
) -> Sequence[_Pending]:
    """The notifications that are due.

    A message that was tried before goes first, unchanged; others go as soon as one of them is due. In quiet
    hours a tried one goes only if a P1 waits behind it.
    """
    pending = _TRIED(conn, channel=channel)
    if pending:
        return pending if all(row.next_at <= now for row in pending) else ()
    untried: list[_Pending] = waiting(conn, channel=channel, limit=limit)
    return untried if flush or any(row.next_at <= now for row in untried) else ()


def record_answer(conn: Connection, message: Message, answer: DeliveryResult, *, now: datetime) -> bool:
    """Store the channel's answer; False if the lease was lost."""
    if isinstance(answer, Delivered):
        return _mark(conn, message, message.notes, status="sent", at=now, now=now)
    if answer.refused and len(message.notes) > 1:
        return _halve(conn, message, answer, now=now)
    written_at = min(note.written_at for note in message.notes)
    next_at = retry_at(answer, attempts=message.attempt, written_at=written_at, now=now)
    if next_at is not None:
        return _mark(conn, message, message.notes, at=next_at, error=answer.error, now=now)
    ours = _mark(conn, message, message.notes, status="dead", at=now, error=answer.error, now=now)
    if ours:
        add_dead_letter(conn, message.channel, [note.id for note in message.notes], answer, now=now)
    return ours


def _halve(conn: Connection, message: Message, refusal: Undelivered, *, now: datetime) -> bool:
    """Retry with half of the notifications, so that a refused one is isolated and the others are sent."""
    half = len(message.notes) // 2
    next_at = now + retry_wait(1)
    _mark(conn, message, message.notes[half:], attempts=0, at=now, error=refusal.error, now=now)
    return _mark(conn, message, message.notes[:half], attempts=1, at=next_at, error=refusal.error, now=now)


def _mark(
    conn: Connection,
    message: Message,
    notes: Sequence[Notification],
    *,
    at: datetime,
    now: datetime,
    status: str = "pending",
    attempts: int | None = None,
    error: str | None = None,
) -> bool:
    marked = _SETTLE(
        conn,
        [(note.id,) for note in notes],
        status=status,
        attempts=message.attempt if attempts is None else attempts,
        next_at=micros(at),
        error=error,
        now=micros(now),
        attempt=message.attempt,
    )
    return bool(marked)


_DUE = Statement(
    "SELECT EXISTS (SELECT 1 FROM outbox WHERE status = 'pending' AND next_at <= :now)",
    scalar=int,
    args={"now": "int"},
)


def is_due(conn: Connection, *, now: datetime) -> bool:
    """Whether a notification may be sent now."""
    return bool(_DUE(conn, now=micros(now))[0])


def _note(row: _Pending) -> Notification:
    return Notification(
        id=row.id,
        topic=row.topic,
        severity=Severity(row.severity),
        payload=json_value(row.payload),
        written_at=moment(row.created_at),
    )


def _key(rows: Sequence[_Pending]) -> str:
    ids = ",".join(f"{row.id}@{row.created_at}" for row in rows)
    return hashlib.sha256(ids.encode()).hexdigest()[:32]
