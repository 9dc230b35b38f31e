"""Records without a point of their own: which they are, and what is known of where they are."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from larder.core.model.job import Purpose
from larder.store.dataset import history
from larder.store.dataset.history import NewVersion
from larder.store.tables import records, sources, versions
from larder.store.tables.columns import micros

AUTHOR = "geocoder"
VERSION = "1"
NO_RUN = 0


class Unplaced(NamedTuple):
    """A record without a point, or at its source's default coordinates."""

    id: int
    content: Mapping[str, Any]
    source: str


def list_unplaced(conn: Connection, *, after: int, now: datetime, limit: int) -> tuple[list[Unplaced], int]:
    """Of the next `limit` events to come those without a point of their own; how far we looked (0: all)."""
    coming = records.c.ends_at.is_(None) | (records.c.ends_at > now)
    query = (
        select(records.c.id, records.c.content, sources.c.name)
        .join(sources, sources.c.id == records.c.source_id)
        .where(records.c.kind == "event", records.c.active == 1, records.c.id > after, coming)
        .order_by(records.c.id)
        .limit(limit)
    )
    rows = conn.execute(query).all()
    found = [
        Unplaced(row.id, row.content, row.name or "")
        for row in rows
        if row.content.get("coordinates_from", "default") == "default"
    ]
    return found, rows[-1].id if len(rows) == limit else 0


def add_place_versions(conn: Connection, found: Mapping[int, tuple[float, float]], *, now: datetime) -> None:
    """Add a version with coordinates to each record, of purpose index where it has index versions only."""
    detailed = set(
        conn.scalars(
            select(versions.c.record_id).where(
                versions.c.record_id.in_(list(found)), versions.c.purpose != Purpose.INDEX
            )
        )
    )
    history.add_versions(
        conn,
        [
            _version(record_id, at, Purpose.DETAIL if record_id in detailed else Purpose.INDEX, now)
            for record_id, at in found.items()
        ],
        now=now,
    )


def _version(record_id: int, at: tuple[float, float], purpose: Purpose, now: datetime) -> NewVersion:
    content = {"latitude": at[0], "longitude": at[1], "coordinates_from": AUTHOR}
    strategies = dict.fromkeys(content, AUTHOR)
    return NewVersion(record_id, NO_RUN, None, AUTHOR, VERSION, purpose, content, strategies, micros(now))
