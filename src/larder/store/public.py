"""What the public may see, decided here and nowhere else.

Every public read starts from `shown`: records of public sources that are active, above the line of confidence
and, if they are events, not over. There is no second way to read for the public.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Select, and_, func, or_, select

from larder.core.model.source import Kind, Visibility
from larder.store.freshness import confidence
from larder.store.statement import AnyRow
from larder.store.tables import records, sources
from larder.store.tables.columns import micros, moment

PAGE = 50
MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked for; every part narrows."""

    kind: Kind | None = None
    source: str | None = None
    after: tuple[int, int] | None = None
    """The last row of the page before: (first seen in microseconds, id)."""
    limit: int = PAGE


def shown(now: datetime) -> Select[tuple[object, ...]]:
    """All that the public may see at `now`, newest first."""
    not_over = or_(records.c.ends_at.is_(None), records.c.ends_at > now)
    return (
        select(records, sources.c.slug.label("source"), confidence(now).label("freshness_confidence"))
        .join(
            sources,
            and_(sources.c.id == records.c.source_id, sources.c.visibility == Visibility.PUBLIC),
        )
        .where(records.c.active == 1, records.c.shown_until > now, not_over)
    )


def find(conn: Connection, query: Query, *, now: datetime) -> Sequence[AnyRow]:
    """A page of records, newest first."""
    asked = shown(now)
    if query.kind is not None:
        asked = asked.where(records.c.kind == query.kind)
    if query.source is not None:
        asked = asked.where(sources.c.slug == query.source)
    if query.after is not None:
        seen, record_id = moment(query.after[0]), query.after[1]
        same = and_(records.c.first_seen_at == seen, records.c.id < record_id)
        asked = asked.where(or_(records.c.first_seen_at < seen, same))
    newest = asked.order_by(records.c.first_seen_at.desc(), records.c.id.desc())
    return conn.execute(newest.limit(min(query.limit, MOST))).all()


def one(conn: Connection, record_id: int, *, now: datetime) -> AnyRow | None:
    """One record, if the public may see it."""
    return conn.execute(shown(now).where(records.c.id == record_id)).one_or_none()


def count(conn: Connection, *, now: datetime) -> int:
    """How many the public sees."""
    counted: int = conn.scalar(select(func.count()).select_from(shown(now).subquery())) or 0
    return counted


def cursor(row: AnyRow) -> tuple[int, int]:
    """Where the page after this row begins."""
    return micros(row.first_seen_at), row.id
