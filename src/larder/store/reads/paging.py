"""The page of records of a query.

A query narrows and sorts a given select, for the public `public.visible`; visibility is not decided here.
Pages follow one another by key, not by offset, so that changes between two pages move no row from one to
the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Float,
    Select,
    bindparam,
    func,
    literal,
    null,
    or_,
    select,
    tuple_,
    type_coerce,
)

from larder.core.policy.freshness import epoch_s
from larder.store import search
from larder.store.database.statement import Statement, fetch_rows
from larder.store.reads import cursors, filters
from larder.store.reads.cursors import CursorKey
from larder.store.reads.query import Query, Sort, check
from larder.store.reads.rows import STORED_RECORD, RecordRow, record_of
from larder.store.search import ParsedQuery
from larder.store.tables import records


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRecords:
    """A page of records.

    `rank` and `highlight` are set where text was searched, `distance_km` where a place was given.
    """

    rows: Sequence[RecordRow]
    next: str | None
    """The cursor of the next page; None: this was the last."""


Ranked = Sequence[tuple[float, int]]
"""(rank, id), best first."""


class _Linked(NamedTuple):
    id: int
    entity_id: int


_ENTITIES = Statement(
    """
    SELECT records.id, records.entity_id FROM {rows} AS asked
    JOIN records ON records.id = asked.id WHERE records.entity_id IS NOT NULL
    """,
    row=_Linked,
    rows={"id": "int"},
)


def find_page(
    conn: Connection,
    base: Select[Any],
    query: Query,
    *,
    ranked: Ranked | None = None,
    newest: ColumnElement[Any] = records.c.first_seen_at,
    now: datetime,
) -> FoundRecords:
    """A page of `base` (records joined with their sources).

    `ranked`: what another index found; it is filtered by `base` and the query.
    `newest`: the column that sort newest uses.
    """
    check(query)
    parsed = search.parse_query(conn, query.text) if query.text else None
    if parsed is not None and query.order is Sort.RELEVANCE:
        narrowed = filters.narrow(base, query, now=now)
        return most_relevant(conn, Searched(base, narrowed, {}), query, parsed, ranked=ranked, now=now)
    statement = select_following(conn, base, query, parsed=parsed, newest=newest, now=now)
    limited = _stored(statement).limit(query.size + 1)
    return found_by(conn, limited, query, {}, parsed=parsed, now=now)


def found_by(
    conn: Connection,
    statement: Select[Any],
    query: Query,
    values: Mapping[str, Any],
    *,
    parsed: ParsedQuery | None = None,
    now: datetime,
) -> FoundRecords:
    """A page by a statement that returns one row more than its size."""
    rows = fetch_rows(conn, statement, values)
    return _found([_Hit(row, row[_SORT_KEY]) for row in rows], query, parsed, now)


def page_statement(base: Select[Any], query: Query, place: CursorKey | None, *, now: datetime) -> Select[Any]:
    """The rows of `base` after `place`, of a query without a text; values may be parameters."""
    narrowed = filters.narrow(base, query, now=now)
    if query.collapse:
        narrowed = narrowed.where(_first_of_entity(narrowed))
    return _stored(_following(narrowed, query, _key(query, records.c.first_seen_at), place))


def select_following(
    conn: Connection,
    base: Select[Any],
    query: Query,
    *,
    parsed: ParsedQuery | None = None,
    newest: ColumnElement[Any],
    now: datetime,
) -> Select[Any]:
    """The rows of `base` in any order but relevance, after the query's cursor, each with its `sort_key`."""
    check(query)
    if parsed is None and query.text:
        parsed = search.parse_query(conn, query.text)
    narrowed = filters.narrow(base, query, now=now)
    if parsed is not None:
        narrowed = search.narrow(conn, narrowed, parsed)
    if query.collapse:
        narrowed = narrowed.where(_first_of_entity(narrowed))
    return _following(narrowed, query, _key(query, newest), place_of(query))


class Searched(NamedTuple):
    """What a search looks through."""

    base: Select[Any]
    """The records that may be seen."""
    narrowed: Select[Any]
    """What the filters leave of them."""
    values: Mapping[str, Any]
    """The values of the parameters of both."""


def most_relevant(
    conn: Connection,
    searched: Searched,
    query: Query,
    parsed: ParsedQuery,
    *,
    ranked: Ranked | None = None,
    now: datetime,
) -> FoundRecords:
    """A page of the best hits; `ranked`: of those that another index found."""
    place, (base, narrowed, values) = place_of(query), searched
    answers: Ranked
    if ranked is None:
        answers = search.rank(conn, narrowed, parsed, values)
    else:
        answers = _visible(conn, narrowed, ranked)
    if query.collapse:
        answers = _once(conn, answers)
    left = [answer for answer in answers if place is None or answer < (place.key, place.id)]
    return _found(_read(conn, base, values, left[: query.size + 1], query), query, parsed, now)


def place_of(query: Query) -> CursorKey | None:
    """Where the previous page ended."""
    return cursors.decode(query.after, query) if query.after else None


