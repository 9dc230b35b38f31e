"""The index of documents on PostgreSQL: one `tsvector` a record, made of our own words, in a GIN index."""

from collections.abc import Iterable
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
    literal,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import TSQUERY

from larder.store.database.statement import Statement, loads
from larder.store.search.document import Digest
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
    """As `INSERT` takes it: each word once, with the weight of the best place it stands in."""
    weights: dict[str, str] = {}
    for weight, words in zip("ABD", fields, strict=True):
        for word in words.split():
            weights.setdefault(word, weight)
    terms = " ".join(f"'{word}':1{weight}" for word, weight in weights.items())
    return (record_id, fields[0], fields[1], terms, digest)


def expression(wanted: ParsedQuery, *, every: bool = True, in_title: bool = False) -> str:
    """In PostgreSQL's language."""
    weight = "A" if in_title else ""
    join = " & " if every else " | "
    return join.join(f"({' | '.join(_choices(word, weight))})" for word in wanted.words)


def _choices(word: QueryWord, weight: str) -> Iterable[str]:
    yield from (f"'{variant}':{weight}" for variant in word.variants)
    if word.open:
        yield f"'{word.asked}':*{weight}"
    yield from (f"('{head}':{weight} & '{tail}':{weight})" for head, tail in word.parts)


def limit_to_rare(conn: Connection, begun: Select[Any], tsquery: str) -> Select[Any]:
    """Of a rare word all hits are listed at once: the planner takes most words for common ones."""
    if _guessed(conn, tsquery) > RARE:
        return begun
    some = list(conn.scalars(select(search.c.record_id).where(_match(tsquery)).limit(FEW + 1)))
    if len(some) > FEW:
        return begun
    return begun.where(records.c.id == any_(literal(some, ARRAY(BigInteger))))


def _guessed(conn: Connection, tsquery: str) -> int:
    """How many hits the planner expects; that costs no look at any."""
    plan = conn.execute(_EXPECTED, {"asked": tsquery}).scalar_one()
    rows_planned = loads(plan)[0]["Plan"]["Plan Rows"]
    return int(rows_planned)


def hits(begun: Select[Any], tsquery: str) -> Select[Any]:
    """The newest records of `begun` that match, with their words."""
    return (
        begun.with_only_columns(records.c.id, search.c.title, search.c.names)
        .join(search, search.c.record_id == records.c.id)
        .where(_match(tsquery))
        .order_by(records.c.id.desc())
    )


def narrow(begun: Select[Any], tsquery: str) -> Select[Any]:
    """What of `begun` matches."""
    return begun.where(exists().where(search.c.record_id == records.c.id, _match(tsquery)))


def _match(tsquery: str) -> ColumnElement[bool]:
    return search.c.terms.bool_op("@@")(cast(tsquery, TSQUERY))
