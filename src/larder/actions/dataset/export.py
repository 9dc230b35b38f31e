"""The dataset as a file: CSV for people's spreadsheets, JSON Lines for programs.

Rows are read page by page through the public reads, so a file holds what a visitor may see (operators may
include hidden sources), and a million rows need no more memory than one page. Each kind has its own columns.
An empty file says why it is empty. Text that a spreadsheet would run as a formula is escaped, also after
semicolons and tabs, at which some spreadsheets split cells even within quotes.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from operator import attrgetter
from typing import Any

import orjson

from larder.core.model.money import from_minor
from larder.core.model.source import Kind
from larder.store.database import Connection, moment
from larder.store.reads import public, records
from larder.store.reads.export_pages import ExportRow
from larder.store.reads.lookup import time_zones
from larder.store.reads.query import MOST, Query, Sort
from larder.store.reads.record_history import PricePoint, prices_by_record

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
_FORMULA = r"[=+\-@＝＋－＠]"
_BEFORE_FORMULA = re.compile(rf"""(?<![;\s"])[;\s"]++(?={_FORMULA})""")
"""What a formula follows; it starts where such characters start, so that long rows of them are read once."""
_SEPARATORS = frozenset(";\t\r\n")
"""What begins a cell in spreadsheets that separate by other characters than commas."""
_SUSPECT = re.compile(rf"""[;\t\r\n](?:[\s"]|{_FORMULA})""")
"""In texts that follow a line feed each: finds all that has to be disarmed, and some that has not."""


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
    find = records.export_active if hidden else public.export_page
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
    return _written(_cells([row[name] for name in names]) for row in rows)


def csv_note(text: str) -> str:
    """A line that is no record."""
    return csv_lines([{"note": f"# {text}"}], ["note"])


def price_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their histories as one row for each price."""
    return [{**row, **price} for row in rows for price in row["prices"]]


def json_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as one JSON document each."""
    return "".join(orjson.dumps(row).decode() + "\n" for row in rows)


_STORED = tuple(name for name in _COMMON if name in ExportRow._fields and not name.endswith("_at"))
_stored = attrgetter(*_STORED)


def _row(row: ExportRow, names: Sequence[str], zone: str | None) -> dict[str, Any]:
    """A row's own columns, else what its content has; times of events as at the venue."""
    content: Mapping[str, Any] = row.content or {}
    values = dict(zip(names, map(content.get, names), strict=True))
    values.update(zip(_STORED, _stored(row), strict=True))
    values["price"] = _amount(row.price_minor, row.currency)
    values["first_seen_at"] = _moment(row.first_seen_at)
    values["last_seen_at"] = _moment(row.last_seen_at)
    values["verified_at"] = _moment(row.verified_at)
    if row.starts_at is None:
        values |= {"starts_at": None, "ends_at": _moment(row.ends_at)}
        return values
    values["starts_at"] = values["starts_at"] or _moment(row.starts_at)
    values["ends_at"] = values["ends_at"] or _moment(row.ends_at)
    if "time_zone" in values:
        values["time_zone"] = zone
    return values


def _moment(stored: int | None) -> str | None:
    return None if stored is None else moment(stored).isoformat()


def _price(point: PricePoint) -> dict[str, Any]:
    return {
        "price": _amount(point.amount, point.currency),
        "currency": point.currency,
        "observed_at": point.observed_at.isoformat(),
        "confirmed_at": point.confirmed_at.isoformat(),
    }


def _amount(minor: int | None, currency: str | None) -> str | None:
    return None if minor is None else str(from_minor(minor, currency))


def _written(lines: Iterable[Sequence[Any]]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="\r\n").writerows(lines)
    return sheet.getvalue()


def _cells(values: list[Any]) -> list[Any]:
    """Most rows hold nothing that could be calculated, which one look at all their texts tells."""
    texts = [value for value in values if type(value) is str]
    harmless = _SUSPECT.search("\n" + "\n".join(texts)) is None
    return values if harmless else [_cell(value) for value in values]


def _cell(value: Any) -> Any:
    """Text that would be calculated gets an apostrophe, as spreadsheets themselves mark text."""
    if not isinstance(value, str):
        return value
    disarmed = _BEFORE_FORMULA.sub(_marked, value)
    return f"'{disarmed}" if disarmed.startswith(FORMULA_STARTS) else disarmed


def _marked(before: re.Match[str]) -> str:
    text = before.group()
    return text if _SEPARATORS.isdisjoint(text) else f"{text}'"
