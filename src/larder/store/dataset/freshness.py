"""Confidence in SQL: the same integers as `core.policy.freshness`, on both databases."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, case, literal, type_coerce

from larder.core.policy.freshness import HOUR_S, Freshness
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
    def of(cls, fresh: Freshness) -> "FreshnessColumns":
        """The columns of a freshness, with the times at which it crosses each line."""
        return cls(
            fresh.base,
            fresh.rate,
            micros(fresh.anchored_at),
            micros(fresh.shown_until),
            micros(fresh.dead_at),
        )


def confidence(now: datetime) -> ColumnElement[int]:
    """A record's confidence at `now`, 0 … 100. (`//` is integer division in both databases.)"""
    anchored_s = type_coerce(records.c.anchored_at, BigInteger) // SECOND_US
    age = literal(micros(now) // SECOND_US, BigInteger) - anchored_s
    left = records.c.base - records.c.rate * case((age > 0, age), else_=0) // HOUR_S
    return case((left > 0, left), else_=0)
