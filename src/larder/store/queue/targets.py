"""Targets: named URLs with a schedule of their own.

Due targets are found by priority, then by time, in an index: a few look-ups for each priority in use. A
claimed target is not due for an hour, or until its result is saved. A target that was not checked within
a day of its due time is stale until it is.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement
from larder.store.tables.columns import micros

TAKEN_FOR = timedelta(hours=1)
MARKED_AT_ONCE = 1_000
"""Targets of one priority that a call marks as neglected."""


class DueTarget(NamedTuple):
    """A target to fetch now."""

    id: int
    url: str


class NeverRead(NamedTuple):
    """A target that has given no record yet."""

    url: str
    last_status: str | None


class CheckedTarget(NamedTuple):
    """A target as it was before its check."""

    id: int
    status: str
    failures: int
    haste: int
    interval_s: int
    cron: str | None
    record_id: int | None


class TargetResult(NamedTuple):
    """A target after its check."""

    id: int
    status: str
    failures: int
    haste: int
    next_due_at: int | None
    last_status: str | None
    record_id: int | None


class StoredTarget(NamedTuple):
    """A target as a person configured it."""

    source_id: int
    canonical_url: str
    url: str
    interval_s: int
    priority: int
    cron: str | None = None
    notes: str | None = None
    enabled: int = 1
    blocked: int = 0
    blocked_by: str | None = None
    feed_at: int | None = None
    left_feed_at: int | None = None
    id: int = 0
    """0: it is new."""


_ENABLED = "enabled = 1 AND blocked = 0 AND status <> 'paused'"

_PRIORITY_BELOW: Statement[int | None] = Statement(
    f"""
    SELECT max(priority) FROM targets
    WHERE source_id = :source_id AND {_ENABLED} AND priority < :below
    """,
    scalar=int,
    args={"source_id": "int", "below": "int"},
)

_DUE = Statement(
    f"""
    SELECT id, url FROM targets
    WHERE source_id = :source_id AND {_ENABLED} AND priority = :priority AND next_due_at <= :now
    ORDER BY next_due_at, id LIMIT :limit
    """,
    row=DueTarget,
    args={"source_id": "int", "priority": "int", "now": "int", "limit": "int"},
)

_TAKE = Statement(
    "UPDATE targets SET next_due_at = :until FROM {rows} AS taken WHERE targets.id = taken.id",
    rows={"id": "int"},
    args={"until": "int"},
)

_NEGLECT = Statement(
    f"""
    UPDATE targets SET status = 'stale', updated_at = :now WHERE status = 'active' AND id IN (
      SELECT id FROM targets
      WHERE source_id = :source_id AND {_ENABLED} AND priority = :priority AND next_due_at <= :before
      ORDER BY next_due_at DESC LIMIT :limit
    )
    RETURNING id
    """,
    scalar=int,
    args={"now": "int", "source_id": "int", "priority": "int", "before": "int", "limit": "int"},
)

_LOOKED_AT = Statement(
    """
    SELECT targets.id, targets.status, targets.failures, targets.haste, targets.interval_s, targets.cron,
           targets.record_id
    FROM {rows} AS asked JOIN targets ON targets.id = asked.id
    """,
    row=CheckedTarget,
    rows={"id": "int"},
)

_NEVER_READ = Statement(
    f"""
    SELECT url, last_status FROM targets
    WHERE source_id = :source_id AND record_id IS NULL AND (failures > 0 OR status = 'stale') AND {_ENABLED}
    ORDER BY id LIMIT :limit
    """,
    row=NeverRead,
    args={"source_id": "int", "limit": "int"},
)

_SETTLE = Statement(
    """
    UPDATE targets SET status = now.status, failures = now.failures, haste = now.haste,
      next_due_at = now.next_due_at, last_status = now.last_status, last_at = :at, updated_at = :at,
      record_id = coalesce(now.record_id, targets.record_id)
    FROM {rows} AS now WHERE targets.id = now.id
    """,
    rows=TargetResult,
    args={"at": "int"},
)

_STORED = Statement(
    f"""
    SELECT {", ".join(f"targets.{name}" for name in StoredTarget._fields)} FROM {{rows}} AS asked
    JOIN targets ON targets.source_id = asked.source_id AND targets.canonical_url = asked.canonical_url
    """,
    row=StoredTarget,
    rows={"source_id": "int", "canonical_url": "text"},
)

_ADD = Statement(
    """
    INSERT INTO targets (source_id, canonical_url, url, interval_s, priority, cron, notes, enabled,
                         next_due_at, created_at, updated_at, created_by)
    SELECT source_id, canonical_url, url, interval_s, priority, cron, notes, enabled, :now, :now, :now, :who
    FROM {rows} AS fresh
    """,
    rows=StoredTarget,
    args={"now": "int", "who": "text"},
)

_UPDATE = Statement(
    """
    UPDATE targets SET interval_s = given.interval_s, priority = given.priority, cron = given.cron,
      notes = given.notes, enabled = given.enabled, feed_at = given.feed_at,
      left_feed_at = given.left_feed_at, updated_at = :now
    FROM {rows} AS given WHERE targets.id = given.id
    """,
    rows=StoredTarget,
    args={"now": "int"},
)

HIGHEST = 2**31


def claim_due(conn: Connection, source_id: int, *, now: datetime, limit: int) -> list[DueTarget]:
    """Claim the next due targets, higher priorities first."""
    targets: list[DueTarget] = []
    for priority in _priorities(conn, source_id):
        left = limit - len(targets)
        targets += _DUE(conn, source_id=source_id, priority=priority, now=micros(now), limit=left)
        if len(targets) >= limit:
            break
    _TAKE(conn, [(row.id,) for row in targets], until=micros(now + TAKEN_FOR))
    return targets


def any_due(conn: Connection, source_id: int, *, now: datetime) -> bool:
    """Whether a target is due."""
    return any(
        _DUE(conn, source_id=source_id, priority=priority, now=micros(now), limit=1)
        for priority in _priorities(conn, source_id)
    )


def _priorities(conn: Connection, source_id: int) -> Iterator[int]:
    """Priorities in use, the highest first: one look-up for each."""
    below = HIGHEST
    while (priority := _PRIORITY_BELOW(conn, source_id=source_id, below=below)[0]) is not None:
        yield priority
        below = priority


def mark_neglected(conn: Connection, source_id: int, *, before: datetime, now: datetime) -> int:
    """Mark active targets that were due before then as stale; how many.

    The latest first: targets overdue for longer were marked by an earlier call.
    """
    args: dict[str, Any] = {"before": micros(before), "now": micros(now)}
    return sum(
        len(_NEGLECT(conn, source_id=source_id, priority=priority, limit=MARKED_AT_ONCE, **args))
        for priority in _priorities(conn, source_id)
    )


def list_never_read(conn: Connection, source_id: int, *, limit: int) -> list[NeverRead]:
    """Targets that failed, or waited too long, and never gave a record."""
    return _NEVER_READ(conn, source_id=source_id, limit=limit)


def load_checked(conn: Connection, ids: Sequence[int]) -> list[CheckedTarget]:
    """Load targets whose check has ended."""
    return _LOOKED_AT(conn, [(i,) for i in ids])


def save_results(conn: Connection, results: Sequence[TargetResult], *, now: datetime) -> None:
    """Write the state of targets after their checks."""
    _SETTLE(conn, results, at=micros(now))


def load_stored(conn: Connection, keys: Sequence[tuple[int, str]]) -> list[StoredTarget]:
    """The targets with these sources and canonical URLs."""
    return _STORED(conn, list(dict.fromkeys(keys)))


def add_all(conn: Connection, new: Sequence[StoredTarget], *, who: str, now: datetime) -> None:
    """Insert targets; they are due at once."""
    _ADD(conn, new, now=micros(now), who=who)


def update_all(conn: Connection, changed: Sequence[StoredTarget], *, now: datetime) -> None:
    """Store a person's changes of targets."""
    _UPDATE(conn, changed, now=micros(now))
