"""Records, found and written in batches: what they say, and when they were last seen."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from larder.store import search
from larder.store.database.statement import AnyRow, Statement, in_batches, loads
from larder.store.tables import records
from larder.store.tables.columns import micros

_STATE = """
records.id, records.source_id, records.identity_key, records.fingerprint, records.canonical_url,
records.row_hash, records.content_hash, records.price_minor, records.currency, records.availability,
records.seller, records.discovered_at, records.last_scraped_at, records.active, records.pinned,
records.seen_by_run
"""

_BY_KEY = Statement(
    f"""
    SELECT {_STATE} FROM {{rows}} AS asked
    JOIN records ON records.source_id = asked.source_id AND records.identity_key = asked.identity_key
    """,
    rows={"source_id": "int", "identity_key": "text"},
)

_BY_URL = Statement(
    f"""
    SELECT {_STATE} FROM {{rows}} AS asked
    JOIN records ON records.source_id = asked.source_id AND records.canonical_url = asked.canonical_url
    ORDER BY records.id
    """,
    rows={"source_id": "int", "canonical_url": "text"},
)

_BY_FINGERPRINT = Statement(
    f"""
    SELECT {_STATE} FROM {{rows}} AS asked
    JOIN records ON records.source_id = asked.source_id AND records.fingerprint = asked.fingerprint
    """,
    rows={"source_id": "int", "fingerprint": "text"},
)

_CONTENT = Statement(
    "SELECT records.id, records.content FROM {rows} AS asked JOIN records ON records.id = asked.id",
    rows={"id": "int"},
)

COLUMNS = {
    "platform_id": "text",
    "url": "text",
    "canonical_url": "text",
    "title": "text",
    "price_minor": "int",
    "currency": "text",
    "availability": "text",
    "seller": "text",
    "category": "text",
    "brand": "text",
    "rating": "float",
    "latitude": "float",
    "longitude": "float",
    "starts_at": "int",
    "ends_at": "int",
    "content": "json",
    "content_hash": "text",
    "row_hash": "text",
    "page_id": "int",
    "last_scraped_at": "int",
}
"""What a record's content sets, in the order `insert` and `update` take it."""

_NEW = {"source_id": "int", "kind": "text", "identity_key": "text", "fingerprint": "text", **COLUMNS}
_SOURCE, _KEY = list(_NEW).index("source_id"), list(_NEW).index("identity_key")
_CONTENT_OF_NEW = list(_NEW).index("content")
_CONTENT_OF_CHANGED = 1 + list(COLUMNS).index("content")
_EVIDENCE = {"base": "int", "rate": "int", "anchored_at": "int", "shown_until": "int", "dead_at": "int"}
_BORN = {"first_at": "int", "last_at": "int", "discovered_at": "int", "run_id": "int"}

_INSERT = Statement(
    f"""
    INSERT INTO records ({", ".join((*_NEW, *_EVIDENCE))}, first_seen_at, last_seen_at, discovered_at,
                         seen_by_run, times_seen, created_at, updated_at)
    SELECT {", ".join((*_NEW, *_EVIDENCE))}, first_at, last_at, discovered_at, run_id, 1, :now, :now
    FROM {{rows}} AS fresh WHERE true
    ON CONFLICT (source_id, identity_key) DO NOTHING
    RETURNING id, source_id, identity_key
    """,
    rows={**_NEW, **_EVIDENCE, **_BORN},
    args={"now": "int"},
)

_KEPT = frozenset({"page_id", "last_scraped_at", "url", "canonical_url"})
"""Told by some pages only (an index row, or the record's own page): the others leave them as they are."""


def _newer(name: str) -> str:
    return f"coalesce(changed.{name}, records.{name})" if name in _KEPT else f"changed.{name}"


_UPDATE = Statement(
    f"""
    UPDATE records SET {", ".join(f"{name} = {_newer(name)}" for name in COLUMNS)}, updated_at = :now
    FROM {{rows}} AS changed WHERE records.id = changed.id
    """,
    rows={"id": "int", **COLUMNS},
    args={"now": "int"},
)

_ROW_READ = Statement(
    """
    UPDATE records SET row_hash = read.row_hash,
                       last_scraped_at = coalesce(read.scraped_at, records.last_scraped_at),
                       page_id = coalesce(read.page_id, records.page_id)
    FROM {rows} AS read WHERE records.id = read.id
    """,
    rows={"id": "int", "row_hash": "text", "scraped_at": "int", "page_id": "int"},
)

