"""What the public may see.

Every public read starts from `visible`: active records of public sources, above the confidence line and, if
they are events, not ended. There is no second way to read for the public.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, null, or_, select

from larder.core.model.source import Visibility
from larder.store.database.planner_hints import without_index
from larder.store.dataset.freshness import confidence
from larder.store.reads import filters, prepared_pages
from larder.store.reads.export_pages import ExportPage, find_export_page
from larder.store.reads.paging import FoundRecords, Ranked, find_page
from larder.store.reads.query import MAX_ROWS, PAGE, Query, Sort, check
from larder.store.reads.rows import RECORD_COLUMNS, RecordRow, UpcomingRow, fetch_records
from larder.store.tables import records, sources

__all__ = [
    "MAX_ROWS", "PAGE", "FoundRecords", "Query", "Sort", "by_id", "by_ids", "count", "export_page",
    "find_records", "sources_by_entity", "upcoming", "visible",
]  # fmt: skip


def visible(now: datetime, *columns: ColumnElement[Any]) -> Select[Any]:
    """The records that the public may see at `now`: all that is known of them, or `columns` alone."""
    begun = _PUBLIC.with_only_columns(*columns) if columns else _RECORDS.add_columns(_confidence(now))
    not_over = or_(records.c.ends_at.is_(None), records.c.ends_at > now)
    return begun.where(without_index(records.c.shown_until) > now, not_over)


def _confidence(now: datetime) -> ColumnElement[int]:
    return confidence(now).label("freshness_confidence")


_PUBLIC = (
    select(records.c.id)
    .select_from(records)
    .join(
        sources,
        and_(sources.c.id == without_index(records.c.source_id), sources.c.visibility == Visibility.PUBLIC),
    )
    .where(records.c.active == 1)
)
"""What does not depend on the time, made once."""
_RECORDS = _PUBLIC.with_only_columns(*RECORD_COLUMNS, sources.c.slug.label("source"))


def find_records(
    conn: Connection, query: Query, *, ranked: Ranked | None = None, now: datetime
) -> FoundRecords:
    """A page of public records; `ranked`: of those that another index found."""
    found = prepared_pages.find(conn, visible, query, now=now) if ranked is None else None
    return found or find_page(conn, visible(now, records.c.id), query, ranked=ranked, now=now)


def export_page(conn: Connection, query: Query, *, now: datetime) -> ExportPage:
    """A page of public records for a file."""
    return find_export_page(conn, visible(now), query, now=now)


def by_id(conn: Connection, record_id: int, *, now: datetime) -> RecordRow | None:
    """A record, if the public may see it."""
    return next(iter(fetch_records(conn, visible(now).where(records.c.id == record_id))), None)


def by_ids(conn: Connection, record_ids: Sequence[int], *, now: datetime) -> list[RecordRow]:
    """Of these records, those that the public may see."""
    return fetch_records(conn, visible(now).where(records.c.id.in_(record_ids)))


def upcoming(conn: Connection, query: Query, *, limit: int, now: datetime) -> list[UpcomingRow]:
    """The next events of a query, with the reliability of their source and their distance."""
    check(query)
    square = null() if query.near is None else filters.squared_degrees(query.near)
    statement = (
        filters.narrow(visible(now), query, now=now)
        .add_columns(sources.c.reliability.label("reliability"), square.label("square"))
        .where(records.c.starts_at.is_not(None))
    )
    rows = conn.execute(statement.order_by(records.c.starts_at, records.c.id).limit(limit))
    return [UpcomingRow(RecordRow(*row[:-2]), row.reliability, row.square) for row in rows]


def sources_by_entity(conn: Connection, entity_ids: Sequence[int], *, now: datetime) -> dict[int, list[str]]:
    """The public sources with a record of each of these entities."""
    same = visible(now).where(records.c.entity_id.in_(entity_ids)).subquery()
    query = select(same.c.entity_id, same.c.source).distinct().order_by(same.c.entity_id, same.c.source)
    found: dict[int, list[str]] = {}
    for entity_id, source in conn.execute(query) if entity_ids else ():
        found.setdefault(entity_id, []).append(source)
    return found


def count(conn: Connection, *, now: datetime) -> int:
    """How many records the public sees."""
    counted: int = conn.scalar(select(func.count()).select_from(visible(now).subquery())) or 0
    return counted
