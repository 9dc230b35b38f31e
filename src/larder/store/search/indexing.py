"""Keeps the search index up to date.

A document is written in the transaction that changes its record, and only if its words changed. A trigger
or a cascade removes the documents of deleted records.
"""

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from sqlalchemy import Connection, select

from larder.store.database.statement import in_batches
from larder.store.search import postgres, sqlite, vocabulary
from larder.store.search.document import search_document
from larder.store.search.words import fold
from larder.store.tables import records

BATCH = 500

DDL = {
    "sqlite": (
        """
        CREATE VIRTUAL TABLE search USING fts5(
            title, names, description, digest UNINDEXED,
            tokenize = "unicode61 remove_diacritics 0", prefix = '3'
        )
        """,
        """
        CREATE TRIGGER tr_records_search AFTER DELETE ON records
        BEGIN DELETE FROM search WHERE rowid = old.id; END
        """,
    ),
    "postgresql": (
        """
        CREATE TABLE search (
            record_id bigint PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
            title text NOT NULL, names text NOT NULL, terms tsvector NOT NULL, digest text NOT NULL
        )
        """,
        "CREATE INDEX ix_search_terms ON search USING gin (terms)",
    ),
}
"""What metadata cannot express; the same as in migration 0002."""


def create(conn: Connection) -> None:
    """Create the empty index."""
    for statement in DDL[conn.dialect.name]:
        conn.exec_driver_sql(statement)


def index(
    conn: Connection, contents: Iterable[tuple[int, Mapping[str, Any]]], *, fresh: bool = False
) -> None:
    """(id, content): index new or changed records; `fresh`: all are new."""
    for batch in in_batches(contents, BATCH):
        _index(conn, {record_id: search_document(content) for record_id, content in batch}, fresh=fresh)


def _index(conn: Connection, documents: Mapping[int, Any], *, fresh: bool) -> None:
    on = engine_of(conn)
    known = {} if fresh else dict(on.DIGESTS(conn, [(i,) for i in documents]))
    digests = {i: each.digest for i, each in documents.items()}
    moved = [i for i in documents if known.get(i) != digests[i]]
    on.DELETE(conn, [(i,) for i in moved if i in known])
    on.INSERT(conn, [on.row(i, documents[i].fields, digests[i]) for i in moved])
    vocabulary.add_words(conn, {word for i in moved for word in documents[i].words})


def delete_unused_words(conn: Connection, content: Mapping[str, Any]) -> None:
    """Delete the words of an erased record that no other record has."""
    words = {fold(word) for word in search_document(content).words}
    on = engine_of(conn)
    used = set(on.HAS(conn, [(word,) for word in sorted(words)]))
    vocabulary.delete_words(conn, words - used)


def reindex(conn: Connection, after: int = 0, *, limit: int = BATCH) -> list[int]:
    """Index the next batch of records after `after`; their ids, none at the end."""
    query = select(records.c.id, records.c.content).where(records.c.id > after).order_by(records.c.id)
    rows = conn.execute(query.limit(limit)).all()
    index(conn, [(row.id, row.content) for row in rows])
    return [row.id for row in rows]


def engine_of(conn: Connection) -> ModuleType:
    """The module of this database: `sqlite` or `postgres`."""
    return sqlite if conn.dialect.name == "sqlite" else postgres
