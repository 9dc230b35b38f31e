"""Targets from feeds: `feed_at` is the last reading that named them; None if a person added them.

A target that left its feed is disabled (`enabled`), with the time (`left_feed_at`); it is enabled again once
the feed names it again. Targets that a person disabled or blocked stay so.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from larder.core.model.page import FeedAddress
from larder.store.database.statement import Statement
from larder.store.tables.columns import micros

_BACK = Statement(
    """
    UPDATE targets SET enabled = 1, left_feed_at = NULL, next_due_at = :now, updated_at = :now
    FROM {rows} AS named
    WHERE targets.source_id = :source_id AND targets.canonical_url = named.canonical_url
      AND targets.left_feed_at IS NOT NULL
    RETURNING targets.id
    """,
    scalar=int,
    rows={"canonical_url": "text"},
    args={"source_id": "int", "now": "int"},
)

_KEEP = Statement(
    """
    UPDATE targets SET feed_at = :read_at FROM {rows} AS named
    WHERE targets.source_id = :source_id AND targets.canonical_url = named.canonical_url
      AND targets.feed_at IS NOT NULL
    """,
    rows={"canonical_url": "text"},
    args={"source_id": "int", "read_at": "int"},
)

_ADD = Statement(
    """
    INSERT INTO targets
      (source_id, url, canonical_url, next_due_at, feed_at, created_by, created_at, updated_at)
    SELECT :source_id, url, canonical_url, :now, :read_at, :who, :now, :now FROM {rows} AS named
    WHERE NOT EXISTS (
      SELECT 1 FROM targets
      WHERE targets.source_id = :source_id AND targets.canonical_url = named.canonical_url
    )
    ON CONFLICT DO NOTHING
    RETURNING id
    """,
    scalar=int,
    rows={"url": "text", "canonical_url": "text"},
    args={"source_id": "int", "now": "int", "read_at": "int", "who": "text"},
)

_LEAVE = Statement(
    """
    UPDATE targets SET enabled = 0, left_feed_at = :now, updated_at = :now
    WHERE source_id = :source_id AND feed_at <> :read_at AND enabled = 1 AND blocked = 0
    RETURNING id
    """,
    scalar=int,
    args={"source_id": "int", "read_at": "int", "now": "int"},
)


def keep(
    conn: Connection, source_id: int, canonical_urls: Sequence[str], *, read_at: datetime, now: datetime
) -> int:
    """Store that the feed still names these canonical URLs; how many of these targets had left it."""
    addresses = [(url,) for url in canonical_urls]
    returned = _BACK(conn, addresses, source_id=source_id, now=micros(now))
    _KEEP(conn, addresses, source_id=source_id, read_at=micros(read_at))
    return len(returned)


def add(
    conn: Connection,
    source_id: int,
    addresses: Sequence[FeedAddress],
    *,
    read_at: datetime,
    who: str,
    now: datetime,
) -> int:
    """Add the addresses that are no targets yet; how many."""
    times = {"now": micros(now), "read_at": micros(read_at)}
    return len(_ADD(conn, addresses, source_id=source_id, who=who, **times))


def leave(conn: Connection, source_id: int, *, read_at: datetime, now: datetime) -> int:
    """Disable targets from the feed that this reading did not name; how many."""
    return len(_LEAVE(conn, source_id=source_id, read_at=micros(read_at), now=micros(now)))
