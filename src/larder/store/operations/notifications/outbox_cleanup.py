"""Deletes sent notifications, and turns those of unknown channels into dead letters."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, delete, update

from larder.core.policy.delivery import GIVEN_UP_AFTER, Undelivered
from larder.store.database.statement import Statement
from larder.store.operations.notifications.dead_notifications import add_dead_letter
from larder.store.tables import outbox
from larder.store.tables.columns import micros

RETENTION = timedelta(days=30)


class _Unsendable(NamedTuple):
    id: int
    channel: str


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
    """Dead-letter notifications that waited a week for a channel that is not configured; how many."""
    undeliverable = _LOST(conn, [(name,) for name in channels], before=micros(now - GIVEN_UP_AFTER))
    for channel in sorted({row.channel for row in undeliverable}):
        ids = [row.id for row in undeliverable if row.channel == channel]
        conn.execute(update(outbox).where(outbox.c.id.in_(ids)).values(status="dead"))
        add_dead_letter(conn, channel, ids, Undelivered(error="there is no such channel any more"), now=now)
    return len(undeliverable)


def resend(conn: Connection, ids: Sequence[int], *, now: datetime) -> int:
    """Queue given-up notifications again; how many."""
    dead = outbox.c.id.in_(ids) & (outbox.c.status == "dead")
    values = {"status": "pending", "attempts": 0, "next_at": now, "created_at": now, "error": None}
    return conn.execute(update(outbox).where(dead).values(**values)).rowcount


def delete_sent(conn: Connection, *, now: datetime) -> int:
    """Delete notifications sent before the retention time; how many."""
    over = outbox.c.status.in_(("sent", "routed")) & (outbox.c.created_at < now - RETENTION)
    return conn.execute(delete(outbox).where(over)).rowcount
