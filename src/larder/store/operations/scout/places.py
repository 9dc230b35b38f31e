"""Places to search: loaded once a country, chosen by population, claimed one at a time."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from larder.core.model.place import Place, PlaceStatus, Region
from larder.store.database.statement import Statement
from larder.store.reads.rows import read_all
from larder.store.tables import places

_ADD = Statement(
    """
    INSERT INTO places (name, region, country, population, latitude, longitude)
    SELECT name, region, country, population, latitude, longitude FROM {rows} AS told WHERE true
    ON CONFLICT (country, region, name) DO NOTHING
    """,
    rows={
        "name": "text",
        "region": "text",
        "country": "text",
        "population": "int",
        "latitude": "float",
        "longitude": "float",
    },
)


def is_loaded(conn: Connection, country: str) -> bool:
    """Whether the country's places are in the table."""
    return conn.scalar(select(places.c.id).where(places.c.country == country).limit(1)) is not None


def add_places(conn: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add places (name, region, country, population, latitude, longitude); known ones stay as they are."""
    if rows:
        _ADD(conn, rows)


def claim_next(
    conn: Connection, region: Region, *, searched_before: datetime, without: Sequence[int]
) -> Place | None:
    """The largest place that is due, now `processing`; None if there is none."""
    due = or_(
        places.c.status == PlaceStatus.PENDING,
        places.c.searched_at.is_(None) & (places.c.status != PlaceStatus.PROCESSING),
        places.c.searched_at < searched_before,
    )
    largest = (
        select(places.c.id)
        .where(_within(region), due, places.c.id.not_in(without))
        .order_by(places.c.population.desc(), places.c.id)
        .limit(1)
    )
    found = conn.scalar(largest.with_for_update(skip_locked=True))
    if found is None:
        return None
    set_status(conn, found, PlaceStatus.PROCESSING)
    return by_id(conn, found)


def by_id(conn: Connection, place_id: int) -> Place | None:
    """The place of that id."""
    return next(iter(read_all(conn, select(places).where(places.c.id == place_id), Place)), None)


def set_status(
    conn: Connection, place_id: int, status: PlaceStatus, *, searched_at: datetime | None = None
) -> None:
    """Set the status of a place; `searched_at` only if it was searched."""
    values: dict[str, Any] = {"status": status}
    if searched_at is not None:
        values["searched_at"] = searched_at
    conn.execute(update(places).where(places.c.id == place_id).values(values))


def count_by_status(conn: Connection, region: Region) -> dict[str, int]:
    """How many places of a region have each status."""
    query = (
        select(places.c.status, func.count().label("many")).where(_within(region)).group_by(places.c.status)
    )
    return {row.status: row.many for row in conn.execute(query)}


def _within(region: Region) -> ColumnElement[bool]:
    inside = places.c.country == region.country
    return inside if region.part is None else inside & (places.c.region == region.part)
