"""Retries dead letters, a few at each tick: after 1, 2 and 4 hours; then a person decides.

A retry passes the same gates as a run. A shut gate is no failure: the letter waits until it opens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from larder.core.model.hint import Hint
from larder.core.policy.scheduling.gates import Gate, GateReason, closed_gates
from larder.engine.scheduling.backpressure import QueueState
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.scheduling.gate_facts import gate_facts
from larder.store.database import Connection
from larder.store.operations.notifications import outbox_cleanup
from larder.store.queue import dead_letters, schedules
from larder.store.queue.dead_letter_rows import RetriableDeadLetter, UnsentMessage
from larder.store.queue.dead_letters import DeadLetterStatus

MAX_PER_TICK = 50
LOOK_AGAIN = timedelta(minutes=10)
"""How often a letter of a source that is held back is tried."""
_NO_MATTER = frozenset({Gate.ALREADY_RUNNING, Gate.SITE_COOLING_DOWN})
"""Gates that do not stop a retry: it opens no run, and its lane waits while a site cools down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """The outcome of dead letters that were due, by id."""

    in_line: Sequence[int] = ()
    read_since: Sequence[int] = ()
    """Resolved: their URL was fetched and read meanwhile."""
    held_back: Sequence[int] = ()
    sent_again: Sequence[int] = ()
    """Messages queued again for their channel."""


def retry_due_dead_letters(conn: Connection, settings: DispatchSettings, *, now: datetime) -> Retried:
    """Retry dead letters that are due."""
    dead_letters.reset_interrupted(conn)
    ripe = dead_letters.list_due(conn, now=now, limit=MAX_PER_TICK)
    if not ripe:
        return Retried()
    closed = held_back(conn, ripe, settings, now=now)
    waiting = [row.id for row in ripe if row.source_id in closed]
    dead_letters.postpone(conn, waiting, now + LOOK_AGAIN)
    done = retry(conn, [row for row in ripe if row.source_id not in closed], counted=True, now=now)
    return Retried(in_line=done.in_line, read_since=done.read_since, held_back=waiting)


def retry(conn: Connection, rows: Sequence[RetriableDeadLetter], *, counted: bool, now: datetime) -> Retried:
    """Requeue these letters, except what was read meanwhile."""
    if not rows:
        return Retried()
    since = set(dead_letters.list_read_since(conn, rows))
    in_line = dead_letters.retry(conn, [row for row in rows if row.id not in since], counted=counted, now=now)
    over = dead_letters.close(
        conn, sorted(since), DeadLetterStatus.RESOLVED, who=dead_letters.AUTOMATIC, now=now
    )
    return Retried(in_line=in_line, read_since=over)


def resend_messages(
    conn: Connection, rows: Sequence[UnsentMessage], *, who: str, now: datetime
) -> Sequence[int]:
    """Queue undelivered messages for their channel again."""
    for row in rows:
        outbox_cleanup.resend(conn, row.payload["outbox"], now=now)
    return dead_letters.close(conn, [row.id for row in rows], DeadLetterStatus.RESOLVED, who=who, now=now)


def held_back(
    conn: Connection, rows: Sequence[RetriableDeadLetter], settings: DispatchSettings, *, now: datetime
) -> dict[int, list[GateReason]]:
    """Sources whose pages may not be requested now, with every reason."""
    queue = QueueState.read(conn, settings)
    found = {
        source_id: _held_back_reasons(conn, source_id, settings, queue, now)
        for source_id in {r.source_id for r in rows}
    }
    return {source_id: closed for source_id, closed in found.items() if closed}


def _held_back_reasons(
    conn: Connection, source_id: int, settings: DispatchSettings, queue: QueueState, now: datetime
) -> list[GateReason]:
    planned = schedules.list_by_source(conn, source_id)
    if not planned:
        return [
            GateReason(gate=Gate.DISABLED, says="its source does not run", todo=Hint(action="source.list"))
        ]
    closed = closed_gates(gate_facts(planned[0], settings, queue, now), now)
    return [reason for reason in closed if reason.gate not in _NO_MATTER]
