"""Reads lanes without leasing any: which wait, when one is due, who holds them."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from larder.store.database.statement import Statement
from larder.store.tables import lanes
from larder.store.tables.columns import micros, moment_or_none

_NEXT_LOOK: Statement[int | None] = Statement(
    """
    SELECT min(at) AS at FROM (
      SELECT at FROM (
        SELECT next_at AS at FROM lanes
        WHERE next_at IS NOT NULL
          AND (lease_owner = :owner OR (:others = 1 AND (lease_until IS NULL OR lease_until <= :now)))
        ORDER BY next_at LIMIT 1) AS ours
      UNION ALL
      SELECT at FROM (
        SELECT lease_until AS at FROM lanes
        WHERE :others = 1 AND next_at IS NOT NULL AND lease_owner <> :owner AND lease_until > :now
        ORDER BY next_at LIMIT 1) AS theirs
    ) AS looks
    """,
    scalar=int,
    args={"owner": "text", "now": "int", "others": "int"},
)


class LaneCounts(NamedTuple):
    """Of all lanes, how many are due, whoever holds them; and how many lanes with work one worker holds."""

    due: int
    held: int


_COUNT = Statement(
    """
    SELECT (SELECT count(*) FROM (SELECT 1 FROM lanes WHERE next_at <= :until LIMIT :limit) AS due) AS due,
           (SELECT count(*) FROM lanes
            WHERE next_at IS NOT NULL AND lease_owner = :owner AND lease_until > :now) AS held
    """,
    row=LaneCounts,
    args={"owner": "text", "now": "int", "until": "int", "limit": "int"},
)

_COUNT_HELD = Statement(
    """
    SELECT count(*) FROM lanes
    WHERE next_at IS NOT NULL AND lease_owner = :owner AND lease_until > :now
    """,
    scalar=int,
    args={"owner": "text", "now": "int"},
)

_COUNT_WAITING = Statement(
    """
    SELECT count(*) FROM (
      SELECT 1 FROM lanes WHERE next_at <= :until AND (lease_until IS NULL OR lease_until <= :now)
      LIMIT :limit) AS waiting
    """,
    scalar=int,
    args={"now": "int", "until": "int", "limit": "int"},
)


def count(conn: Connection, *, owner: str, now: datetime, until: datetime, limit: int) -> LaneCounts:
    """Count lanes that are due by `until`, up to the limit, and those that a worker holds."""
    return _COUNT(conn, owner=owner, now=micros(now), until=micros(until), limit=limit)[0]


def count_held(conn: Connection, *, owner: str, now: datetime) -> int:
    """Count lanes with work that a worker holds."""
    return _COUNT_HELD(conn, owner=owner, now=micros(now))[0]


def count_waiting(conn: Connection, *, now: datetime, until: datetime, limit: int) -> int:
    """Count lanes that are due by then and that nobody holds, up to the limit."""
    return _COUNT_WAITING(conn, now=micros(now), until=micros(until), limit=limit)[0]


def list_hosts(conn: Connection, *, now: datetime) -> list[str]:
    """The machines whose workers hold lanes."""
    query = select(lanes.c.lease_owner).where(lanes.c.lease_owner.is_not(None), lanes.c.lease_until > now)
    return sorted({owner.rsplit(":", 2)[0] for owner in conn.scalars(query)})


def next_look_at(conn: Connection, *, owner: str, now: datetime, own_only: bool = False) -> datetime | None:
    """When a lane is due next; for a lane of another worker (unless `own_only`), when its lease expires."""
    return moment_or_none(_NEXT_LOOK(conn, owner=owner, now=micros(now), others=int(not own_only))[0])
