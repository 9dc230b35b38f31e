"""The dataset as a file: CSV for people's spreadsheets, JSON Lines for programs.

Rows are read page by page through the public reads, so a file holds what a visitor may see (operators may
include hidden sources), and a million rows need no more memory than one page. Each kind has its own columns.
An empty file says why it is empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

import orjson

from larder.actions.dataset.export_rows import COMMON, amount_text, flat_columns
from larder.actions.dataset.spreadsheet import FORMULA_STARTS, csv_columns, csv_text
from larder.core.model.hint import Hint
from larder.core.model.source import Kind
from larder.store.database import Connection
from larder.store.reads import public, records
from larder.store.reads.lookup import source_row, time_zones
from larder.store.reads.query import MAX_ROWS, Query, Sort
from larder.store.reads.record_history import PricePoint, prices_by_record

__all__ = ["COLUMNS", "FORMULA_STARTS", "PRICE_COLUMNS", "Chunk", "columns", "csv_header"]

_OWN: Mapping[Kind, Sequence[str]] = {
    Kind.LISTING: (
        "period", "area_m2", "rooms", "beds", "baths", "address", "postcode", "city", "country", "status",
        "posted_at", "available_from",
    ),
    Kind.EVENT: ("venue", "address", "postcode", "city", "country", "time_zone", "time_known", "status"),
    Kind.PRODUCT: ("sku", "gtin", "mpn", "review_count"),
}  # fmt: skip
PRICE_COLUMNS = (
    "id", "kind", "source", "title", "url", "price", "currency", "observed_at", "confirmed_at",
)  # fmt: skip
"""Columns of a file of price histories, which has a row for each price."""


def columns(kind: Kind | None) -> tuple[str, ...]:
    """The columns of a file: those of all kinds, then those of this kind; None: of any kind."""
    return (*COMMON, *own_columns(kind))


def own_columns(kind: Kind | None) -> tuple[str, ...]:
    """The columns that only some kinds have."""
    own = _OWN[kind] if kind else chain.from_iterable(_OWN.values())
    return tuple(dict.fromkeys(name for name in own if name not in COMMON))


COLUMNS = columns(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A page of the file, and the query for the next one."""

    names: Sequence[str]
    columns: Sequence[Sequence[Any]]
    """The values of each name, in the order of the names."""
    next: Query | None

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.columns[0])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries by column name."""
        return [dict(zip(self.names, row, strict=True)) for row in zip(*self.columns, strict=True)]


def export_query(conn: Connection, query: Query, *, hidden: bool = False, now: datetime) -> Query:
    """The query from its first row, in an order that can be paged to the last.

    Relevance ranks only the best hits, and no index continues by distance. If no record has all the searched
    words, the best hits are all there is.
    """
    page_query = replace(query, after=None)
    if query.order not in (Sort.RELEVANCE, Sort.DISTANCE):
        return page_query
    newest = replace(page_query, sort=Sort.NEWEST)
    return newest if len(read_chunk(conn, newest, hidden=hidden, now=now)) else page_query


def read_chunk(
    conn: Connection,
    query: Query,
    *,
    hidden: bool = False,
    prices: bool = False,
    stored_times: bool = False,
    now: datetime,
) -> Chunk:
    """The rows of a query, and the query for the next ones.

    `hidden`: active records of all sources, for operators; `prices`: each row with its price history;
    `stored_times`: when a record was seen in microseconds since 1970.
    """
    find = records.export_active if hidden else public.export_page
    found = find(conn, replace(query, limit=MAX_ROWS), now=now)
    following = None if found.next is None else replace(query, after=found.next)
    stored, own = found.columns, own_columns(query.kind)
    zones = time_zones(conn, set(stored["source_id"]))
    columns = flat_columns(stored, own, zones, stored_times=stored_times)
    chunk = Chunk(names=(*COMMON, *own), columns=columns, next=following)
    return _with_prices(conn, chunk) if prices else chunk


def _with_prices(conn: Connection, chunk: Chunk) -> Chunk:
    ids = chunk.columns[0]
    histories = prices_by_record(conn, ids)
    points = [[price_values(each) for each in histories.get(record_id, ())] for record_id in ids]
    return replace(chunk, names=(*chunk.names, "prices"), columns=[*chunk.columns, points])


def why_empty(conn: Connection, query: Query, *, hidden: bool = False, now: datetime) -> Hint:
    """Why a file of this query has no rows, and what to change."""
    many = records.count_standing(conn, now=now)
    if not many.active:
        return Hint(text="No records: nothing was collected yet")
    if not many.shown and not hidden:
        left = f"{many.active - many.public:,} belong to hidden sources, {many.public:,} are not fresh enough"
        return _hidden_hint(f"No records: none is public ({left})")
    if query == Query():
        return Hint(text="No records")
    if not hidden and len(read_chunk(conn, query, hidden=True, now=now)):
        left = "those that match these filters belong to hidden sources or are not fresh enough"
        return _hidden_hint(f"No records: {left}")
    total = many.active if hidden else many.shown
    return Hint(text=f"No records: none of {total:,} matches these filters")


def _hidden_hint(text: str) -> Hint:
    return Hint(text=text, action="record.export", options=(("hidden", ""),))


def check_source(conn: Connection, query: Query) -> None:
    """Refuse the name of a source that does not exist, before a file is opened for it."""
    if query.source is not None:
        source_row(conn, query.source, removed=True)


def csv_header(names: Sequence[str] = COLUMNS) -> str:
    """The header line of a CSV file."""
    return csv_text([names])


def csv_note(text: str) -> str:
    """A line with a remark instead of a record."""
    return csv_text([[f"# {text}"]])


def price_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their histories as one row for each price."""
    return [{**row, **price} for row in rows for price in row["prices"]]


