"""The change feed: all changes of records, in an order into which later commits insert nothing.

Ids are assigned before their transactions commit, so on PostgreSQL a smaller id may appear after a larger
one. The feed is therefore ordered by transaction first, and shows only transactions that no open one can
precede. A line stores whether its source was public at the time: what visitors were shown must be withdrawn
as well.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.store.database.statement import Statement
from larder.store.tables import changes
from larder.store.tables.columns import micros

MAX_PAGE = 1_000
_WRITTEN = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})")
"""The pattern of a cursor as text."""


class Change(NamedTuple):
    """A line of the change feed."""

    id: int
    transaction_id: int
    at: int
    record_id: int
    source_id: int
    change: str
    details: Any
    public: int


class NewChange(NamedTuple):
    """A change to add to the feed."""

    record_id: int
    source_id: int
    change: str
    details: dict[str, Any] | None


class _Position(NamedTuple):
    id: int
    transaction_id: int


_ADD = """
    INSERT INTO changes (at, transaction_id, record_id, source_id, change, details, public)
    SELECT :now, {transaction}, record_id, source_id, change, details,
           (SELECT count(*) FROM sources WHERE sources.id = happened.source_id AND visibility = 'public')
    FROM {rows} AS happened
"""
_ADD_SQLITE = Statement(_ADD.replace("{transaction}", "0"), rows=NewChange, args={"now": "int"})
_ADD_POSTGRESQL = Statement(
    _ADD.replace("{transaction}", "CAST(CAST(pg_current_xact_id() AS text) AS bigint)"),
    rows=NewChange,
    args={"now": "int"},
)

_SINCE = """
    SELECT changes.id, changes.transaction_id, changes.at, changes.record_id, changes.source_id,
           changes.change, changes.details, changes.public
    FROM changes
    WHERE (changes.transaction_id, changes.id) > (:transaction_id, :id) {settled}
    ORDER BY changes.transaction_id, changes.id LIMIT :limit
"""
_CURSOR = {"transaction_id": "int", "id": "int", "limit": "int"}
_SINCE_SQLITE = Statement(_SINCE.replace("{settled}", ""), row=Change, args=_CURSOR)
_SINCE_POSTGRESQL = Statement(
    _SINCE.replace(
        "{settled}",
        "AND transaction_id < CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)",
    ),
    row=Change,
    args=_CURSOR,
)


_OF_SOURCE = """
    INSERT INTO changes (at, transaction_id, record_id, source_id, change, public)
    SELECT :now, {transaction}, records.id, records.source_id, :change, 1 FROM records
    WHERE records.source_id = :source_id AND records.active = 1
"""
_OF_SOURCE_ARGS = {"now": "int", "change": "text", "source_id": "int"}
_OF_SOURCE_SQLITE = Statement(_OF_SOURCE.replace("{transaction}", "0"), args=_OF_SOURCE_ARGS)
_OF_SOURCE_POSTGRESQL = Statement(
    _OF_SOURCE.replace("{transaction}", "CAST(CAST(pg_current_xact_id() AS text) AS bigint)"),
    args=_OF_SOURCE_ARGS,
)

PUBLISHED, WITHDRAWN = "published", "withdrawn"
"""The changes of every record of a source that is made public, or hidden."""

_END = """
    SELECT changes.id, changes.transaction_id FROM changes {settled}
    ORDER BY changes.transaction_id DESC, changes.id DESC LIMIT 1
"""
_END_SQLITE = Statement(_END.replace("{settled}", ""), row=_Position)
_END_POSTGRESQL = Statement(
    _END.replace(
        "{settled}",
        "WHERE transaction_id < CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)",
    ),
    row=_Position,
)


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """A position in the feed; by default its beginning."""

    transaction_id: int = 0
    id: int = 0

    def __str__(self) -> str:
        return f"{self.transaction_id}.{self.id}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """A cursor from its text."""
        match = _WRITTEN.fullmatch(text)
        if match is None:
            raise BadInput(
                f"{quoted(text)} is not a cursor", hint="use the `next` of the last answer, or leave it out"
            )
        return cls(int(match[1]), int(match[2]))


def add(conn: Connection, rows: Sequence[NewChange], *, now: datetime) -> None:
    """Append changes to the feed."""
    statement = _ADD_SQLITE if conn.dialect.name == "sqlite" else _ADD_POSTGRESQL
    statement(conn, rows, now=micros(now))


def list_since(conn: Connection, cursor: Cursor, *, limit: int = 100) -> list[Change]:
    """The changes after a cursor, oldest first."""
    statement = _SINCE_SQLITE if conn.dialect.name == "sqlite" else _SINCE_POSTGRESQL
    bounded = max(1, min(limit, MAX_PAGE))
    return statement(conn, transaction_id=cursor.transaction_id, id=cursor.id, limit=bounded)


def latest_cursor(conn: Connection) -> Cursor:
    """The end of the feed now."""
    statement = _END_SQLITE if conn.dialect.name == "sqlite" else _END_POSTGRESQL
    rows = statement(conn)
    return cursor_of(rows[0]) if rows else Cursor()


def is_retained(conn: Connection, cursor: Cursor) -> bool:
    """Whether the change at that position still exists; if not, later ones may be missing, too."""
    if cursor == Cursor():
        return True
    condition = (changes.c.transaction_id == cursor.transaction_id) & (changes.c.id == cursor.id)
    return conn.scalar(select(changes.c.id).where(condition)) is not None


def add_for_source(conn: Connection, source_id: int, change: str, *, now: datetime) -> None:
    """Append the same change for all active records of a source."""
    statement = _OF_SOURCE_SQLITE if conn.dialect.name == "sqlite" else _OF_SOURCE_POSTGRESQL
    statement(conn, now=micros(now), change=change, source_id=source_id)


def cursor_of(row: Change | _Position) -> Cursor:
    """The position of a change."""
    return Cursor(row.transaction_id, row.id)
