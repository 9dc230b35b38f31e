"""Copies all tables from one database to another, batch by batch.

The target stores the position of the copy, written with each batch: an interrupted copy continues after the
last batch. The target's search index is not copied; it is rebuilt from the records.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text, tuple_

from larder.core.errors import BadInput
from larder.store.operations import key_values
from larder.store.tables import facts, metadata

BATCH = 1_000
_STATE = "copied:"
"""Before a table's name: the key of the last row that was copied."""
_CONTENT = ("sites", "sources", "runs", "records")

TableRow = dict[str, Any]


def table_names() -> list[str]:
    """Every table, after those that it references."""
    return [table.name for table in metadata.sorted_tables]


def prepare_target(conn: Connection) -> None:
    """Empty the target, unless a copy to it is under way; one that holds data already is refused."""
    if is_incomplete(conn):
        return
    filled = [name for name in _CONTENT if conn.scalar(select(func.count()).select_from(_table(name)))]
    if filled:
        raise BadInput(
            f"the target database holds data already (table {filled[0]})",
            hint="copy into an empty database: create one and name it",
        )
    for table in reversed(metadata.sorted_tables):
        conn.execute(delete(table))


def is_incomplete(conn: Connection) -> bool:
    """A copy to this database has begun, and has not ended."""
    return conn.scalar(select(facts.c.name).where(facts.c.name.startswith(_STATE)).limit(1)) is not None


def copied_to(conn: Connection, name: str) -> list[Any] | None:
    """The key of the last copied row of a table; None: none yet."""
    found: list[Any] | None = key_values.read(conn, _STATE + name)
    return found


def read_batch(conn: Connection, name: str, after: list[Any] | None) -> list[TableRow]:
    """The next rows of a table by primary key."""
    table = _table(name)
    keys = list(table.primary_key.columns)
    query = select(table).order_by(*keys).limit(BATCH)
    if after is not None:
        query = query.where(tuple_(*keys) > tuple_(*after))
    return [dict(row) for row in conn.execute(query).mappings()]


def write_batch(conn: Connection, name: str, rows: Sequence[TableRow], *, now: datetime) -> None:
    """Write rows, and how far the copy is, in one unit of work."""
    table = _table(name)
    conn.execute(insert(table), [{key: _storable(value) for key, value in row.items()} for row in rows])
    last = [rows[-1][column.name] for column in table.primary_key.columns]
    key_values.write(conn, _STATE + name, last, now=now)


def count_rows(conn: Connection, name: str) -> int:
    """The number of rows of a table, without those that hold the position of a copy."""
    query = select(func.count()).select_from(_table(name))
    if name == facts.name:
        query = query.where(~facts.c.name.startswith(_STATE))
    found: int = conn.scalar(query) or 0
    return found


def finish(conn: Connection) -> None:
    """Set the sequences of ids after the copied rows, and delete the position of the copy."""
    for table in metadata.sorted_tables:
        if "id" in table.primary_key.columns and conn.dialect.name == "postgresql":
            conn.execute(text(_NEXT_ID.format(table=table.name)))
    conn.execute(delete(facts).where(facts.c.name.startswith(_STATE)))


_NEXT_ID = """
SELECT setval(pg_get_serial_sequence('{table}', 'id'), coalesce(max(id), 1), max(id) IS NOT NULL) FROM {table}
"""


def _table(name: str) -> Table:
    return metadata.tables[name]


def _storable(value: Any) -> Any:
    """PostgreSQL stores no NUL characters."""
    if isinstance(value, str):
        return value.replace("\x00", "")
    if isinstance(value, dict):
        return {_storable(key): _storable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_storable(each) for each in value]
    return value
