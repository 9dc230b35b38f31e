"""The dataset as a file: CSV for people's spreadsheets, JSON Lines for programs.

Read page by page through the same gate as every public read, so a file holds what a visitor may see, and a
million rows need no more memory than one page. Text that a spreadsheet would calculate is disarmed, wherever
it cuts its cells: where semicolons or tabs are what separates, quotes hold nothing together.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson

from larder.core.model.money import from_minor
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.reads.query import MOST, Query, Sort
from larder.store.reads.rows import RecordRow

COLUMNS = (
    "id", "kind", "source", "title", "price", "currency", "availability", "seller", "brand", "category",
    "rating", "latitude", "longitude", "starts_at", "ends_at", "url", "freshness_confidence",
    "first_seen_at", "last_seen_at", "verified_at",
)  # fmt: skip
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet begins to calculate at."""
_LATER_CELL = re.compile(r"""([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])""")
"""Where a formula would begin in a spreadsheet that separates by other characters than commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A page of the file, and what asks for the next."""

    rows: Sequence[Mapping[str, Any]]
    next: Query | None


def export_query(conn: Connection, query: Query, *, now: datetime) -> Query:
    """The query from its first row, in an order that can be paged to the last.

    Relevance ranks the best hits alone, and no index leads on by distance. Where nothing has all the words
    that are asked for, the best hits are what there is.
    """
    page_query = replace(query, after=None)
    if query.order not in (Sort.RELEVANCE, Sort.DISTANCE):
        return page_query
    newest = replace(page_query, sort=Sort.NEWEST)
    return newest if read_chunk(conn, newest, now=now).rows else page_query


def read_chunk(conn: Connection, query: Query, *, now: datetime) -> Chunk:
    """The rows of a query, and the query for the next ones."""
    found = public.find_records(conn, replace(query, limit=MOST), now=now)
    following = None if found.next is None else replace(query, after=found.next)
    return Chunk(rows=[_row(each) for each in found.rows], next=following)


def csv_header() -> str:
    """The first line."""
    return csv_lines([dict(zip(COLUMNS, COLUMNS, strict=True))])


def csv_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as lines; nothing in them can be taken for a formula."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerows([_cell(row[name]) for name in COLUMNS] for row in rows)
    return sheet.getvalue()


def json_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as one JSON document each."""
    return "".join(orjson.dumps(row).decode() + "\n" for row in rows)


def _row(row: RecordRow) -> dict[str, Any]:
    columns = {name: getattr(row, name, None) for name in COLUMNS if name != "price"}
    columns["price"] = _amount(row.price_minor, row.currency)
    return {name: _plain(columns[name]) for name in COLUMNS}


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
