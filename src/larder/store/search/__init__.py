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
from larder.store.search.score import score
from larder.store.search.wanted import Wanted, understand
from larder.store.search.writing import create, forget, index, reindex

__all__ = [
    "BEGIN", "END", "POOL", "Wanted", "best", "create", "forget", "highlight", "index", "narrow", "plain",
    "reindex", "understand",
]  # fmt: skip

POOL = 200
"""How many of the newest hits are ranked (twice: those with a hit in the title come first)."""


def narrow(conn: Connection, begun: Select[Any], wanted: Wanted) -> Select[Any]:
    """What of `begun` has all that is wanted; nothing, where the text had no words."""
    if not wanted.words:
        return begun.where(false())
    on = _engine(conn)
    asked = on.expression(wanted)
    return on.narrow(on.few(conn, begun, asked), asked)  # type: ignore[no-any-return]


def best(conn: Connection, begun: Select[Any], wanted: Wanted) -> list[tuple[float, int]]:
    """(rank, id) of what answers best, in order; where nothing has every word, what has any."""
    if not wanted.words:
        return []
    ranked = _ranked(conn, begun, wanted, every=True)
    if not ranked and len(wanted.words) > 1:
        ranked = _ranked(conn, begun, wanted, every=False)
    return ranked


def _ranked(conn: Connection, begun: Select[Any], wanted: Wanted, *, every: bool) -> list[tuple[float, int]]:
    on = _engine(conn)
    begun = on.few(conn, begun, on.expression(wanted, every=every))
    asked = [on.expression(wanted, every=every, in_title=in_title) for in_title in (True, False)]
    pools: Sequence[Any] = [conn.execute(on.hits(begun, each).limit(POOL)).all() for each in asked]
    found = {row.id: (row.title.split(), row.names.split()) for pool in pools for row in pool}
    scored = [(score(wanted, *words), record_id) for record_id, words in found.items()]
    return sorted(scored, reverse=True)


def _engine(conn: Connection) -> ModuleType:
    return sqlite if conn.dialect.name == "sqlite" else postgres
