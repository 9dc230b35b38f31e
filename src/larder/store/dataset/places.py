"""Records without coordinates of their own: which they are, and what is known of their place."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from larder.store.dataset import history
from larder.store.tables import records, sources

AUTHOR = "geocoder"
VERSION = "1"


class Unplaced(NamedTuple):
    """A record without a point, or at its source's default coordinates."""

    id: int
    content: Mapping[str, Any]
    source: str


def list_unplaced(conn: Connection, *, after: int, now: datetime, limit: int) -> tuple[list[Unplaced], int]:
    """Of the next `limit` coming events those without coordinates; up to which id was searched (0: all)."""
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
    """Add a version with coordinates to each record.

    Its purpose is index if the record has only index versions.
    """
    contents = {
        record_id: {"latitude": latitude, "longitude": longitude, "coordinates_from": AUTHOR}
        for record_id, (latitude, longitude) in found.items()
    }
    history.add_derived_versions(conn, contents, author=AUTHOR, version=VERSION, now=now)
