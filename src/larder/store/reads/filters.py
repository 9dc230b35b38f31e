"""The filters of a query as SQL conditions on records.

Distance is computed on a plane (equirectangular projection around the given point), with arithmetic that
both databases have; the error is about a percent up to some hundred kilometres.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from larder.core.model.money import EXPONENTS, exponent, least_minor, most_minor
from larder.store.dataset.freshness import confidence
from larder.store.reads.query import Query
from larder.store.tables import records, sites, sources

KM_PER_DEGREE = 111.195
"""Of latitude."""


def narrow(statement: Select[Any], query: Query, *, now: datetime) -> Select[Any]:
    """What is left of `begun`, which joins records with their sources."""
    return statement.where(*_equal(query), *_between(query), *_around(query), *_fresh(query, now))


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
        source_id = select(sources.c.id).where(sources.c.slug == query.source).scalar_subquery()
        yield records.c.source_id == source_id
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
    yield from _priced(query)
    if query.rating_min is not None:
        yield records.c.rating >= query.rating_min
    if query.rooms_min is not None:
        yield records.c.content["rooms"].as_float() >= query.rooms_min
    if query.starts_after is not None:
        yield records.c.starts_at >= query.starts_after
    if query.starts_before is not None:
        yield records.c.starts_at < query.starts_before


def _priced(query: Query) -> Iterable[ColumnElement[bool]]:
    """A price in major units is compared in each record's own currency; the outer bound serves the index."""
    price, currency = records.c.price_minor, query.currency and query.currency.upper()
    if query.price_min_minor is not None:
        yield price >= query.price_min_minor
    if query.price_max_minor is not None:
        yield price <= query.price_max_minor
    if query.price_min is not None:
        lowest = price_bounds(query.price_min, least_minor, currency)
        yield price >= min(lowest.values())
        if currency is None:
            yield price >= _by_currency(lowest)
    if query.price_max is not None:
        highest = price_bounds(query.price_max, most_minor, currency)
        yield price <= max(highest.values())
        if currency is None:
            yield price <= _by_currency(highest)


def price_bounds(
    amount: Decimal, rounded: Callable[[Decimal, int], int], currency: str | None
) -> dict[int, int]:
    """An amount in minor units by a currency's decimals: of the one currency, or of all that there are."""
    decimals = {2, *EXPONENTS.values()} if currency is None else {exponent(currency)}
    return {each: rounded(amount, each) for each in sorted(decimals)}


def _by_currency(bounds: Mapping[int, int]) -> ColumnElement[int]:
    unusual = (
        (records.c.currency.in_([code for code, its in EXPONENTS.items() if its == decimals]), bound)
        for decimals, bound in bounds.items()
        if decimals != exponent(None)
    )
    return case(*unusual, else_=bounds[exponent(None)])


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
    """Between west and east; past the date line it continues at the other end."""
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
