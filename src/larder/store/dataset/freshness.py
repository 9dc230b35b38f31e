"""Confidence in SQL: the same whole numbers as `core.policy.freshness`, on both databases."""

from datetime import datetime

from sqlalchemy import BigInteger, ColumnElement, case, literal, type_coerce

from larder.core.policy.freshness import HOUR_S
from larder.store.tables import records
from larder.store.tables.columns import micros

SECOND_US = 1_000_000


def confidence(now: datetime) -> ColumnElement[int]:
    """A record's confidence at `now`, 0 … 100. (`//` is integer division in both databases.)"""
    anchored_s = type_coerce(records.c.anchored_at, BigInteger) // SECOND_US
    age = literal(micros(now) // SECOND_US, BigInteger) - anchored_s
    left = records.c.base - records.c.rate * case((age > 0, age), else_=0) // HOUR_S
    return case((left > 0, left), else_=0)
