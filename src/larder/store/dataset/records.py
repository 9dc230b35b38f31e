"""Finds and writes records in batches: their content, and when they were last seen."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from larder.store import search
from larder.store.database.statement import (
    Statement,
    column_types,
    fetch_as,
    in_batches,
    json_value,
    select_as,
)
from larder.store.dataset.freshness import FreshnessColumns
from larder.store.dataset.record_rows import (
    ChangedRecord,
    EndedRecord,
    FirstSighting,
    KnownRecord,
    NewRecordRow,
    ReadAgain,
    RecordColumns,
    RecordIdentity,
    ScrapedRecord,
    StoredIdentity,
)
from larder.store.tables import records
from larder.store.tables.columns import micros


class _AddedRecord(NamedTuple):
    id: int
    source_id: int
    identity_key: str


class _Content(NamedTuple):
    id: int
    content: Any


class _Discovered(NamedTuple):
    id: int
    discovered_at: int | None


_STATE = """
records.id, records.source_id, records.identity_key, records.fingerprint, records.canonical_url,
records.row_hash, records.content_hash, records.price_minor, records.currency, records.availability,
records.seller, records.discovered_at, records.last_scraped_at, records.active, records.pinned,
records.seen_by_run, records.starts_at
"""

_BY_KEY = Statement(
    f"""
    SELECT {_STATE} FROM {{rows}} AS asked
    JOIN records ON records.source_id = asked.source_id AND records.identity_key = asked.identity_key
    """,
    row=KnownRecord,
    rows={"source_id": "int", "identity_key": "text"},
)

_BY_URL = Statement(
    f"""
    SELECT {_STATE} FROM {{rows}} AS asked
    JOIN records ON records.source_id = asked.source_id AND records.canonical_url = asked.canonical_url
    ORDER BY records.id
    """,
    row=KnownRecord,
    rows={"source_id": "int", "canonical_url": "text"},
)

_BY_FINGERPRINT = Statement(
    f"""
    SELECT {_STATE} FROM {{rows}} AS asked
    JOIN records ON records.source_id = asked.source_id AND records.fingerprint = asked.fingerprint
    """,
    row=KnownRecord,
    rows={"source_id": "int", "fingerprint": "text"},
)

_CONTENT = Statement(
    "SELECT records.id, records.content FROM {rows} AS asked JOIN records ON records.id = asked.id",
    row=_Content,
    rows={"id": "int"},
)

_COLUMNS = column_types(RecordColumns)
_IDENTITY = column_types(RecordIdentity)
_FRESHNESS = column_types(FreshnessColumns)
_SIGHTING = column_types(FirstSighting)
_NEW = (*_IDENTITY, *_COLUMNS, *_FRESHNESS)

_INSERT = Statement(
    f"""
    INSERT INTO records ({", ".join(_NEW)}, first_seen_at, last_seen_at, discovered_at,
                         seen_by_run, times_seen, created_at, updated_at)
    SELECT {", ".join(_NEW)}, first_at, last_at, discovered_at, run_id, 1, :now, :now
    FROM {{rows}} AS fresh WHERE true
    ON CONFLICT (source_id, identity_key) DO NOTHING
    RETURNING id, source_id, identity_key
    """,
    row=_AddedRecord,
    rows={**_IDENTITY, **_COLUMNS, **_FRESHNESS, **_SIGHTING},
    args={"now": "int"},
)

_KEPT = frozenset({"page_id", "last_scraped_at", "url", "canonical_url"})
"""Columns set by some pages only (index row or detail page); other pages leave them unchanged."""


def _newer(name: str) -> str:
    return f"coalesce(changed.{name}, records.{name})" if name in _KEPT else f"changed.{name}"


_UPDATE = Statement(
    f"""
    UPDATE records SET {", ".join(f"{name} = {_newer(name)}" for name in _COLUMNS)}, updated_at = :now
    FROM {{rows}} AS changed WHERE records.id = changed.id
    """,
    rows={"id": "int", **_COLUMNS},
    args={"now": "int"},
)

_ROW_READ = Statement(
    """
    UPDATE records SET row_hash = read.row_hash,
                       last_scraped_at = coalesce(read.scraped_at, records.last_scraped_at),
                       page_id = coalesce(read.page_id, records.page_id)
    FROM {rows} AS read WHERE records.id = read.id
    """,
    rows=ReadAgain,
)

_ENDED = Statement(
    """
    UPDATE records SET missing_at = ended.at, missing_status = NULL FROM {rows} AS ended
    WHERE records.id = ended.id AND records.last_seen_at <= ended.at
    """,
    rows={"id": "int", "at": "int"},
)

_SCRAPED = Statement(
    """
    UPDATE records SET last_scraped_at = read.at, page_id = read.page_id
    FROM {rows} AS read WHERE records.id = read.id AND coalesce(records.last_scraped_at, 0) <= read.at
    """,
    rows=ScrapedRecord,
)

_DISCOVERED = Statement(
    """
    SELECT records.id, records.discovered_at FROM {rows} AS asked JOIN records ON records.id = asked.id
    """,
    row=_Discovered,
    rows={"id": "int"},
)


_UNKNOWN_STOCK = Statement(
    """
    SELECT count(*) FROM {rows} AS read JOIN records ON records.page_id = read.page_id
    WHERE records.availability = 'unknown'
    """,
    scalar=int,
    rows={"page_id": "int"},
)


def count_unknown_stock(conn: Connection, page_ids: Sequence[int]) -> int:
    """How many records that were read from these pages have an unknown availability."""
    return sum(_UNKNOWN_STOCK(conn, [(page_id,) for page_id in page_ids]))


def by_key(conn: Connection, keys: Sequence[tuple[int, str]]) -> list[KnownRecord]:
    """Records by source and identity key."""
    return _BY_KEY(conn, keys)


def by_url(conn: Connection, urls: Sequence[tuple[int, str]]) -> list[KnownRecord]:
    """Known records by (source, canonical URL), for a record whose platform id changed."""
    return _BY_URL(conn, urls)


def by_fingerprint(conn: Connection, prints: Sequence[tuple[int, str]]) -> list[KnownRecord]:
    """Known records by (source, fingerprint): the same event announced under another address."""
    return _BY_FINGERPRINT(conn, prints)


def load_contents(conn: Connection, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The content of records that a page may change."""
    return {row.id: json_value(row.content) for row in _CONTENT(conn, [(i,) for i in ids])}


