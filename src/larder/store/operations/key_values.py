"""Values of the deployment by name, such as the backoff of the scheduler."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.store.database.statement import Statement, json_value
from larder.store.tables.columns import micros

_READ = Statement("SELECT value FROM facts WHERE name = :name", scalar=object, args={"name": "text"})
_WRITE = Statement(
    """
    INSERT INTO facts (name, value, updated_at) SELECT name, value, :now FROM {rows} AS told WHERE true
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
    """,
    rows={"name": "text", "value": "json"},
    args={"now": "int"},
)


def read(conn: Connection, name: str) -> Any:
    """The value of a name, or None."""
    return next(map(json_value, _READ(conn, name=name)), None)


def write(conn: Connection, name: str, value: Any, *, now: datetime) -> None:
    """Set the value of a name."""
    _WRITE(conn, [(name, value)], now=micros(now))
