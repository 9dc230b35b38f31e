"""The index of documents on PostgreSQL: one `tsvector` a record, tokenized in Python, in a GIN index.

A word of the title is in it three times, once marked with `=` and once with the number of its block of record
ids: weights are not in a GIN index, so a query that asks for them reads every document it finds, and the hits
of two common words are found by looking at all records that have one of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Executable,
    Select,
    Text,
    any_,
    bindparam,
    cast,
    column,
    exists,
    func,
    literal,
    select,
    table,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import TSQUERY

from larder.store.database.statement import Statement, fetch_rows, json_value
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
BLOCK = 13
"""Each document has the number of its block of 2**13 record ids among its terms, so that the GIN index lists
the hits among the newest records without those of all others."""
TITLE_BLOCK = 15
"""A word of a title is a term together with its block of 2**15 ids: a block is searched 20 times as fast."""
FIRST_BLOCKS, MAX_BLOCKS = 5, 32
"""How many are searched first, and at most; beyond these, all hits are listed."""
LISTED = 256
"""Hits that are filtered at a time …"""
FEW_ALLOWED = 32
"""… and so few left of them tell that most hits are filtered out."""
_IN_BLOCKS = """
    SELECT hit.record_id AS id, hit.title, hit.names
    FROM (SELECT CAST(:below AS bigint) AS below, CAST(:size AS int) AS size) AS asked
    CROSS JOIN LATERAL (
      SELECT least(max(record_id), asked.below - 1) >> asked.size AS block FROM search
    ) AS newest
    CROSS JOIN LATERAL generate_series(
      newest.block, greatest(newest.block - CAST(:blocks AS int) + 1, 0), -1
    ) AS searched(block)
    CROSS JOIN LATERAL (
      SELECT record_id, title, names FROM (
        SELECT record_id, title, names FROM search WHERE terms @@
          CAST(replace(:tsquery, '@', CAST(searched.block AS text)) AS tsquery)
        OFFSET 0
      ) AS matches
      WHERE record_id < asked.below ORDER BY record_id DESC OFFSET 0
    ) AS hit
    LIMIT {listed}
"""
"""The hits of some blocks, newest first; no more blocks are searched than the LIMIT needs."""
_EVERYWHERE = """
    SELECT search.record_id AS id, search.title, search.names FROM (
      SELECT record_id FROM (
        SELECT record_id FROM search WHERE terms @@ CAST(:tsquery AS tsquery) OFFSET 0
      ) AS matches
      WHERE record_id < CAST(:below AS bigint) ORDER BY record_id DESC LIMIT {listed}
    ) AS newest
    JOIN search ON search.record_id = newest.record_id ORDER BY search.record_id DESC
"""
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
    """As `INSERT` takes it: each word once, words of the title also marked as such, and the block."""
    title, names, _ = fields
    words = dict.fromkeys(word for field in fields for word in field.split())
    marked = (f"={word}" for word in dict.fromkeys(title.split()))
    in_block = (f"#{record_id >> TITLE_BLOCK}={word}" for word in dict.fromkeys(title.split()))
    block = f"#{BLOCK}.{record_id >> BLOCK}"
    terms = " ".join(f"'{term}'" for term in (*words, *marked, *in_block, block))
    return (record_id, title, names, terms, digest)


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
    rows_planned = json_value(plan)[0]["Plan"]["Plan Rows"]
    return int(rows_planned)


def newest(
    conn: Connection, query: Select[Any], values: Mapping[str, Any], tsqueries: Sequence[str], limit: int
) -> list[Hit]:
    """The newest records of `query` for each of `tsqueries` in turn, until there are `limit`."""
    hits: list[Hit] = []
    for tsquery in tsqueries:
        if len(hits) < limit:
            hits += _newest(conn, _Among(query, values), tsquery, limit)
    return hits


class _Among(NamedTuple):
    """The records that are searched, and the values of their statement's parameters."""

    query: Select[Any]
    values: Mapping[str, Any]


class _BlockQuery(NamedTuple):
    """A query of one block of record ids; `@` stands for the number of the block."""

    tsquery: str
    size: int
    first_blocks: int


def _of_block(tsquery: str) -> _BlockQuery:
    """A query of titles or of whole documents, as one of a block."""
    if "'=" in tsquery:
        return _BlockQuery(tsquery.replace("'=", "'#@="), TITLE_BLOCK, MAX_BLOCKS)
    return _BlockQuery(f"({tsquery}) & '#{BLOCK}.@'", BLOCK, FIRST_BLOCKS)


