"""The freshness of the dataset by source: shares by badge, and when each source was last read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from larder.core.model.source import Visibility
from larder.store.reads import counts
from larder.store.reads.counts import SourceCounts
from larder.store.tables import sources

MAX_SOURCES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStatus:
    """One source's part of the dataset."""

    source: str
    name: str | None
    kind: str
    records: int
    """Active ones."""
    shown: int
    """Of these, those that are confident enough to be shown."""
    recently_verified: int
    """Of these, those with a confidence of 80 or more."""
    last_run_at: datetime | None
    last_run_status: str | None
    failures_in_a_row: int
    running: bool
    """Whether it is enabled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetStatus:
    """The whole dataset, or what the public may see of it."""

    at: datetime
    records: int
    shown: int
    recently_verified: int
    fresh_share: float
    """`shown` of `records`; 1 where there are none."""
    sources_failing: int
    """Sources whose last run failed."""
    sources: Sequence[SourceStatus]


def dataset_status(conn: Connection, *, hidden: bool, now: datetime) -> DatasetStatus:
    """The status of the dataset; `hidden` includes hidden sources."""
    query = select(sources).where(sources.c.removed_at.is_(None)).order_by(sources.c.slug)
    if not hidden:
        query = query.where(sources.c.visibility == Visibility.PUBLIC)
    found = counts.by_source(conn, now=now)
    lines = [_line(row, found.get(row.id, SourceCounts())) for row in conn.execute(query.limit(MAX_SOURCES))]
    records, shown = sum(status.records for status in lines), sum(status.shown for status in lines)
    return DatasetStatus(
        at=now,
        records=records,
        shown=shown,
        recently_verified=sum(status.recently_verified for status in lines),
        fresh_share=round(shown / records, 4) if records else 1.0,
        sources_failing=sum(status.failures_in_a_row > 0 for status in lines),
        sources=lines,
    )


def _line(row: Row[Any], found: SourceCounts) -> SourceStatus:
    return SourceStatus(
        source=row.slug,
        name=row.name,
        kind=row.kind,
        records=found.active,
        shown=found.shown,
        recently_verified=found.green,
        last_run_at=row.last_run_at,
        last_run_status=row.last_run_status,
        failures_in_a_row=row.consecutive_failures,
        running=bool(row.enabled),
    )