def _first_of_entity(query: Select[Any]) -> ColumnElement[bool]:
    """A record without an entity, or the oldest of those of its entity that `query` finds."""
    same = query.with_only_columns(records.c.id, records.c.entity_id).subquery("same_entity")
    first = select(func.min(same.c.id)).where(same.c.entity_id == records.c.entity_id).scalar_subquery()
    return or_(records.c.entity_id.is_(None), records.c.id == first)


def _once(conn: Connection, ranked: Ranked) -> Ranked:
    """Of each entity the best answer."""
    entity = dict(_ENTITIES(conn, [(record_id,) for _, record_id in ranked]))
    best: dict[int, int] = {}
    for _, record_id in ranked:
        if record_id in entity:
            best.setdefault(entity[record_id], record_id)
    return [each for each in ranked if each[1] not in entity or best[entity[each[1]]] == each[1]]


_MAY_LACK = frozenset({Sort.PRICE, Sort.PRICE_DOWN, Sort.STARTS_AT})
_DOWN = frozenset({Sort.NEWEST, Sort.PRICE_DOWN, Sort.FRESHNESS})
_KEYS: dict[Sort, ColumnElement[Any]] = {
    Sort.PRICE: records.c.price_minor,
    Sort.PRICE_DOWN: records.c.price_minor,
    Sort.STARTS_AT: records.c.starts_at,
    Sort.FRESHNESS: records.c.shown_until,
}


def _key(query: Query, newest: ColumnElement[Any]) -> ColumnElement[Any]:
    if query.order is Sort.DISTANCE and query.near is not None:
        return type_coerce(filters.squared_degrees(query.near), Float)
    return type_coerce(_KEYS.get(query.order, newest), BigInteger)


def _following(
    statement: Select[Any], query: Query, key: ColumnElement[Any], place: CursorKey | None
) -> Select[Any]:
    """In order, after `place`, without rows that lack the sort key."""
    down = query.order in _DOWN
    statement = _with_key(statement, key, query.near)
    if query.order in _MAY_LACK:
        statement = statement.where(key.is_not(None))
    if place is not None:
        both, there = tuple_(key, records.c.id), tuple_(*map(_as_value, (place.key, place.id)))
        statement = statement.where(both < there if down else both > there)
    return statement.order_by(*((key.desc(), records.c.id.desc()) if down else (key, records.c.id)))


def _as_value(value: Any) -> ColumnElement[Any]:
    return value if isinstance(value, ColumnElement) else literal(value)


def _visible(conn: Connection, query: Select[Any], ranked: Ranked) -> Ranked:
    statement = query.with_only_columns(records.c.id).where(records.c.id.in_([i for _, i in ranked]))
    seen = set(conn.scalars(statement))
    return sorted((each for each in ranked if each[1] in seen), reverse=True)


def _read(
    conn: Connection, base: Select[Any], values: Mapping[str, Any], ranked: Ranked, query: Query
) -> list["_Hit"]:
    """Read the ranked rows of one page in full."""
    ids = [record_id for _, record_id in ranked]
    rows = {row[0]: row for row in fetch_rows(conn, _by_ids(base, query.near), {**values, "ids": ids})}
    return [_Hit(rows[record_id], rank) for rank, record_id in ranked if record_id in rows]


@lru_cache(maxsize=64)
def _by_ids(base: Select[Any], near: tuple[float, float] | None) -> Select[Any]:
    """The rows of `base` with these `ids`; made once for a `base` that is."""
    return _stored(_with_key(base.where(records.c.id.in_(bindparam("ids", expanding=True))), null(), near))


def _with_key(
    statement: Select[Any], key: ColumnElement[Any], near: tuple[float, float] | None
) -> Select[Any]:
    square = null() if near is None else filters.squared_degrees(near)
    return statement.add_columns(key.label("sort_key"), square.label("square"))


def _stored(statement: Select[Any]) -> Select[Any]:
    """The same with the record's columns as they are stored, before sort key and distance."""
    *_, key, square = statement.selected_columns
    return statement.with_only_columns(STORED_RECORD, key, square)


class _Hit(NamedTuple):
    row: Sequence[Any]
    """The record as it is stored, the sort key, the square of the distance."""
    key: float


_SORT_KEY = -2


def _found(hits: Sequence[_Hit], query: Query, parsed: ParsedQuery | None, now: datetime) -> FoundRecords:
    shown = hits[: query.size]
    more = len(hits) > len(shown)
    now_s = epoch_s(now)
    return FoundRecords(
        rows=[_record_row(hit, query, parsed, now_s) for hit in shown],
        next=cursors.encode(CursorKey(shown[-1].key, shown[-1].row[0]), query) if more else None,
    )


def _record_row(hit: _Hit, query: Query, parsed: ParsedQuery | None, now_s: int) -> RecordRow:
    """The row with rank, highlight and distance."""
    *stored, _, squared = hit.row
    row = record_of(stored, now_s=now_s)
    if parsed is None and squared is None:
        return row
    rank = hit.key if query.order is Sort.RELEVANCE else None
    marked = search.highlight(parsed, row.content) if parsed is not None else None
    distance = None if squared is None else filters.kilometres(squared)
    return row._replace(rank=rank, highlight=marked, distance_km=distance)
