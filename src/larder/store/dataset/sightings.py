"""Which records a page showed: one row per page, in the page's order."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement, loads


class PageSighting(NamedTuple):
    """The records that a page showed, in its order."""

    source_id: int
    run_id: int
    page_id: int
    number: int | None
    seen_at: int
    records: list[int]


class _SightingRow(NamedTuple):
    page_id: int
    records: Any


_SHOWN_ON = Statement(
    """
    SELECT sightings.page_id, sightings.records FROM {rows} AS asked
    JOIN sightings ON sightings.page_id = asked.page_id
    """,
    row=_SightingRow,
    rows={"page_id": "int"},
)

_SIGHTING = Statement(
    """
    INSERT INTO sightings (source_id, run_id, page_id, number, seen_at, records)
    SELECT source_id, run_id, page_id, number, seen_at, records FROM {rows} AS seen
    """,
    rows=PageSighting,
)


def records_by_page(conn: Connection, page_ids: Sequence[int]) -> dict[int, list[int]]:
    """Which records each page showed."""
    return {row.page_id: loads(row.records) for row in _SHOWN_ON(conn, [(i,) for i in set(page_ids)])}


def add(conn: Connection, rows: Sequence[PageSighting]) -> None:
    """Store which records pages showed."""
    _SIGHTING(conn, rows)
