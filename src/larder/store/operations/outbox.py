"""What is to be said to the outside, written with what caused it and sent when the channel can be reached.

A row without a channel is for whoever wants to hear it: `route` copies it into the line of each channel that
does. A channel's line moves in the order in which it was written. The notes at its front leave together as
one message, under a lease: while it is under way, or waits to be tried again, the line waits behind it. When
it is tried again it is the very same message, with the same key, so that a receiver can tell.

The number of the attempt is the fence: an answer that comes back when the lease was lost changes nothing.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, update

from larder.core.errors import Category
from larder.core.policy.alerting import Severity, send_at
from larder.core.policy.delivery import (
    GIVEN_UP_AFTER,
    Delivered,
    DeliveryResult,
    Undelivered,
    retry_at,
    retry_wait,
)
from larder.store.database.statement import Statement, loads
from larder.store.tables import dead_letters, outbox
from larder.store.tables.columns import micros, moment

MAX_NOTIFICATIONS = 100
"""Notes in one message."""
LEASE = timedelta(minutes=2)
"""Longer than any channel is given to answer."""
RETENTION = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """One thing to say."""

    id: int
    topic: str
    severity: Severity
    payload: Mapping[str, Any]
    written_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Notes that go to a channel together."""

    channel: str
    notes: Sequence[Notification]
    attempt: int
    key: str
    """The same at each attempt, and no other message's."""


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


class _Unsendable(NamedTuple):
    id: int
    channel: str


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
    """Something to say, to one channel or (None) to all that want it; False where the key was used before."""
    row = (topic, channel, severity, dedupe_key, dict(payload))
    return bool(_ADD(conn, [row], next_at=micros(send_at(severity, now)), now=micros(now)))


def route(conn: Connection, minimums: Mapping[str, Severity], *, now: datetime) -> int:
    """Put what was said to nobody in particular into the lines of those who want to hear it."""
    unrouted = _UNROUTED(conn, now=micros(now))
    _COPY(
        conn,
        [
            (row.id, channel)
            for row in sorted(unrouted)
            for channel, minimum in minimums.items()
            if Severity(row.severity).reaches(minimum)
        ],
    )
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
    ORDER BY id LIMIT :most
    """,
    row=_Pending,
    args={"channel": "text", "most": "int"},
)
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
    """Whether nobody else is at this in a transaction of their own. (On SQLite nobody can be.)"""
    return conn.dialect.name == "sqlite" or _ALONE(conn, name=f"larder outbox {name}")[0]


def claim(
    conn: Connection,
    channel: str,
    *,
    now: datetime,
    lease: timedelta = LEASE,
    most: int = MAX_NOTIFICATIONS,
    flush: bool = False,
) -> Message | None:
    """The next message of a channel's line, if it may go now; `flush`: even if it could wait for company."""
    if not try_lock(conn, channel):
        return None
    rows = _front(conn, channel, now=micros(now), most=most, flush=flush)
    if not rows:
        return None
    attempt = max(row.attempts for row in rows) + 1
    _LEASE(conn, [(row.id,) for row in rows], attempt=attempt, until=micros(now + lease))
    return Message(channel=channel, notes=[_note(row) for row in rows], attempt=attempt, key=_key(rows))


def _front(conn: Connection, channel: str, *, now: int, most: int, flush: bool) -> Sequence[_Pending]:
    """What was tried before goes first and as it was; what was not goes as soon as one of it is due."""
    tried = _TRIED(conn, channel=channel)
    if tried:
        return tried if all(row.next_at <= now for row in tried) else ()
    untried = _UNTRIED(conn, channel=channel, most=most)
    return untried if flush or any(row.next_at <= now for row in untried) else ()


