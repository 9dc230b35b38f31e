"""The page of records that answers a query.

A query narrows and sorts a select that somebody else began: for the public that is `public.shown`, so
nothing here decides who may see what. Pages follow one another by key, never by offset: what arrives or
leaves between two pages moves no row from one to the other.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Float,
    Select,
    literal,
    null,
    tuple_,
    type_coerce,
)

from larder.store import cursors, filters, search
from larder.store.cursors import Place
from larder.store.query import Query, Sort, check
from larder.store.statement import AnyRow
from larder.store.tables import records


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A page of the answer.

    Rows have every column of a record, and `source`, `freshness_confidence`, `rank` and `highlight` (None
    unless text was asked for), `distance_km` (None unless a place was).
    """

    rows: Sequence[AnyRow]
    next: str | None
    """Where the next page begins; None: this was the last."""


def page(conn: Connection, begun: Select[Any], query: Query, *, now: datetime) -> Found:
    """The page of `begun` (records joined with their sources) that the query asks for."""
    check(query)
    place = cursors.opened(query.after, query) if query.after else None
    narrowed = filters.narrow(begun, query, now=now)
    wanted = search.understand(conn, query.text) if query.text else None
    if wanted is not None:
        narrowed = search.narrow(conn, narrowed, wanted)
    rows = conn.execute(_following(narrowed, query, place).limit(query.size + 1)).all()
    return _found(rows, query)


_MAY_LACK = frozenset({Sort.PRICE, Sort.PRICE_DOWN, Sort.STARTS_AT})
_DOWN = frozenset({Sort.NEWEST, Sort.PRICE_DOWN, Sort.FRESHNESS, Sort.RELEVANCE})
_KEYS: dict[Sort, ColumnElement[Any]] = {
    Sort.NEWEST: records.c.first_seen_at,
    Sort.RELEVANCE: records.c.first_seen_at,
    Sort.PRICE: records.c.price_minor,
    Sort.PRICE_DOWN: records.c.price_minor,
    Sort.STARTS_AT: records.c.starts_at,
    Sort.FRESHNESS: records.c.shown_until,
}


def _key(query: Query) -> ColumnElement[Any]:
    if query.order is Sort.DISTANCE and query.near is not None:
        return type_coerce(filters.square(query.near), Float)
    return type_coerce(_KEYS[query.order], BigInteger)


def _following(asked: Select[Any], query: Query, place: Place | None) -> Select[Any]:
    """In order, from behind `place`; rows that lack what is sorted by are not part of that order."""
    key, down = _key(query), query.order in _DOWN
    asked = asked.add_columns(key.label("sort_key"), _square(query).label("square"))
    if query.order in _MAY_LACK:
        asked = asked.where(key.is_not(None))
    if place is not None:
        both, there = tuple_(key, records.c.id), tuple_(literal(place.key), literal(place.id))
        asked = asked.where(both < there if down else both > there)
    return asked.order_by(*((key.desc(), records.c.id.desc()) if down else (key, records.c.id)))


def _square(query: Query) -> ColumnElement[Any]:
    return null() if query.near is None else filters.square(query.near)


def _found(rows: Sequence[AnyRow], query: Query) -> Found:
    shown = rows[: query.size]
    more = len(rows) > len(shown)
    return Found(
        rows=[_told(row) for row in shown],
        next=cursors.sealed(Place(shown[-1].sort_key, shown[-1].id), query) if more else None,
    )


def _told(row: AnyRow) -> AnyRow:
    """The row as it is handed out."""
    *columns, _, squared = row
    distance = None if squared is None else filters.kilometres(squared)
    return _row_of(row._fields[:-2])((*columns, None, None, distance))


@cache
def _row_of(columns: tuple[str, ...]) -> Callable[[Iterable[Any]], AnyRow]:
    kind: Callable[..., Any] = namedtuple
    make: Callable[[Iterable[Any]], AnyRow] = kind(
        "Hit", (*columns, "rank", "highlight", "distance_km")
    )._make
    return make
