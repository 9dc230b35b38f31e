"""The parts of a query that narrow, as conditions on records.

Distance is reckoned on a plane that touches the earth at the place asked about (a degree of longitude
counts by the cosine there): plain arithmetic that both databases do alike, good to a percent up to some
hundred kilometres.
"""

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from larder.store.dataset.freshness import confidence
from larder.store.reads.query import Query
from larder.store.tables import records, sites, sources

KM_PER_DEGREE = 111.195


def narrow(begun: Select[Any], query: Query, *, now: datetime) -> Select[Any]:
    """What is left of `begun`, which joins records with their sources."""
    return begun.where(*_equal(query), *_between(query), *_around(query), *_fresh(query, now))


def squared_degrees(near: tuple[float, float]) -> ColumnElement[float]:
    """How far a record is, in degrees of latitude, squared: that sorts as distance does."""
    up = records.c.latitude - near[0]
    east = func.abs(records.c.longitude - near[1])
    across = case((east > 180, 360 - east), else_=east) * _shrink(near[0])
    return up * up + across * across


def kilometres(squared: float) -> float:
    """What `square` stands for."""
    return round(math.sqrt(max(squared, 0.0)) * KM_PER_DEGREE, 3)


def _equal(query: Query) -> Iterable[ColumnElement[bool]]:
    if query.source is not None:
        named = select(sources.c.id).where(sources.c.slug == query.source).scalar_subquery()
        yield records.c.source_id == named
    if query.site is not None:
        of_site = select(sites.c.id).where(sites.c.domain == query.site.lower())
        yield sources.c.site_id.in_(of_site)
    if query.brand is not None:
        yield func.lower(records.c.brand) == query.brand.lower()
    exact = {
        records.c.kind: query.kind,
        records.c.currency: query.currency and query.currency.upper(),
        records.c.availability: query.availability,
        records.c.category: query.category,
    }
    yield from (column == value for column, value in exact.items() if value is not None)


def _between(query: Query) -> Iterable[ColumnElement[bool]]:
    if query.price_min is not None:
        yield records.c.price_minor >= query.price_min
    if query.price_max is not None:
        yield records.c.price_minor <= query.price_max
    if query.rating_min is not None:
        yield records.c.rating >= query.rating_min
    if query.rooms_min is not None:
        yield records.c.content["rooms"].as_float() >= query.rooms_min
    if query.starts_after is not None:
        yield records.c.starts_at >= query.starts_after
    if query.starts_before is not None:
        yield records.c.starts_at < query.starts_before


def _fresh(query: Query, now: datetime) -> Iterable[ColumnElement[bool]]:
    if query.confidence_min is not None:
        yield confidence(now) >= query.confidence_min


def _around(query: Query) -> Iterable[ColumnElement[bool]]:
    """A box that an index can find, and the circle in it."""
    if query.near is None:
        return
    latitude, longitude = query.near
    degrees = query.reach_km / KM_PER_DEGREE
    yield records.c.latitude.between(latitude - degrees, latitude + degrees)
    yield _longitudes(longitude, degrees / _shrink(latitude))
    yield squared_degrees(query.near) <= degrees * degrees


def _longitudes(longitude: float, reach: float) -> ColumnElement[bool]:
    """Between west and east; past the date line it goes on at the other end."""
    if reach >= 180:
        return records.c.longitude.is_not(None)
    west, east = longitude - reach, longitude + reach
    if west < -180:
        return or_(records.c.longitude >= west + 360, records.c.longitude <= east)
    if east > 180:
        return or_(records.c.longitude >= west, records.c.longitude <= east - 360)
    return and_(records.c.longitude >= west, records.c.longitude <= east)


def _shrink(latitude: float) -> float:
    return max(math.cos(math.radians(latitude)), 0.01)