_SEEN = Statement(
    f"""
    UPDATE records SET last_seen_at = seen.at, {", ".join(f"{name} = seen.{name}" for name in _EVIDENCE)},
      active = 1, strikes = 0, struck_at = NULL, verification = NULL, deactivated_at = NULL,
      times_seen = records.times_seen + CASE WHEN records.seen_by_run = seen.run_id THEN 0 ELSE 1 END,
      seen_by_run = seen.run_id, discovered_at = coalesce(records.discovered_at, seen.discovered_at)
    FROM {{rows}} AS seen WHERE records.id = seen.id AND records.last_seen_at <= seen.at
      AND (records.struck_at IS NULL OR records.struck_at <= seen.at)
    """,
    rows={"id": "int", "run_id": "int", "at": "int", "discovered_at": "int", **_EVIDENCE},
)

_SCRAPED = Statement(
    """
    UPDATE records SET last_scraped_at = read.at, page_id = read.page_id
    FROM {rows} AS read WHERE records.id = read.id AND coalesce(records.last_scraped_at, 0) <= read.at
    """,
    rows={"id": "int", "at": "int", "page_id": "int"},
)

_DISCOVERED = Statement(
    """
    SELECT records.id, records.discovered_at FROM {rows} AS asked JOIN records ON records.id = asked.id
    """,
    rows={"id": "int"},
)


def by_key(conn: Connection, keys: Sequence[tuple[int, str]]) -> Sequence[AnyRow]:
    """What is known under (source, identity key)."""
    return _BY_KEY(conn, keys)


def by_url(conn: Connection, urls: Sequence[tuple[int, str]]) -> Sequence[AnyRow]:
    """What is known under (source, canonical URL): a record whose platform id changed."""
    return _BY_URL(conn, urls)


def by_fingerprint(conn: Connection, prints: Sequence[tuple[int, str]]) -> Sequence[AnyRow]:
    """What is known under (source, fingerprint): the same event announced under another address."""
    return _BY_FINGERPRINT(conn, prints)


def load_contents(conn: Connection, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The content of records that a page may change."""
    return {row.id: loads(row.content) for row in _CONTENT(conn, [(i,) for i in ids])}


def add(conn: Connection, rows: Sequence[Sequence[Any]], *, now: datetime) -> dict[tuple[int, str], int]:
    """New records, searchable at once; their ids by (source, identity key)."""
    added = {
        (row.source_id, row.identity_key): row.id
        for batch in in_batches(rows)
        for row in _INSERT(conn, batch, now=micros(now))
    }
    told = ((added.get((row[_SOURCE], row[_KEY])), row[_CONTENT_OF_NEW]) for row in rows)
    search.index(conn, [(i, content) for i, content in told if i is not None], fresh=True)
    return added


def update_contents(conn: Connection, rows: Sequence[Sequence[Any]], *, now: datetime) -> None:
    """New content for known records; this moves `updated_at`."""
    _UPDATE(conn, rows, now=micros(now))
    search.index(conn, [(row[0], row[_CONTENT_OF_CHANGED]) for row in rows])


def mark_rows_read(conn: Connection, rows: Sequence[tuple[int, str | None, int | None, int | None]]) -> None:
    """(id, row hash, scraped at, page): read again, content the same."""
    _ROW_READ(conn, rows)


def mark_seen(conn: Connection, rows: Sequence[Sequence[Any]]) -> None:
    """Sightings: each resets its record's confidence and clears every doubt about it."""
    _SEEN(conn, rows)


def mark_scraped(conn: Connection, rows: Sequence[tuple[int, int, int]]) -> None:
    """(record, at, page): its own page was read again and says the same."""
    _SCRAPED(conn, rows)


def discovered_at(conn: Connection, ids: Sequence[int]) -> dict[int, int | None]:
    """When a discovery first saw each record."""
    return {row.id: row.discovered_at for row in _DISCOVERED(conn, [(i,) for i in set(ids)])}


def load_identities(conn: Connection, ids: Sequence[int]) -> Sequence[AnyRow]:
    """What is needed to write these records again."""
    columns = (
        records.c.id,
        records.c.source_id,
        records.c.url,
        records.c.canonical_url,
        records.c.content_hash,
    )
    return conn.execute(select(*columns).where(records.c.id.in_(ids))).all()
