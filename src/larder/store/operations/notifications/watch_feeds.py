"""The content of a watch's private feed: reported records, and events that match.

A watch without hidden sources reads only records whose source is public now, whenever it reported them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, or_, select

from larder.core.model.source import Kind, Visibility
from larder.store.dataset.freshness import confidence
from larder.store.operations.notifications.watches import Watch, matching_records
from larder.store.reads.rows import RECORD_COLUMNS, RecordRow, fetch_records
from larder.store.tables import records, sources, watch_matches


class Reported(NamedTuple):
    """A record, and when the watch last reported it."""

    record: RecordRow
    at: datetime


def list_reported(conn: Connection, watch: Watch, *, limit: int, now: datetime) -> Sequence[Reported]:
    """Records that a watch reported, the latest first; gone ones as well."""
    reported_at = _reported_at(conn, watch, limit)
    rows = fetch_records(conn, _readable(watch, now).where(records.c.id.in_(list(reported_at))))
    found = [Reported(row, reported_at[row.id]) for row in rows]
    return sorted(found, key=lambda reported: (reported.at, reported.record.id), reverse=True)


def list_events(conn: Connection, watch: Watch, *, limit: int, now: datetime) -> Sequence[RecordRow]:
    """The next events that match a watch."""
    matching = matching_records(conn, watch, now=now).with_only_columns(*_columns(now))
    not_over = or_(records.c.ends_at.is_(None), records.c.ends_at > now)
    coming = matching.where(records.c.kind == Kind.EVENT, records.c.starts_at.is_not(None), not_over)
    return fetch_records(conn, coming.order_by(records.c.starts_at, records.c.id).limit(limit))


def _reported_at(conn: Connection, watch: Watch, limit: int) -> dict[int, datetime]:
    query = (
        select(watch_matches.c.record_id, watch_matches.c.told_at)
        .join(records, records.c.id == watch_matches.c.record_id)
        .join(sources, sources.c.id == records.c.source_id)
        .where(watch_matches.c.watch_id == watch.id, watch_matches.c.told_at.is_not(None), *_seen_by(watch))
        .order_by(watch_matches.c.told_at.desc(), watch_matches.c.record_id.desc())
    )
    return {row.record_id: row.told_at for row in conn.execute(query.limit(limit))}


def _readable(watch: Watch, now: datetime) -> Select[Any]:
    query = select(*_columns(now)).join(sources, sources.c.id == records.c.source_id)
    return query.where(*_seen_by(watch))


def _seen_by(watch: Watch) -> list[ColumnElement[bool]]:
    return [] if watch.hidden else [sources.c.visibility == Visibility.PUBLIC]


def _columns(now: datetime) -> tuple[ColumnElement[Any], ...]:
    others = (sources.c.slug.label("source"), confidence(now).label("freshness_confidence"))
    return (*RECORD_COLUMNS, *others)
