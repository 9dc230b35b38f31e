"""Counts records by source and badge, in one scan of an index.

Confidence falls in a straight line, so all records of a tier with the same `shown_until` have the same
confidence. The badge therefore follows from `shown_until` alone, and counting a million records reads no row
of the table. The few whose own page is not there are counted beside, by an index of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, func, literal, select, text, union_all

from larder.core.model.source import Tier, Visibility
from larder.core.policy.freshness import LISTED, RATES, RECENT, SHOWN
from larder.store.tables import records, sources

HOUR = timedelta(hours=1)
_ACTIVE = text("records.active = 1")
"""Spelled out: a parameter would hide from the planner that the index holds just these. Without statistics
SQLite takes any index by source, hence the hint: this one has all that is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCounts:
    """A source's active records by badge."""

    active: int = 0
    green: int = 0
    yellow: int = 0
    orange: int = 0

    @property
    def shown(self) -> int:
        """Above the line."""
        return self.green + self.yellow + self.orange

    @property
    def faded(self) -> int:
        """Records below the shown confidence."""
        return self.active - self.shown


def by_source(conn: Connection, *, now: datetime, source_id: int | None = None) -> Mapping[int, SourceCounts]:
    """Of every source that has active records, or of one; orange where its own page is not there."""
    active = _badges(now, missing=False).with_hint(records, "INDEXED BY ix_records_to_verify", "sqlite")
    missing = _badges(now, missing=True).where(records.c.missing_at.is_not(None))
    missing = missing.with_hint(records, "INDEXED BY ix_records_missing", "sqlite")
    if source_id is not None:
        active, missing = (query.where(records.c.source_id == source_id) for query in (active, missing))
    rows = conn.execute(union_all(active, missing)).all()
    doubted = {row.source_id: row for row in rows if row.missing}
    return {row.source_id: _counts(row, doubted.get(row.source_id)) for row in rows if not row.missing}


def _badges(now: datetime, *, missing: bool) -> Select[Any]:
    """Active records of each source by how much is left of their confidence."""
    recent, listed = _at_least(RECENT, now), _at_least(LISTED, now)
    above = records.c.shown_until > now
    return (
        select(
            records.c.source_id,
            literal(int(missing)).label("missing"),
            func.count().label("active"),
            _sum(recent).label("green"),
            _sum(listed & ~recent).label("yellow"),
            _sum(above & ~listed).label("orange"),
        )
        .join(sources, sources.c.id == records.c.source_id)
        .where(_ACTIVE)
        .group_by(records.c.source_id)
    )


def _counts(row: Row[Any], doubted: Row[Any] | None) -> SourceCounts:
    green, yellow = (int(doubted.green), int(doubted.yellow)) if doubted else (0, 0)
    return SourceCounts(
        active=row.active,
        green=int(row.green) - green,
        yellow=int(row.yellow) - yellow,
        orange=int(row.orange) + green + yellow,
    )


def count_past_events(conn: Connection, *, now: datetime) -> Mapping[int, int]:
    """Of each public source, how many events are over though we are sure of them; of most, none.

    Only what has begun is looked at.
    """
    ended = (
        select(records.c.source_id, func.count().label("many"))
        .where(_ACTIVE, records.c.starts_at <= now, records.c.ends_at <= now, records.c.shown_until > now)
        .group_by(records.c.source_id)
        .with_hint(records, "INDEXED BY ix_records_starts_at", "sqlite")
        .subquery()
    )
    query = (
        select(sources.c.id, func.coalesce(ended.c.many, 0).label("over"))
        .outerjoin(ended, ended.c.source_id == sources.c.id)
        .where(sources.c.visibility == Visibility.PUBLIC)
    )
    return {row.id: row.over for row in conn.execute(query)}


def count_inactive() -> ColumnElement[int]:
    """All but the active ones: two counts along indexes, where one would read every record."""
    query = select(func.count()).select_from(records)
    active = query.where(_ACTIVE).with_hint(records, "INDEXED BY ix_records_to_verify", "sqlite")
    return query.scalar_subquery() - active.scalar_subquery()


def _at_least(line: int, now: datetime) -> ColumnElement[bool]:
    """Confidence is at `line` or above: it takes so much longer to reach the line of what is shown."""
    bars = {tier: now + HOUR * (line - SHOWN) / rate for tier, rate in RATES.items()}
    standard = bars.pop(Tier.STANDARD)
    cases: list[Any] = [(sources.c.tier == tier, records.c.shown_until > bar) for tier, bar in bars.items()]
    return case(*cases, else_=records.c.shown_until > standard)


def _sum(holds: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((holds, 1), else_=0))
