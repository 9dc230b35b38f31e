"""Full text: what a person's words ask for, and the records that have it, alike on both databases.

The words of a text are found in Python and stored as they are; what a question's word may stand for (its
inflections, the compounds it is part of, what it was a slip for) is worked out when it is asked, from the
words that the dataset has. So FTS5 and PostgreSQL are only asked which records have which words, and a
better understanding of a language needs no new index.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from sqlalchemy import Connection, Select, false

from larder.store.search import postgres, sqlite
from larder.store.search.highlight import BEGIN, END, highlight, plain
from larder.store.search.indexing import create, delete_unused_words, index, reindex
from larder.store.search.parsed_query import ParsedQuery, parse_query
from larder.store.search.score import score

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
    "plain",
    "rank",
    "reindex",
]  # fmt: skip

POOL = 200
"""How many of the newest hits are ranked (twice: those with a hit in the title come first)."""


def narrow(conn: Connection, begun: Select[Any], wanted: ParsedQuery) -> Select[Any]:
    """What of `begun` has all that is wanted; nothing, where the text had no words."""
    if not wanted.words:
        return begun.where(false())
    on = _engine(conn)
    asked = on.expression(wanted)
    return on.narrow(on.limit_to_rare(conn, begun, asked), asked)  # type: ignore[no-any-return]


def rank(conn: Connection, begun: Select[Any], wanted: ParsedQuery) -> list[tuple[float, int]]:
    """(rank, id) of what answers best, in order; where nothing has every word, what has any."""
    if not wanted.words:
        return []
    ranked = _ranked(conn, begun, wanted, every=True)
    if not ranked and len(wanted.words) > 1:
        ranked = _ranked(conn, begun, wanted, every=False)
    return ranked


def _ranked(
    conn: Connection, begun: Select[Any], wanted: ParsedQuery, *, every: bool
) -> list[tuple[float, int]]:
    on = _engine(conn)
    begun = on.limit_to_rare(conn, begun, on.expression(wanted, every=every))
    asked = [on.expression(wanted, every=every, in_title=in_title) for in_title in (True, False)]
    pools: Sequence[Any] = [conn.execute(on.hits(begun, each).limit(POOL)).all() for each in asked]
    found = {row.id: (row.title.split(), row.names.split()) for pool in pools for row in pool}
    scored = [(score(wanted, *words), record_id) for record_id, words in found.items()]
    return sorted(scored, reverse=True)


def _engine(conn: Connection) -> ModuleType:
    return sqlite if conn.dialect.name == "sqlite" else postgres
