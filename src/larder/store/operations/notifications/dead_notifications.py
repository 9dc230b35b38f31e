"""Writes dead letters for notifications that could not be delivered."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, insert

from larder.core.errors import Category
from larder.core.plurals import plural
from larder.core.policy.delivery import Undelivered
from larder.store.tables import dead_letters


def add_dead_letter(
    conn: Connection, channel: str, ids: Sequence[int], failure: Undelivered, *, now: datetime
) -> None:
    """Write a dead letter for these notifications; it is retried by an operator only."""
    letter = {
        "stage": "notify",
        "category": Category.VALIDATION if failure.refused else Category.NETWORK,
        "type": "refused" if failure.refused else "undelivered",
        "message": f"{plural(len(ids), 'message')} to {channel}: {failure.error}",
        "payload": {"channel": channel, "outbox": list(ids)},
        "created_at": now,
    }
    conn.execute(insert(dead_letters).values(letter))
