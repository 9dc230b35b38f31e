"""What the public may see, decided here and nowhere else.

Every public read starts from `shown`: records of public sources that are active, above the line of confidence
and, if they are events, not over. There is no second way to read for the public.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Select, and_, func, null, or_, select

from larder.core.model.source import Visibility
from larder.store.database.planner_hints import without_index
from larder.store.dataset.freshness import confidence
from larder.store.reads import filters
from larder.store.reads.paging import Found, Ranked, find_page
from larder.store.reads.query import MOST, PAGE, Query, Sort, check
from larder.store.reads.record_row import RECORD_COLUMNS, RecordRow, UpcomingRow, fetch_records
from larder.store.tables import records, sources

__all__ = [
    "MOST", "PAGE", "Found", "Query", "Sort", "by_id", "count", "find_records", "sources_by_entity",
    "upcoming", "visible",
]  # fmt: skip


def visible(now: datetime) -> Select[tuple[object, ...]]:
    """All that the public may see at `now`."""
    not_over = or_(records.c.ends_at.is_(None), records.c.ends_at > now)
    return (
        select(*RECORD_COLUMNS, sources.c.slug.label("source"), confidence(now).label("freshness_confidence"))
        .join(
            sources,
            and_(
                sources.c.id == without_index(records.c.source_id), sources.c.visibility == Visibility.PUBLIC
            ),
        )
        .where(records.c.active == 1, without_index(records.c.shown_until) > now, not_over)
    )


def find_records(conn: Connection, query: Query, *, ranked: Ranked | None = None, now: datetime) -> Found:
    """A page of what the public may see; `ranked`: of what another index found, for a text."""
    return find_page(conn, visible(now), query, ranked=ranked, now=now)


def by_id(conn: Connection, record_id: int, *, now: datetime) -> RecordRow | None:
    """One record, if the public may see it."""
    return next(iter(fetch_records(conn, visible(now).where(records.c.id == record_id))), None)


def upcoming(conn: Connection, query: Query, *, most: int, now: datetime) -> list[UpcomingRow]:
    """What starts next of what a query asks for, with how reliable its source is and how far away it is."""
    check(query)
    square = null() if query.near is None else filters.squared_degrees(query.near)
    asked = (
        filters.narrow(visible(now), query, now=now)
        .add_columns(sources.c.reliability.label("reliability"), square.label("square"))
        .where(records.c.starts_at.is_not(None))
    )
    rows = conn.execute(asked.order_by(records.c.starts_at, records.c.id).limit(most))
    return [UpcomingRow(RecordRow(*row[:-2]), row.reliability, row.square) for row in rows]


def sources_by_entity(conn: Connection, entity_ids: Sequence[int], *, now: datetime) -> dict[int, list[str]]:
    """Which public sources carry each of these entities now."""
    same = visible(now).where(records.c.entity_id.in_(entity_ids)).subquery()
    named = select(same.c.entity_id, same.c.source).distinct().order_by(same.c.entity_id, same.c.source)
    found: dict[int, list[str]] = {}
    for entity_id, source in conn.execute(named) if entity_ids else ():
        found.setdefault(entity_id, []).append(source)
    return found


def count(conn: Connection, *, now: datetime) -> int:
    """How many the public sees."""
    counted: int = conn.scalar(select(func.count()).select_from(visible(now).subquery())) or 0
    return counted