def chunk_json_lines(chunk: Chunk) -> bytes:
    """The rows of a chunk as one JSON document each; columns that are empty in all of them cost nothing."""
    columns: dict[str, Sequence[Any]] = {}
    empty: list[str] = []
    for name, column in zip(chunk.names, chunk.columns, strict=True):
        if column.count(None) == len(column):
            empty.append(name)
            continue
        columns |= _as_one(empty, len(column))
        columns[name], empty = column, []
    columns |= _as_one(empty, len(chunk))
    names = tuple(columns)
    return json_lines([dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as one JSON document each, encoded together unless a value could end a document."""
    joined = orjson.dumps(rows)
    if joined.count(b"},{") == len(rows) - 1:
        return joined[1:-1].replace(b"},{", b"}\n{") + b"\n"
    return b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


def _as_one(empty: Sequence[str], rows: int) -> dict[str, Sequence[Any]]:
    """Neighbouring empty columns as one column whose value is their common text."""
    if not empty:
        return {}
    text = ",".join(["null", *(f'"{name}":null' for name in empty[1:])])
    return {empty[0]: (orjson.Fragment(text),) * rows}


def chunk_csv_lines(chunk: Chunk) -> str:
    """The rows of a chunk as CSV lines, in which spreadsheets run nothing as a formula."""
    return csv_columns(chunk.columns)


def price_chunk(chunk: Chunk) -> Chunk:
    """A row for each price instead of each record."""
    rows = price_rows(chunk.rows)
    columns = [[row[name] for row in rows] for name in PRICE_COLUMNS]
    return Chunk(names=PRICE_COLUMNS, columns=columns, next=chunk.next)


def price_values(point: PricePoint) -> dict[str, Any]:
    """A price of a history."""
    return {
        "price": amount_text(point.amount, point.currency),
        "currency": point.currency,
        "observed_at": point.observed_at.isoformat(),
        "confirmed_at": point.confirmed_at.isoformat(),
    }
