"""Counts records by source and badge, along an index.

Confidence falls in a straight line, so all records of a tier with the same `shown_until` have the same
confidence. The badge therefore follows from `shown_until` alone: a source's records of one badge are a range
of an index, and counting a million records neither reads nor compares one. The few whose own page is not
there are counted beside, by an index of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, ScalarSelect, Select, case, func, literal, select, text

from larder.core.model.source import Tier, Visibility
from larder.core.policy.freshness import LISTED, RATES, RECENT, SHOWN
from larder.store.tables import records, sources
from larder.store.tables.columns import Moment

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
    query = _badges(now)
    if source_id is not None:
        query = query.where(sources.c.id == source_id)
    counted = {row.source_id: _counts(row) for row in conn.execute(query)}
    return {source_id: counts for source_id, counts in counted.items() if counts.active}


def _badges(now: datetime) -> Select[Any]:
    """Active records of each source by how much is left of their confidence: ranges of an index.

    `green_missing` and `yellow_missing` are those of them whose own page is not there.
    """
    recent, listed = _bar(RECENT, now), _bar(LISTED, now)
    shown_until, missing = records.c.shown_until, records.c.missing_at.is_not(None)
    green, yellow = (shown_until > recent,), (shown_until > listed, shown_until <= recent)
    return select(
        sources.c.id.label("source_id"),
        _how_many(*green).label("green"),
        _how_many(*yellow).label("yellow"),
        _how_many(shown_until > now, shown_until <= listed).label("orange"),
        _how_many(shown_until <= now).label("faded"),
        _how_many(missing, *green, index="ix_records_missing").label("green_missing"),
        _how_many(missing, *yellow, index="ix_records_missing").label("yellow_missing"),
    )


def _how_many(*within: ColumnElement[bool], index: str = "ix_records_to_verify") -> ScalarSelect[int]:
    """Active records of the source in these ranges."""
    found = select(func.count()).where(_ACTIVE, records.c.source_id == sources.c.id, *within)
    return found.with_hint(records, f"INDEXED BY {index}", "sqlite").scalar_subquery()


def _counts(row: Row[Any]) -> SourceCounts:
    return SourceCounts(
        active=row.green + row.yellow + row.orange + row.faded,
        green=row.green - row.green_missing,
        yellow=row.yellow - row.yellow_missing,
        orange=row.orange + row.green_missing + row.yellow_missing,
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


def count_stored(conn: Connection) -> int:
    """All records, active or not; SQLite adds up the pages of an index."""
    stored: int = conn.scalar(select(func.count()).select_from(records)) or 0
    return stored


def _bar(line: int, now: datetime) -> ColumnElement[Any]:
    """Confidence is at `line` or above where `shown_until` is later than this."""
    bars = {tier: now + HOUR * (line - SHOWN) / rate for tier, rate in RATES.items()}
    standard = bars.pop(Tier.STANDARD)
    cases: list[Any] = [(sources.c.tier == tier, literal(bar, Moment())) for tier, bar in bars.items()]
    return case(*cases, else_=literal(standard, Moment()))
