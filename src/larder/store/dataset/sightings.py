"""Which records pages showed: one row per page, in the page's order, and what each sighting resets."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement, column_types, json_value
from larder.store.dataset.freshness import FreshnessColumns
from larder.store.dataset.record_rows import CommonSighting, SightedRecord


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


_FRESHNESS = column_types(FreshnessColumns)
_UNDOUBTED = """(records.active = 1 AND records.strikes = 0 AND records.struck_at IS NULL
      AND records.verification IS NULL AND records.deactivated_at IS NULL AND records.archived_at IS NULL
      AND records.missing_at IS NULL)"""
_SIGHTED = f"""last_seen_at = seen.at, {", ".join(f"{name} = seen.{name}" for name in _FRESHNESS)},
      times_seen = records.times_seen + CASE WHEN records.seen_by_run = seen.run_id THEN 0 ELSE 1 END,
      seen_by_run = seen.run_id, discovered_at = coalesce(records.discovered_at, seen.discovered_at)"""
_STILL_MISSING = """CASE WHEN records.missing_status IS NULL THEN seen.same = 1
      ELSE records.active = 1 AND seen.index_url <> coalesce(records.canonical_url, '') END"""
"""An index row does not cancel the answer of the record's own page: records are often listed longer."""

_AS_BEFORE = f"""
    UPDATE records SET {_SIGHTED}
    FROM {{rows}} AS seen WHERE records.id = seen.id AND records.last_seen_at <= seen.at AND {_UNDOUBTED}
"""
"""Only the sighting is written: SQLite rewrites every index on a column that a statement names."""

_AGAIN = f"""
    UPDATE records SET {_SIGHTED},
      active = 1, strikes = 0, struck_at = NULL, verification = NULL, deactivated_at = NULL,
      archived_at = NULL,
      missing_at = CASE WHEN records.missing_at > seen.at OR {_STILL_MISSING} THEN records.missing_at END
    FROM {{rows}} AS seen WHERE records.id = seen.id AND records.last_seen_at <= seen.at
      AND (records.struck_at IS NULL OR records.struck_at <= seen.at) AND NOT {_UNDOUBTED}
"""
"""The sighting of a doubted or inactive record, which clears that state."""

_SIGHTING_COLUMNS = {"run_id": "int", "at": "int", "discovered_at": "int", **_FRESHNESS}
_AGAIN_COLUMNS = {**_SIGHTING_COLUMNS, "same": "int", "index_url": "text"}
_SIGHTING_ROWS = {
    "id": "int",
    "run_id": "int",
    "at": "int",
    "discovered_at": "int",
    "same": "int",
    "index_url": "text",
    **_FRESHNESS,
}
_SEEN_AS_BEFORE = Statement(_AS_BEFORE, rows=_SIGHTING_ROWS)
_SEEN_AGAIN = Statement(_AGAIN, rows=_SIGHTING_ROWS)
_ONE_SIGHTING = re.compile(r"\bseen\.(?!id\b)")
_ALL_SEEN_AS_BEFORE = Statement(
    f"{_ONE_SIGHTING.sub(':', _AS_BEFORE)} RETURNING records.id",
    scalar=int,
    rows={"id": "int"},
    args=_SIGHTING_COLUMNS,
)
_ALL_SEEN_AGAIN = Statement(_ONE_SIGHTING.sub(":", _AGAIN), rows={"id": "int"}, args=_AGAIN_COLUMNS)
"""The same for the rows of one page: shared values are sent once."""


def records_by_page(conn: Connection, page_ids: Sequence[int]) -> dict[int, list[int]]:
    """Which records each page showed."""
    return {row.page_id: json_value(row.records) for row in _SHOWN_ON(conn, [(i,) for i in set(page_ids)])}


def add(conn: Connection, rows: Sequence[PageSighting]) -> None:
    """Store which records pages showed."""
    _SIGHTING(conn, rows)


def mark_seen(conn: Connection, seen: Sequence[SightedRecord]) -> None:
    """Write sightings: each resets its record's confidence and its strikes."""
    rows = [(*row[:-1], *row.freshness) for row in seen]
    _SEEN_AS_BEFORE(conn, rows)
    _SEEN_AGAIN(conn, rows)


def mark_page_seen(conn: Connection, ids: Sequence[int], seen: CommonSighting) -> None:
    """As `mark_seen`, for many records on one page."""
    freshness = seen.freshness._asdict()
    sighting = {"run_id": seen.run_id, "at": seen.at, "discovered_at": seen.discovered_at, **freshness}
    as_before = set(_ALL_SEEN_AS_BEFORE(conn, [(i,) for i in ids], **sighting))
    rest = [(i,) for i in ids if i not in as_before]
    _ALL_SEEN_AGAIN(conn, rest, **sighting, same=seen.same, index_url=seen.index_url)