def add(conn: Connection, new: Sequence[NewRecordRow], *, now: datetime) -> dict[tuple[int, str], int]:
    """Insert records and index them for search; their ids by (source, identity key)."""
    rows = [(*row.identity, *row.columns, *row.freshness, *row.sighting) for row in new]
    added = {
        (row.source_id, row.identity_key): row.id
        for batch in in_batches(rows)
        for row in _INSERT(conn, batch, now=micros(now))
    }
    ids = ((added.get((row.identity.source_id, row.identity.identity_key)), row.columns) for row in new)
    search.index(conn, [(i, columns.content) for i, columns in ids if i is not None], fresh=True)
    return added


def update_contents(conn: Connection, changed: Sequence[ChangedRecord], *, now: datetime) -> None:
    """Write new content of known records; this sets `updated_at`."""
    _UPDATE(conn, [(row.id, *row.columns) for row in changed], now=micros(now))
    search.index(conn, [(row.id, row.columns.content) for row in changed])


def mark_rows_read(conn: Connection, rows: Sequence[ReadAgain]) -> None:
    """Mark records whose pages were read again with the same content."""
    _ROW_READ(conn, rows)


def mark_ended(conn: Connection, ended: Sequence[EndedRecord]) -> None:
    """Mark records whose page says that they are no longer available.

    They are to be checked.
    """
    _ENDED(conn, ended)


def mark_scraped(conn: Connection, rows: Sequence[ScrapedRecord]) -> None:
    """Mark records whose detail pages were read again with the same content."""
    _SCRAPED(conn, rows)


def discovered_at(conn: Connection, ids: Sequence[int]) -> dict[int, int | None]:
    """When a discovery first saw each record."""
    return {row.id: row.discovered_at for row in _DISCOVERED(conn, [(i,) for i in set(ids)])}


def load_identities(conn: Connection, ids: Sequence[int]) -> list[StoredIdentity]:
    """The columns for writing these records again."""
    return fetch_as(conn, select_as(records, StoredIdentity).where(records.c.id.in_(ids)), StoredIdentity)


def list_ids(conn: Connection, *, after: int, limit: int) -> list[int]:
    """The next record ids above `after`, in order."""
    following = select(records.c.id).where(records.c.id > after).order_by(records.c.id).limit(limit)
    return list(conn.scalars(following))
