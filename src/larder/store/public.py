"""What the public may see, decided here and nowhere else.

Every public read starts from `shown`: records of public sources that are active, above the line of confidence
and, if they are events, not over. There is no second way to read for the public.
"""

from datetime import datetime

from sqlalchemy import Connection, Select, and_, func, or_, select

from larder.core.model.source import Visibility
from larder.store.freshness import confidence
from larder.store.paging import Found, page
from larder.store.query import MOST, PAGE, Query, Sort
from larder.store.statement import AnyRow
from larder.store.tables import records, sources

__all__ = ["MOST", "PAGE", "Found", "Query", "Sort", "count", "find", "one", "shown"]


def shown(now: datetime) -> Select[tuple[object, ...]]:
    """All that the public may see at `now`."""
    not_over = or_(records.c.ends_at.is_(None), records.c.ends_at > now)
    return (
        select(records, sources.c.slug.label("source"), confidence(now).label("freshness_confidence"))
        .join(
            sources,
            and_(sources.c.id == records.c.source_id, sources.c.visibility == Visibility.PUBLIC),
        )
        .where(records.c.active == 1, records.c.shown_until > now, not_over)
    )


def find(conn: Connection, query: Query, *, now: datetime) -> Found:
    """A page of what the public may see."""
    return page(conn, shown(now), query, now=now)


def one(conn: Connection, record_id: int, *, now: datetime) -> AnyRow | None:
    """One record, if the public may see it."""
    return conn.execute(shown(now).where(records.c.id == record_id)).one_or_none()


def count(conn: Connection, *, now: datetime) -> int:
    """How many the public sees."""
    counted: int = conn.scalar(select(func.count()).select_from(shown(now).subquery())) or 0
    return counted
