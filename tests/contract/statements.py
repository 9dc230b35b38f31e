"""Hears every statement that is sent to a database, whichever way it is sent.

SQLAlchemy tells of what goes through it. What goes to SQLite's own connection (`Statement`, cursors, PRAGMAs)
is told by SQLite itself, so its connections are remembered as they open.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

_TRANSACTIONS = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
_connections: list[sqlite3.Connection] = []
_heard: list[list[str]] = []


@event.listens_for(Engine, "connect")
def _remember(connection: Any, _record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        _connections.append(connection)
        connection.set_trace_callback(_note if _heard else None)


@contextmanager
def counted() -> Iterator[list[str]]:
    """All statements of this process meanwhile, on all connections; not those that begin or end transactions.

    On SQLite a statement of many rows (`executemany`) counts once for each.
    """
    asked: list[str] = []
    _heard.append(asked)
    _trace(_note)
    event.listen(Engine, "before_cursor_execute", _note_cursor)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", _note_cursor)
        _heard.remove(asked)
        _trace(_note if _heard else None)


@contextmanager
def overheard(conn: Connection) -> Iterator[list[tuple[str, Any]]]:
    """The statements that go over one connection meanwhile, with their values (SQLite writes them in)."""
    sent: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        sent.append((statement, parameters))

    if conn.dialect.name == "sqlite":
        raw: Any = conn.connection.dbapi_connection
        raw.set_trace_callback(lambda statement: None if _inner(statement) else sent.append((statement, ())))
        yield sent
        raw.set_trace_callback(None)
    else:
        event.listen(conn, "before_cursor_execute", note)
        yield sent
        event.remove(conn, "before_cursor_execute", note)


def _note(statement: str) -> None:
    if not _inner(statement) and not statement.lstrip().upper().startswith(_TRANSACTIONS):
        for asked in _heard:
            asked.append(statement)


def _note_cursor(conn: Connection, _cursor: object, statement: str, *_: object) -> None:
    if conn.dialect.name != "sqlite":
        _note(statement)


def _trace(callback: Callable[[str], None] | None) -> None:
    """Set or unset the callback of every SQLite connection that is still open."""
    still_open = []
    for connection in _connections:
        with suppress(sqlite3.ProgrammingError):
            connection.set_trace_callback(callback)
            still_open.append(connection)
    _connections[:] = still_open


def _inner(statement: str) -> bool:
    """What full text asks of its own tables comes as a comment."""
    return statement.startswith("--")
