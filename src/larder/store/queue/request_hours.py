"""Counts the requests of a source to its site, by purpose, in each of the last 24 hours.

A fetch is counted in the transaction that stores its page, so nothing is counted twice and a kill loses none.
The rows of a source are bounded: an hour replaces the same hour of the day before.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from larder.core.model.job import Purpose
from larder.core.policy.scheduling.learned import DAY_HOURS, HOUR
from larder.core.policy.scheduling.spending import Spent
from larder.store.database.statement import Statement

Counted = Mapping[tuple[int, Purpose], int]
"""Requests by source and purpose."""


class _HourRow(NamedTuple):
    purpose: str
    hour: int
    requests: int


_ADD = Statement(
    """
    INSERT INTO request_hours (source_id, purpose, hour_of_day, hour, requests)
    SELECT source_id, purpose, hour_of_day, hour, requests FROM {rows} AS made WHERE true
    ON CONFLICT (source_id, purpose, hour_of_day) DO UPDATE SET
      requests = excluded.requests
        + CASE WHEN request_hours.hour = excluded.hour THEN request_hours.requests ELSE 0 END,
      hour = excluded.hour
    """,
    rows={"source_id": "int", "purpose": "text", "hour_of_day": "int", "hour": "int", "requests": "int"},
)
_READ = Statement(
    "SELECT purpose, hour, requests FROM request_hours WHERE source_id = :source_id AND hour > :after",
    row=_HourRow,
    args={"source_id": "int", "after": "int"},
)


def add(conn: Connection, counted: Counted, *, now: datetime) -> None:
    """Add requests made in this hour; concurrent drivers lock rows in one order."""
    hour = _hour(now)
    rows = [(source, purpose, hour % DAY_HOURS, hour, many) for (source, purpose), many in counted.items()]
    _ADD(conn, sorted(rows))


def spent(conn: Connection, source_id: int, *, now: datetime) -> Spent:
    """The requests of the last 24 hours, and the time in which they were made: less for a young source."""
    rows = _READ(conn, source_id=source_id, after=_hour(now) - DAY_HOURS)
    first = min((row.hour for row in rows), default=_hour(now))
    return Spent(
        hours=now.timestamp() / HOUR.total_seconds() - first,
        requests=sum(row.requests for row in rows),
        checks=sum(row.requests for row in rows if row.purpose == Purpose.CHECK),
    )


def _hour(at: datetime) -> int:
    return int(at.timestamp() // HOUR.total_seconds())