def record_answer(conn: Connection, message: Message, answer: DeliveryResult, *, now: datetime) -> bool:
    """What the channel answered; False where the message was somebody else's by then."""
    if isinstance(answer, Delivered):
        return _mark(conn, message, message.notes, status="sent", at=now, now=now)
    if answer.refused and len(message.notes) > 1:
        return _halve(conn, message, answer, now=now)
    written_at = min(note.written_at for note in message.notes)
    again = retry_at(answer, attempts=message.attempt, written_at=written_at, now=now)
    if again is not None:
        return _mark(conn, message, message.notes, at=again, error=answer.error, now=now)
    ours = _mark(conn, message, message.notes, status="dead", at=now, error=answer.error, now=now)
    if ours:
        _bury(conn, message.channel, [note.id for note in message.notes], answer, now=now)
    return ours


def _halve(conn: Connection, message: Message, refusal: Undelivered, *, now: datetime) -> bool:
    """One note at fault must not cost the others: half of them, then half of those, until it is alone."""
    half = len(message.notes) // 2
    again = now + retry_wait(1)
    _mark(conn, message, message.notes[half:], attempts=0, at=now, error=refusal.error, now=now)
    return _mark(conn, message, message.notes[:half], attempts=1, at=again, error=refusal.error, now=now)


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


def _bury(conn: Connection, channel: str, ids: Sequence[int], failure: Undelivered, *, now: datetime) -> None:
    """For a person: nothing tries it again by itself."""
    letter = {
        "stage": "notify",
        "category": Category.VALIDATION if failure.refused else Category.NETWORK,
        "type": "refused" if failure.refused else "undelivered",
        "message": f"{len(ids)} messages to {channel}: {failure.error}",
        "payload": {"channel": channel, "outbox": list(ids)},
        "created_at": now,
    }
    conn.execute(insert(dead_letters).values(letter))


_DUE = Statement(
    "SELECT EXISTS (SELECT 1 FROM outbox WHERE status = 'pending' AND next_at <= :now)",
    scalar=int,
    args={"now": "int"},
)


def is_due(conn: Connection, *, now: datetime) -> bool:
    """Whether a notification may be sent now."""
    return bool(_DUE(conn, now=micros(now))[0])


# -- keeping -----------------------------------------------------------------------------------------------

_LOST = Statement(
    """
    SELECT id, channel FROM outbox WHERE status = 'pending' AND channel IS NOT NULL
      AND channel NOT IN (SELECT channel FROM {rows} AS known) AND created_at < :before
    """,
    row=_Unsendable,
    rows={"channel": "text"},
    args={"before": "int"},
)


def dead_letter_unknown_channels(conn: Connection, channels: Sequence[str], *, now: datetime) -> int:
    """What waits for a channel that nobody configures any more becomes a dead letter after a week, too."""
    lost = _LOST(conn, [(name,) for name in channels], before=micros(now - GIVEN_UP_AFTER))
    for channel in sorted({row.channel for row in lost}):
        ids = [row.id for row in lost if row.channel == channel]
        conn.execute(update(outbox).where(outbox.c.id.in_(ids)).values(status="dead"))
        _bury(conn, channel, ids, Undelivered(error="there is no such channel"), now=now)
    return len(lost)


def resend(conn: Connection, ids: Sequence[int], *, now: datetime) -> int:
    """Send again what was given up."""
    dead = outbox.c.id.in_(ids) & (outbox.c.status == "dead")
    fresh = {"status": "pending", "attempts": 0, "next_at": now, "created_at": now, "error": None}
    return conn.execute(update(outbox).where(dead).values(**fresh)).rowcount


def delete_sent(conn: Connection, *, now: datetime) -> int:
    """Let go of what was sent long ago."""
    over = outbox.c.status.in_(("sent", "routed")) & (outbox.c.created_at < now - RETENTION)
    return conn.execute(delete(outbox).where(over)).rowcount


def _note(row: _Pending) -> Notification:
    return Notification(
        id=row.id,
        topic=row.topic,
        severity=Severity(row.severity),
        payload=loads(row.payload),
        written_at=moment(row.created_at),
    )


def _key(rows: Sequence[_Pending]) -> str:
    said = ",".join(f"{row.id}@{row.created_at}" for row in rows)
    return hashlib.sha256(said.encode()).hexdigest()[:32]
