"""The index of documents on SQLite: an FTS5 table whose row numbers are the records'."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, column, literal_column, select, table

from larder.store.database.statement import Statement, fetch_rows
from larder.store.search.document import Digest, Hit
from larder.store.search.parsed_query import ParsedQuery, QueryWord
from larder.store.tables import records

search = table("search", column("rowid"), column("title"), column("names"))

INSERT = Statement(
    """
    INSERT INTO search (rowid, title, names, description, digest)
    SELECT id, title, names, description, digest FROM {rows} AS fresh
    """,
    rows={"id": "int", "title": "text", "names": "text", "description": "text", "digest": "text"},
)
DELETE = Statement("DELETE FROM search WHERE rowid IN (SELECT id FROM {rows} AS gone)", rows={"id": "int"})
DIGESTS = Statement(
    "SELECT asked.id, search.digest FROM {rows} AS asked JOIN search ON search.rowid = asked.id",
    row=Digest,
    rows={"id": "int"},
)
HAS = Statement(
    """
    SELECT asked.word FROM {rows} AS asked
    WHERE EXISTS (SELECT 1 FROM search WHERE search MATCH '"' || asked.word || '"')
    """,
    scalar=str,
    rows={"word": "text"},
)


def row(record_id: int, fields: tuple[str, str, str], digest: str) -> tuple[Any, ...]:
    """As `INSERT` takes it."""
    return (record_id, *fields, digest)


def expression(query: ParsedQuery, *, every: bool = True, in_title: bool = False) -> str:
    """In FTS5's language."""
    join = " AND " if every else " OR "
    match = join.join(f"({' OR '.join(_choices(word))})" for word in query.words)
    return f"{{title}} : ({match})" if in_title else match


def _choices(word: QueryWord) -> Iterable[str]:
    yield from (f'"{variant}"' for variant in word.variants)
    if word.open:
        yield f'"{word.text}" *'
    yield from (f'("{head}" AND "{tail}")' for head, tail in word.parts)


def limit_to_rare(_conn: Connection, query: Select[Any], _asked: str) -> Select[Any]:
    """FTS5 walks its hits in order, few or many: nothing needs to be listed first."""
    return query


def newest(
    conn: Connection, query: Select[Any], values: Mapping[str, Any], matches: Sequence[str], limit: int
) -> list[Hit]:
    """The newest records of `query` for each of `matches` in turn, until there are `limit`."""
    hits: list[Hit] = []
    for match in matches:
        if len(hits) < limit:
            found = fetch_rows(conn, _hits(query), {**values, "match": match, "rows": limit})
            hits += map(Hit._make, found)
    return hits


@lru_cache(maxsize=64)
def _hits(query: Select[Any]) -> Select[Any]:
    """The newest `rows` of a `match`: FTS5 walks its hits in this order."""
    return (
        query.with_only_columns(records.c.id, search.c.title, search.c.names)
        .join(search, search.c.rowid == records.c.id)
        .where(_match(bindparam("match")))
        .order_by(search.c.rowid.desc())
        .limit(bindparam("rows"))
    )


def narrow(query: Select[Any], match: str) -> Select[Any]:
    """What of `query` matches: the hits are listed once, whatever the order."""
    return query.where(records.c.id.in_(select(search.c.rowid).where(_match(match))))


def _match(match: Any) -> ColumnElement[bool]:
    return literal_column("search").bool_op("MATCH")(match)
