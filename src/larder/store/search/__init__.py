"""Full-text search, with the same results on both databases.

Texts are tokenized in Python and stored as they are. Inflections, compounds and typos of a query's words
are resolved at query time against the vocabulary of the dataset. FTS5 and PostgreSQL only look up which
records have which words, so that better language rules need no new index.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, false

from larder.store.search.document import Hit
from larder.store.search.highlight import BEGIN, END, highlight
from larder.store.search.indexing import create, delete_unused_words, engine_of, index, reindex
from larder.store.search.parsed_query import ParsedQuery, parse_query
from larder.store.search.score import Ranker

__all__ = [
    "BEGIN",
    "END",
    "POOL",
    "ParsedQuery",
    "create",
    "delete_unused_words",
    "highlight",
    "index",
    "narrow",
    "parse_query",
    "rank",
    "reindex",
]  # fmt: skip

POOL = 200
"""How many of the newest hits are ranked: hits in the title, and others where these are fewer."""


def narrow(conn: Connection, query: Select[Any], parsed: ParsedQuery) -> Select[Any]:
    """Those of `query` that have every word; none where the text has no words."""
    if not parsed.words:
        return query.where(false())
    on = engine_of(conn)
    expression = on.expression(parsed)
    return on.narrow(on.limit_to_rare(conn, query, expression), expression)  # type: ignore[no-any-return]


def rank(
    conn: Connection, query: Select[Any], parsed: ParsedQuery, values: Mapping[str, Any] | None = None
) -> list[tuple[float, int]]:
    """(rank, id) of the best hits, in order; where none has every word, of those with any.

    `values`: of the parameters of `query`. One that is used again is made into statements once.
    """
    if not parsed.words:
        return []
    ranked = _ranked(conn, query, values or {}, parsed, every=True)
    if not ranked and len(parsed.words) > 1:
        ranked = _ranked(conn, query, values or {}, parsed, every=False)
    return ranked


def _ranked(
    conn: Connection, query: Select[Any], values: Mapping[str, Any], parsed: ParsedQuery, *, every: bool
) -> list[tuple[float, int]]:
    on = engine_of(conn)
    expressions = [on.expression(parsed, every=every, in_title=in_title) for in_title in (True, False)]
    pool: list[Hit] = on.newest(conn, query, values, expressions, POOL)
    ranker = Ranker(parsed)
    scores = {hit.id: ranker.score(hit.title, hit.names) for hit in pool}
    return sorted(((score, record_id) for record_id, score in scores.items()), reverse=True)
