"""Confidence in SQL: the same integers as `core.policy.freshness`, on both databases."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Connection, and_, case, literal, or_, type_coerce, update

from larder.core.model.record import Verification
from larder.core.policy.freshness import DOUBTED, HOUR_S, SHOWN, Freshness
from larder.store.tables import records
from larder.store.tables.columns import micros

SECOND_US = 1_000_000


class FreshnessColumns(NamedTuple):
    """A record's freshness as its columns store it."""

    base: int
    rate: int
    anchored_at: int
    shown_until: int
    dead_at: int

    @classmethod
    def of(cls, freshness: Freshness) -> "FreshnessColumns":
        """The columns of a freshness, with the times at which it crosses each threshold."""
        return cls(
            freshness.base,
            freshness.rate,
            micros(freshness.anchored_at),
            micros(freshness.shown_until),
            micros(freshness.dead_at),
        )


def confidence(now: datetime) -> ColumnElement[int]:
    """The confidence of a record at `now`, 0 … 100: 0 if it is gone, at most `DOUBTED` if its page is
    missing.

    `//` divides integers in both databases.
    """
    anchored_s = type_coerce(records.c.anchored_at, BigInteger) // SECOND_US
    age = literal(micros(now) // SECOND_US, BigInteger) - anchored_s
    left = records.c.base - records.c.rate * case((age > 0, age), else_=0) // HOUR_S
    return case(
        (or_(left <= 0, records.c.verification == Verification.GONE), 0),
        (and_(records.c.missing_at.is_not(None), left > DOUBTED), DOUBTED),
        else_=left,
    )


def recompute_crossings(conn: Connection, source_id: int, *, rate: int) -> None:
    """Set the rate at which confidence falls, and when each record of a source crosses each threshold."""
    anchored_s = type_coerce(records.c.anchored_at, BigInteger) // SECOND_US

    def crossing(threshold: int) -> Any:
        points = records.c.base - threshold + 1
        return type_coerce(
            (anchored_s + (HOUR_S * points + rate - 1) // rate) * SECOND_US, records.c.dead_at.type
        )

    conn.execute(
        update(records)
        .where(records.c.source_id == source_id)
        .values(rate=rate, shown_until=crossing(SHOWN), dead_at=crossing(1))
    )
