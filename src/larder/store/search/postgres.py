"""The index of documents on PostgreSQL: one `tsvector` a record, tokenized in Python, in a GIN index.

A word of the title is in it twice, once marked with `=`: weights are not in a GIN index, so a query that
asks for them reads every document it finds.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    any_,
    cast,
    column,
    exists,
    func,
    literal,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import TSQUERY

from larder.store.database.statement import Statement, loads
from larder.store.search.document import Digest, Hit
from larder.store.search.parsed_query import ParsedQuery, QueryWord
from larder.store.tables import records

FEW = 5_000
RARE = 20_000
"""More hits than these are expected of a common word: walking the newest records finds enough soon."""

_EXPECTED = text("EXPLAIN (FORMAT JSON) SELECT 1 FROM search WHERE terms @@ CAST(:asked AS tsquery)")

search = table("search", column("record_id"), column("title"), column("names"), column("terms"))

INSERT = Statement(
    """
    INSERT INTO search (record_id, title, names, terms, digest)
    SELECT id, title, names, CAST(terms AS tsvector), digest FROM {rows} AS fresh
    """,
    rows={"id": "int", "title": "text", "names": "text", "terms": "text", "digest": "text"},
)
DELETE = Statement(
    "DELETE FROM search WHERE record_id IN (SELECT id FROM {rows} AS gone)", rows={"id": "int"}
)
FINE, COARSE = 13, 16
"""Each document has the number of its block of 2**13 and of 2**16 record ids among its terms, so that the GIN
index lists the hits among the newest records without those of all others."""
BLOCKS = 8
"""Blocks that are searched at a time."""
LISTED = 400
"""Hits that are filtered at a time."""
_LATEST = Statement(
    """
    WITH matches AS MATERIALIZED (
      SELECT record_id FROM search WHERE terms @@ CAST(:tsquery AS tsquery)
    ), latest AS (
      SELECT record_id FROM matches WHERE record_id < :below ORDER BY record_id DESC LIMIT :limit
    )
    SELECT search.record_id AS id, search.title, search.names FROM latest
    JOIN search ON search.record_id = latest.record_id ORDER BY search.record_id DESC
    """,
    row=Hit,
    args={"tsquery": "text", "below": "int", "limit": "int"},
)
DIGESTS = Statement(
    "SELECT asked.id, search.digest FROM {rows} AS asked JOIN search ON search.record_id = asked.id",
    row=Digest,
    rows={"id": "int"},
)
HAS = Statement(
    """
    SELECT asked.word FROM {rows} AS asked
    WHERE EXISTS (SELECT 1 FROM search WHERE terms @@ CAST(quote_literal(asked.word) AS tsquery))
    """,
    scalar=str,
    rows={"word": "text"},
)


def row(record_id: int, fields: tuple[str, str, str], digest: str) -> tuple[Any, ...]:
    """As `INSERT` takes it: each word once, words of the title also marked as such, and the blocks."""
    title, names, _ = fields
    words = dict.fromkeys(word for field in fields for word in field.split())
    marked = (f"={word}" for word in dict.fromkeys(title.split()))
    blocks = (_block(FINE, record_id >> FINE), _block(COARSE, record_id >> COARSE))
    terms = " ".join(f"'{term}'" for term in (*words, *marked, *blocks))
    return (record_id, title, names, terms, digest)


def _block(size: int, number: int) -> str:
    return f"#{size}.{number}"


def expression(query: ParsedQuery, *, every: bool = True, in_title: bool = False) -> str:
    """In PostgreSQL's language."""
    mark = "=" if in_title else ""
    join = " & " if every else " | "
    return join.join(f"({' | '.join(_choices(word, mark))})" for word in query.words)


def _choices(word: QueryWord, mark: str) -> Iterable[str]:
    yield from (f"'{mark}{variant}'" for variant in word.variants)
    if word.open:
        yield f"'{mark}{word.text}':*"
    yield from (f"('{mark}{head}' & '{mark}{tail}')" for head, tail in word.parts)


def limit_to_rare(conn: Connection, query: Select[Any], tsquery: str) -> Select[Any]:
    """Of a rare word all hits are listed at once: the planner takes most words for common ones."""
    if _guessed(conn, tsquery) > RARE:
        return query
    some = list(conn.scalars(select(search.c.record_id).where(_match(tsquery)).limit(FEW + 1)))
    if len(some) > FEW:
        return query
    return query.where(records.c.id == any_(literal(some, ARRAY(BigInteger))))


def _guessed(conn: Connection, tsquery: str) -> int:
    """How many hits the planner expects; that costs no look at any."""
    plan = conn.execute(_EXPECTED, {"asked": tsquery}).scalar_one()
    rows_planned = loads(plan)[0]["Plan"]["Plan Rows"]
    return int(rows_planned)


def newest(conn: Connection, query: Select[Any], tsqueries: Sequence[str], limit: int) -> list[Hit]:
    """The newest records of `query` for each of `tsqueries` in turn, until there are `limit`."""
    hits: list[Hit] = []
    above = 1 + (conn.scalar(select(func.max(search.c.record_id))) or 0)
    for tsquery in tsqueries:
        if len(hits) < limit:
            hits += _newest(conn, query, tsquery, above, limit)
    return hits


def _newest(conn: Connection, query: Select[Any], tsquery: str, below: int, limit: int) -> list[Hit]:
    """The newest records of `query` that match, with lower ids than `below`.

    Hits are taken from the index alone, newest blocks first, and `query` filters them by id: a join would
    look at every record on the way. Only where `query` lets few of many hits pass are the two joined.
    """
    found: list[Hit] = []
    for size in (FINE, COARSE, None):
        blocks, lowest = _blocks_below(below, size)
        hits = _LATEST(conn, tsquery=f"({tsquery}){blocks}", below=below, limit=LISTED)
        found += _allowed(conn, query, hits)
        complete = len(hits) < LISTED
        below = lowest if complete else hits[-1].id
        if len(found) >= limit or below <= 0:
            return found[:limit]
    return found + _joined(conn, query.where(records.c.id < below), tsquery, limit - len(found))


def _blocks_below(below: int, size: int | None) -> tuple[str, int]:
    """The condition for the blocks just below an id, and the lowest id in them; no size: everything."""
    if size is None:
        return "", 0
    newest_block = (below - 1) >> size
    numbers = range(newest_block, max(-1, newest_block - BLOCKS), -1)
    return f" & ({' | '.join(repr(_block(size, number)) for number in numbers)})", numbers[-1] << size


def _allowed(conn: Connection, query: Select[Any], hits: Sequence[Hit]) -> list[Hit]:
    ids = literal([hit.id for hit in hits], ARRAY(BigInteger))
    passing = set(conn.scalars(query.with_only_columns(records.c.id).where(records.c.id == any_(ids))))
    return [hit for hit in hits if hit.id in passing]


def _joined(conn: Connection, query: Select[Any], tsquery: str, limit: int) -> list[Hit]:
    hits = (
        query.with_only_columns(records.c.id, search.c.title, search.c.names)
        .join(search, search.c.record_id == records.c.id)
        .where(_match(tsquery))
        .order_by(records.c.id.desc())
    )
    return [Hit(*row) for row in conn.execute(hits.limit(limit))]


def narrow(query: Select[Any], tsquery: str) -> Select[Any]:
    """What of `query` matches."""
    return query.where(exists().where(search.c.record_id == records.c.id, _match(tsquery)))


def _match(tsquery: str) -> ColumnElement[bool]:
    return search.c.terms.bool_op("@@")(cast(tsquery, TSQUERY))
