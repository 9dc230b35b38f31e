"""Sends a statement directly to asyncpg, inside the transaction that SQLAlchemy has begun.

SQLAlchemy's own work for each statement takes as long as asyncpg's. If an event listener is registered,
statements go through SQLAlchemy. Errors are those of SQLAlchemy, which detects lost connections by them.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.util import await_only


def fetch(conn: Connection, sql: str, values: Sequence[Any]) -> tuple[list[Any], list[str] | None]:
    """The rows, and the names of their columns; None if those are unknown, as for an empty result."""
    inner: Any = conn.connection.dbapi_connection
    if _is_listened_to(conn):
        result = conn.exec_driver_sql(sql, tuple(values))
        return (list(result.all()), list(result.keys())) if result.returns_rows else ([], None)
    if not conn.in_transaction():
        conn.begin()
    try:
        found = _fetch(inner, sql, values)
    except inner.dbapi.Error as error:
        conn._handle_dbapi_exception(error, sql, tuple(values), None, None)  # noqa: SLF001 - as it does itself
    return found, list(found[0].keys()) if found else None


def _is_listened_to(conn: Connection) -> bool:
    return bool(conn._has_events or conn.engine._has_events)  # noqa: SLF001 - nothing else tells


def _fetch(inner: Any, sql: str, values: Sequence[Any]) -> list[Any]:
    """Execute like SQLAlchemy's cursor, with its errors."""
    if inner._transaction is None and not inner.autocommit:  # noqa: SLF001 - as its cursor does
        await_only(inner._start_transaction())  # noqa: SLF001
    try:
        found: list[Any] = await_only(inner.driver_connection.fetch(sql, *values))
    except Exception as error:  # noqa: BLE001 - it raises what SQLAlchemy knows
        inner._handle_exception(error)  # noqa: SLF001 - as its cursor does
    return found
