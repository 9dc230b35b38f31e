"""Corrects times in the future that a clock left which was ahead and was set back.

Each tick stores its time. A tick that is earlier than a previous one shows that the clock was set back. Then
every column that says when something happened is set to now if it lies ahead, and every column that something
waits for is set to now if it lies further ahead than that wait can last.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Table, and_, literal, type_coerce, update

from larder.core.policy.freshness import HOUR_S, SHOWN
from larder.core.policy.trust.circuit import COOLDOWN_MAX
from larder.store.database.statement import Statement
from larder.store.dataset.freshness import SECOND_US
from larder.store.operations import key_values
from larder.store.queue.jobs import HELD_UNTIL
from larder.store.tables import (
    adapter_states,
    blobs,
    circuits,
    dead_letters,
    images,
    jobs,
    keys,
    lanes,
    outbox,
    proxy_lanes,
    records,
    robots,
    runs,
    schedules,
    sessions,
    targets,
)
from larder.store.tables.columns import Moment, metadata, micros

TICKED = "ticked_at"
TOLERANCE = timedelta(minutes=2)
"""Clocks of workers differ by less; a smaller step back needs no correction."""
MARK_EVERY = timedelta(minutes=1)
DAY = timedelta(days=1)

WAITS: dict[Column[Any], timedelta] = {
    lanes.c.next_at: timedelta(0),
    lanes.c.open_at: timedelta(hours=1),
    lanes.c.cooling_until: DAY,
    lanes.c.lease_until: timedelta(hours=1),
    proxy_lanes.c.open_at: timedelta(hours=1),
    circuits.c.until: COOLDOWN_MAX,
    jobs.c.not_before: DAY + timedelta(hours=1),
    runs.c.parked_until: DAY + timedelta(hours=1),
    dead_letters.c.retry_at: DAY,
    images.c.next_at: DAY,
    outbox.c.next_at: DAY,
    adapter_states.c.probe_at: DAY,
    robots.c.expires_at: DAY,
    blobs.c.stored_at: 2 * DAY,
    sessions.c.expires_at: DAY,
}
"""Columns that something waits for, and the longest possible wait."""
_OTHERS = frozenset(
    {
        records.c.starts_at,
        records.c.ends_at,
        records.c.anchored_at,
        records.c.shown_until,
        records.c.dead_at,
        jobs.c.claim_order,
        jobs.c.slot_opens_at,
        jobs.c.slot_closes_at,
        schedules.c.next_at,
        targets.c.next_due_at,
        keys.c.expires_at,
    }
)
"""Neither: they have rules of their own, or people set them."""

_MARK: Statement[int | None] = Statement(
    "SELECT updated_at FROM facts WHERE name = :name", scalar=int, args={"name": "text"}
)


def went_back(conn: Connection, *, now: datetime) -> bool:
    """Whether an earlier tick was later than this one; this tick's time is stored."""
    (latest,) = _MARK(conn, name=TICKED) or [0]
    back = (latest or 0) > micros(now + TOLERANCE)
    if back or (latest or 0) <= micros(now - MARK_EVERY):
        key_values.write(conn, TICKED, None, now=now)
    return back


def end_at_now(conn: Connection, *, now: datetime) -> None:
    """Set to now times of events in the future, and times that are waited for longer than possible."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, Moment) and column not in _OTHERS:
                _cut(conn, table, column, now)
    _anchor_records(conn, now)
    _targets_due(conn, now)


def _cut(conn: Connection, table: Table, column: Column[Any], now: datetime) -> None:
    ahead = column > now + WAITS.get(column, timedelta(0))
    if column is jobs.c.not_before:
        ahead = and_(ahead, column < HELD_UNTIL)
    conn.execute(update(table).where(ahead).values({column: now}))


def _anchor_records(conn: Connection, now: datetime) -> None:
    """Let confidence fall from now if it was to fall from later."""
    now_s, second = literal(micros(now) // SECOND_US, BigInteger), literal(SECOND_US, BigInteger)

    def crossing(line: int) -> Any:
        points = HOUR_S * (records.c.base - line + 1)
        rate = records.c.rate
        return type_coerce((now_s + (points + rate - 1) // rate) * second, records.c.dead_at.type)

    anchored = {"anchored_at": now, "shown_until": crossing(SHOWN), "dead_at": crossing(1)}
    conn.execute(update(records).where(records.c.anchored_at > now).values(anchored))


def _targets_due(conn: Connection, now: datetime) -> None:
    """A target waits for its interval, a broken one for a week; a calendar may name a day further ahead."""
    interval = targets.c.interval_s * literal(SECOND_US, BigInteger)
    condition = type_coerce(targets.c.next_due_at, BigInteger) - micros(now) > interval
    late = and_(condition, targets.c.next_due_at > now + 7 * DAY)
    soon = and_(condition, targets.c.cron.is_(None), targets.c.status != "broken")
    conn.execute(update(targets).where(soon | late).values(next_due_at=now))
