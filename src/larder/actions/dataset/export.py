"""The dataset as a file: CSV for people's spreadsheets, JSON Lines for programs.

Read page by page through the same gate as every public read, so a file holds what a visitor may see
(operators may ask for hidden sources, too), and a million rows need no more memory than one page. Each kind
has columns of its own. An empty file says why it is empty. Text that a spreadsheet would calculate is
disarmed, wherever it cuts its cells: where semicolons or tabs separate, quotes hold nothing together.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

import orjson

from larder.core.model.money import from_minor
from larder.core.model.source import Kind
from larder.store.database import Connection
from larder.store.reads import public, records
from larder.store.reads.lookup import time_zones
from larder.store.reads.query import MOST, Query, Sort
from larder.store.reads.record_history import PricePoint, prices_by_record
from larder.store.reads.rows import RecordRow

_COMMON = (
    "id", "kind", "source", "title", "price", "currency", "availability", "seller", "brand", "category",
    "rating", "latitude", "longitude", "starts_at", "ends_at", "url", "freshness_confidence",
    "first_seen_at", "last_seen_at", "verified_at",
)  # fmt: skip
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
"""Of a file of price histories, which has a row for each price."""


def columns(kind: Kind | None) -> tuple[str, ...]:
    """The columns of a file: what all kinds have, then what this kind has; None: what any has."""
    own = _OWN[kind] if kind else chain.from_iterable(_OWN.values())
    return tuple(dict.fromkeys((*_COMMON, *own)))


COLUMNS = columns(None)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet begins to calculate at."""
_LATER_CELL = re.compile(r"""([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])""")
"""Where a formula would begin in a spreadsheet that separates by other characters than commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A page of the file, and what asks for the next."""

    rows: Sequence[Mapping[str, Any]]
    next: Query | None


def export_query(conn: Connection, query: Query, *, hidden: bool = False, now: datetime) -> Query:
    """The query from its first row, in an order that can be paged to the last.

    Relevance ranks the best hits alone, and no index leads on by distance. Where nothing has all the words
    that are asked for, the best hits are what there is.
    """
    page_query = replace(query, after=None)
    if query.order not in (Sort.RELEVANCE, Sort.DISTANCE):
        return page_query
    newest = replace(page_query, sort=Sort.NEWEST)
    return newest if read_chunk(conn, newest, hidden=hidden, now=now).rows else page_query


def read_chunk(
    conn: Connection, query: Query, *, hidden: bool = False, prices: bool = False, now: datetime
) -> Chunk:
    """The rows of a query, and the query for the next ones.

    `hidden`: active records of all sources, for operators; `prices`: each row with its price history.
    """
    find = records.search_active if hidden else public.find_records
    found = find(conn, replace(query, limit=MOST), now=now)
    following = None if found.next is None else replace(query, after=found.next)
    zones = time_zones(conn, {each.source_id for each in found.rows})
    names = columns(query.kind)
    rows = [_row(each, names, zones.get(each.source_id)) for each in found.rows]
    if prices:
        histories = prices_by_record(conn, [each.id for each in found.rows])
        rows = [{**row, "prices": [_price(each) for each in histories.get(row["id"], ())]} for row in rows]
    return Chunk(rows=rows, next=following)


def why_empty(conn: Connection, query: Query, *, hidden: bool = False, now: datetime) -> str:
    """Why a file of this query has no rows, and what helps."""
    many = records.count_standing(conn, now=now)
    if not many.active:
        return "No records: nothing was collected yet."
    if not many.shown and not hidden:
        left = f"{many.active - many.public:,} belong to hidden sources, {many.public:,} are not fresh enough"
        return f"No records: none is public ({left}). Operators: larder export --hidden."
    if query != Query():
        whole = many.active if hidden else many.shown
        return f"No records: none of {whole:,} matches these filters."
    return "No records."


def csv_header(names: Sequence[str] = COLUMNS) -> str:
    """The first line."""
    return csv_lines([dict(zip(names, names, strict=True))], names)


def csv_lines(rows: Sequence[Mapping[str, Any]], names: Sequence[str] = COLUMNS) -> str:
    """Rows as lines; nothing in them can be taken for a formula."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return sheet.getvalue()


def csv_note(text: str) -> str:
    """A line that is no record."""
    return csv_lines([{"note": f"# {text}"}], ["note"])


def price_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their histories as one row for each price."""
    return [{**row, **price} for row in rows for price in row["prices"]]


def json_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as one JSON document each."""
    return "".join(orjson.dumps(row).decode() + "\n" for row in rows)


def _row(row: RecordRow, names: Sequence[str], zone: str | None) -> dict[str, Any]:
    """A row's own columns, else what its content has; times of events as at the venue."""
    content: Mapping[str, Any] = row.content or {}
    values = {name: getattr(row, name, content.get(name)) for name in names}
    values["price"] = _amount(row.price_minor, row.currency)
    if row.starts_at is not None:
        values |= {name: content.get(name) or values[name] for name in ("starts_at", "ends_at")}
        values |= {"time_zone": zone} if "time_zone" in names else {}
    return {name: _plain(values[name]) for name in names}


def _price(point: PricePoint) -> dict[str, Any]:
    return {
        "price": _amount(point.amount, point.currency),
        "currency": point.currency,
        "observed_at": _plain(point.observed_at),
        "confirmed_at": _plain(point.confirmed_at),
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _amount(minor: int | None, currency: str | None) -> str | None:
    return None if minor is None else str(from_minor(minor, currency))


def _cell(value: Any) -> Any:
    """Text that would be calculated gets an apostrophe, as spreadsheets themselves mark text."""
    if not isinstance(value, str):
        return value
    disarmed = _LATER_CELL.sub(r"\1'", value)
    return f"'{disarmed}" if disarmed.startswith(FORMULA_STARTS) else disarmed
