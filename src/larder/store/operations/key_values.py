"""Values of the deployment by name, such as the backoff of the scheduler."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from larder.store.database.statement import Statement
from larder.store.tables import facts
from larder.store.tables.columns import micros

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
    return conn.scalar(select(facts.c.value).where(facts.c.name == name))


def write(conn: Connection, name: str, value: Any, *, now: datetime) -> None:
    """Set the value of a name."""
    _WRITE(conn, [(name, value)], now=micros(now))
