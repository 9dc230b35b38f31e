"""Pages of records with the columns of an export alone: many rows at once, times as they are stored.

What may be read is decided by the select that is handed in, as for every other page of records.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

import orjson
from sqlalchemy import BigInteger, ColumnElement, Connection, Select, Text, cast, type_coerce

from larder.store.database.statement import fetch_rows
from larder.store.dataset.freshness import confidence
from larder.store.reads import cursors
from larder.store.reads.cursors import CursorKey
from larder.store.reads.paging import find_page, select_following
from larder.store.reads.query import Query, Sort
from larder.store.reads.rows import RecordRow
from larder.store.tables import records, sources
from larder.store.tables.columns import micros

ROWS = 4_000
"""Rows of a page: what is done once a page costs little of each row then, and content stays in bounds."""


class ExportRow(NamedTuple):
    """What an export needs of a record; times are microseconds since 1970."""

    id: int
    source_id: int
    kind: str
    url: str | None
    title: str
    price_minor: int | None
    currency: str | None
    availability: str | None
    seller: str | None
    category: str | None
    brand: str | None
    rating: float | None
    latitude: float | None
    longitude: float | None
    starts_at: int | None
    ends_at: int | None
    content: str | None
    """JSON as text."""
    first_seen_at: int
    last_seen_at: int
    verified_at: int | None
    source: str
    freshness_confidence: int
    sort_key: float = 0.0
    """What it is sorted by."""
    square: float | None = None
    """How far it is, for a query near a point."""


def as_columns(rows: Sequence[Sequence[Any]]) -> Mapping[str, Sequence[Any]]:
    """The values of each column of `ExportRow`, in the order of the rows."""
    values = zip(*rows, strict=True) if rows else ((),) * len(ExportRow._fields)
    return dict(zip(ExportRow._fields, values, strict=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPage:
    """A page, and the cursor of the next; None: this was the last."""

    hits: Sequence[Sequence[Any]]
    """The values of `ExportRow`, as the driver gives them."""
    next: str | None

    @property
    def columns(self) -> Mapping[str, Sequence[Any]]:
        """The values of each column of `ExportRow`."""
        return as_columns(self.hits)

    @property
    def rows(self) -> list[ExportRow]:
        """The rows with names."""
        return list(map(ExportRow._make, self.hits))


def find_export_page(
    conn: Connection, statement: Select[Any], query: Query, *, size: int = ROWS, now: datetime
) -> ExportPage:
    """A page of `begun` (records joined with their sources) in the order of the query."""
    if query.order is Sort.RELEVANCE:
        found = find_page(conn, statement, query, now=now)
        return ExportPage(hits=[_as_stored(row) for row in found.rows], next=found.next)
    narrow = statement.with_only_columns(*_columns(now))
    following = select_following(conn, narrow, query, newest=_newest(query), now=now)
    hits = fetch_rows(conn, following.limit(size + 1))
    if len(hits) <= size:
        return ExportPage(hits=hits, next=None)
    del hits[size:]
    last = ExportRow._make(hits[-1])
    return ExportPage(hits=hits, next=cursors.encode(CursorKey(last.sort_key, last.id), query))


_WHOLE = Query()


def _newest(query: Query) -> ColumnElement[Any]:
    """By number, where all is read: in the order of the table, which is twice as fast as by an index."""
    everything = replace(query, kind=None, after=None, limit=_WHOLE.limit) == _WHOLE
    return records.c.id if everything else records.c.first_seen_at


_SELECTED = ExportRow._fields[:-2]
"""The columns; the paging adds the others."""
_MOMENTS = frozenset({"starts_at", "ends_at", "first_seen_at", "last_seen_at", "verified_at"})


def _columns(now: datetime) -> list[ColumnElement[Any]]:
    others = {
        "source": sources.c.slug,
        "freshness_confidence": confidence(now),
        "content": cast(records.c.content, Text),  # asyncpg's own reading of JSON costs more
    }
    return [_column(name, others) for name in _SELECTED]


def _column(name: str, others: dict[str, ColumnElement[Any]]) -> ColumnElement[Any]:
    if name in _MOMENTS:
        return type_coerce(records.c[name], BigInteger).label(name)
    return others[name].label(name) if name in others else records.c[name]


def _as_stored(row: RecordRow) -> ExportRow:
    moments = {name: micros(value) for name in _MOMENTS if (value := getattr(row, name)) is not None}
    others = {**moments, "content": orjson.dumps(row.content or {}).decode()}
    return ExportRow._make((*(others.get(name, getattr(row, name)) for name in _SELECTED), 0.0, None))
