"""Product feeds as a table: CSV or tab-separated, with Google's column names."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import islice
from typing import Any

from larder.sdk.page import Page
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.feeds.rows import FeedRows

MAX_ROWS = 50_000
MAX_LINE = 4_000
DELIMITERS = ("\t", ",", ";", "|")

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "name", "product_name"),
    "url": ("link", "url", "product_url", "deeplink"),
    "description": ("description",),
    "price": ("sale_price", "price"),
    "currency": ("currency",),
    "availability": ("availability", "stock"),
    "brand": ("brand", "manufacturer"),
    "gtin": ("gtin", "ean", "gtin13", "isbn"),
    "mpn": ("mpn",),
    "sku": ("id", "sku", "product_id"),
    "platform_id": ("id", "sku", "product_id"),
    "condition": ("condition",),
    "category": ("product_type", "google_product_category", "category"),
    "images": ("image_link", "image", "image_url"),
}
_NAME = re.compile(r"[^a-z0-9]+")


def is_table(page: Page) -> bool:
    """Whether the first line names the columns of a product feed."""
    end = page.markup.body.find(b"\n", 0, MAX_LINE)
    if end < 0 or b"<" in page.markup.body[:end]:
        return False
    return _columns(page.markup.body[:end].decode("utf-8", "replace")) is not None


def read(source: str) -> FeedRows | None:
    """The rows of the table, with the names of our fields."""
    first, _, rest = source.lstrip("\ufeff").partition("\n")
    columns = _columns(first)
    if columns is None:
        return None
    delimiter, names = columns
    lines = csv.reader(StringIO(rest), delimiter=delimiter)
    found, cut = _lines_until_error(lines)
    rows = (_row(names, cells) for cells in found)
    return FeedRows(rows=tuple(row for row in rows if "url" in row and "title" in row), cut=cut)


def _lines_until_error(lines: Iterator[list[str]]) -> tuple[Sequence[list[str]], str]:
    """The lines up to an invalid one, and why the rest was not read."""
    found: list[list[str]] = []
    try:
        found.extend(islice(lines, MAX_ROWS + 1))
    except csv.Error as error:
        return found, str(error)
    return found[:MAX_ROWS], f"more than {MAX_ROWS} lines" if len(found) > MAX_ROWS else ""


def _columns(line: str) -> tuple[str, list[str]] | None:
    line = line.lstrip("\ufeff").rstrip("\r\n")
    delimiter = max(DELIMITERS, key=line.count)
    names = [_NAME.sub("_", cell.strip().strip('"').lower()).strip("_") for cell in line.split(delimiter)]
    names = [name.removeprefix("g_") for name in names]
    known = {field for field, columns in _COLUMNS.items() if set(columns) & set(names)}
    return (delimiter, names) if {"title", "url", "price"} <= known and len(names) >= 3 else None


def _row(names: list[str], cells: list[str]) -> dict[str, Any]:
    values = {name: cell.strip() for name, cell in zip(names, cells, strict=False) if cell.strip()}
    fields: dict[str, Any] = {
        field: next((values[name] for name in columns if name in values), "")
        for field, columns in _COLUMNS.items()
    }
    fields["images"] = [fields["images"]] if fields["images"] else []
    return without_empty(fields)