def _newest(conn: Connection, among: _Among, tsquery: str, limit: int) -> list[Hit]:
    """The newest of these records that match.

    A few blocks tell how many are needed. Where these are too many, hits are rare, and all are listed. Only
    where it lets few of many hits pass are the two joined: a join looks at every record on the way.
    """
    found: list[Hit] = []
    asked, statement = _of_block(tsquery), _filtered(among.query, _IN_BLOCKS, LISTED)
    values = {**among.values, "tsquery": asked.tsquery, "size": asked.size}
    below, searched, blocks = _NO_LIMIT, 0, asked.first_blocks
    while 0 < blocks <= MAX_BLOCKS - searched:
        page = _read(conn, statement, {**values, "below": below, "blocks": blocks})
        found += page.allowed
        newest_block = min(below - 1, page.newest_id) >> asked.size
        below = page.lowest if page.is_full else (newest_block - blocks + 1) << asked.size
        searched += newest_block - (below >> asked.size) + (not page.is_full)
        if len(found) >= limit or below <= 0:
            return found[:limit]
        if page.is_full and len(page.allowed) < FEW_ALLOWED:
            return found + _joined(conn, among, tsquery, below, limit - len(found))
        blocks = _blocks_needed(asked, searched, len(found), limit)
    return found + _older(conn, among, tsquery, below, limit - len(found))


def _blocks_needed(asked: _BlockQuery, searched: int, found: int, limit: int) -> int:
    """By the hits so far; of titles all that may be: the statement ends with the last hit it needs."""
    if asked.first_blocks == MAX_BLOCKS:
        return MAX_BLOCKS - searched
    return 1 + searched * (limit - found) // found if found else MAX_BLOCKS


def _older(conn: Connection, among: _Among, tsquery: str, below: int, limit: int) -> list[Hit]:
    """The newest with lower ids than `below`, of all hits there are."""
    values = {**among.values, "tsquery": tsquery, "below": below}
    page = _read(conn, _filtered(among.query, _EVERYWHERE, LISTED), values)
    if not page.is_full or len(page.allowed) >= limit:
        return page.allowed[:limit]
    return page.allowed + _joined(conn, among, tsquery, page.lowest, limit - len(page.allowed))


_NO_LIMIT = 2**62


class _Page(NamedTuple):
    """Some of the newest hits."""

    newest_id: int
    """Of all documents."""
    lowest: int
    is_full: bool
    allowed: list[Hit]


def _read(conn: Connection, statement: Executable, values: Mapping[str, Any]) -> _Page:
    rows = fetch_rows(conn, statement, values)
    newest_id, first, *_ = rows[0]
    if first is None:
        return _Page(newest_id or 0, 0, is_full=False, allowed=[])
    allowed = [Hit(record_id, title, names) for _, record_id, title, names, shown in rows if shown]
    return _Page(newest_id, rows[-1][1], len(rows) == LISTED, allowed)


@lru_cache(maxsize=64)
def _filtered(query: Select[Any], sql: str, listed: int) -> Executable:
    """So many hits of `sql`, and whether `query` lets them through; a row without a hit where there is none.

    Hits come first and are looked up by id: a join of the two might begin with all records.
    """
    columns = column("id", BigInteger), column("title", Text), column("names", Text)
    hits = text(sql.format(listed=listed)).columns(*columns).cte("hits")
    ids = func.array(select(hits.c.id).scalar_subquery(), type_=ARRAY(BigInteger))
    allowed = query.with_only_columns(records.c.id).where(records.c.id == any_(ids))
    newest_id = select(func.max(search.c.record_id)).scalar_subquery()
    always = select(newest_id.label("newest_id")).subquery("always")
    return (
        select(always.c.newest_id, hits, hits.c.id.in_(allowed).label("allowed"))
        .select_from(always.outerjoin(hits, true()))
        .order_by(hits.c.id.desc())
    )


def _joined(conn: Connection, among: _Among, tsquery: str, below: int, limit: int) -> list[Hit]:
    values = {**among.values, "tsquery": tsquery, "below": below, "rows": limit}
    return list(map(Hit._make, fetch_rows(conn, _older_hits(among.query), values)))


@lru_cache(maxsize=64)
def _older_hits(query: Select[Any]) -> Select[Any]:
    """The newest `rows` with an id smaller than `below`."""
    return (
        query.with_only_columns(records.c.id, search.c.title, search.c.names)
        .join(search, search.c.record_id == records.c.id)
        .where(_match(bindparam("tsquery")), records.c.id < bindparam("below", type_=BigInteger()))
        .order_by(records.c.id.desc())
        .limit(bindparam("rows"))
    )


def narrow(query: Select[Any], tsquery: str) -> Select[Any]:
    """What of `query` matches."""
    return query.where(exists().where(search.c.record_id == records.c.id, _match(tsquery)))


def _match(tsquery: Any) -> ColumnElement[bool]:
    return search.c.terms.bool_op("@@")(cast(tsquery, TSQUERY))
