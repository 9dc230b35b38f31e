"""One SQL text, many rows, both databases.

A `Statement` is written once. Where it says `{rows}` stands a table of the rows it is given: on SQLite
they travel as one JSON parameter (`json_each`), on PostgreSQL as one array a column (`unnest`). So a
batch is one round trip, may use RETURNING, and joins like any table. `:name` marks a single value.

On SQLite a statement goes to the driver itself: what SQLAlchemy does around each costs more than SQLite.
"""

import re
import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

import orjson
from sqlalchemy import Connection, Row
from sqlalchemy.exc import DBAPIError

from larder.store.database import json_safe

_ARGUMENT = re.compile(r"(?<!:):([a-z_]+)\b")
_PG_TYPES = {"int": "bigint", "float": "double precision", "text": "text", "json": "jsonb"}

T = TypeVar("T")
AnyRow = Row[*tuple[Any, ...]]
"""A row of whatever columns."""


class Statement:
    """SQL that takes many rows (`rows`) and a few single values (`args`); types: int, float, text, json."""

    def __init__(
        self, sql: str, *, rows: Mapping[str, str] | None = None, args: Mapping[str, str] | None = None
    ) -> None:
        self._columns = dict(rows or {})
        self._args = dict(args or {})
        self._json = [i for i, kind in enumerate(self._columns.values()) if kind == "json"]
        self._text = [i for i, kind in enumerate(self._columns.values()) if kind == "text"]
        self._sqlite = sql.replace("{rows}", self._sqlite_rows())
        self._make: Callable[[Iterable[Any]], AnyRow] | None = None
        self._postgresql = self._number(sql.replace("{rows}", self._postgresql_rows()))

    def __call__(
        self, conn: Connection, rows: Sequence[Sequence[Any]] | None = None, **args: Any
    ) -> Sequence[AnyRow]:
        """Execute; the returned rows where the statement returns any. No rows given: nothing to do."""
        if self._columns and not rows:
            return []
        if conn.dialect.name == "sqlite":
            given = {**args, "rows__": json_safe.dumps(rows).decode()} if self._columns else args
            return self._on_sqlite(conn, given)
        arrays = self._arrays(rows) if rows else []
        result = conn.exec_driver_sql(self._postgresql, (*arrays, *(args[name] for name in self._args)))
        return result.all() if result.returns_rows else []

    def _on_sqlite(self, conn: Connection, given: Mapping[str, Any]) -> Sequence[AnyRow]:
        if not conn.in_transaction():
            conn.begin()
        driver = cast("sqlite3.Connection", conn.connection.driver_connection)
        try:
            cursor = driver.execute(self._sqlite, given)
            found = cursor.fetchall()
        except sqlite3.Error as error:
            raise DBAPIError.instance(self._sqlite, dict(given), error, sqlite3.Error) from error
        if cursor.description is None:
            return []
        if self._make is None:
            self._make = _named([column[0] for column in cursor.description])
        return list(map(self._make, found))

    def _sqlite_rows(self) -> str:
        columns = ", ".join(
            f"json_extract(value, '$[{i}]') AS {name}" for i, name in enumerate(self._columns)
        )
        return f"(SELECT {columns} FROM json_each(:rows__))"

    def _postgresql_rows(self) -> str:
        kinds = ["text" if kind == "json" else _PG_TYPES[kind] for kind in self._columns.values()]
        arrays = ", ".join(f"${i + 1}::{kind}[]" for i, kind in enumerate(kinds))
        columns = ", ".join(
            f"{name}::jsonb AS {name}" if kind == "json" else name for name, kind in self._columns.items()
        )
        return f"(SELECT {columns} FROM unnest({arrays}) AS given({', '.join(self._columns)}))"

    def _number(self, sql: str) -> str:
        places = {name: len(self._columns) + i + 1 for i, name in enumerate(self._args)}
        return _ARGUMENT.sub(lambda m: f"${places[m[1]]}::{_PG_TYPES[self._args[m[1]]]}", sql)

    def _arrays(self, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        arrays: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)]
        for i in self._json:
            arrays[i] = [None if value is None else json_safe.dumps(value).decode() for value in arrays[i]]
        for i in self._text:
            arrays[i] = [None if value is None else json_safe.safe_text(value) for value in arrays[i]]
        return arrays


def _named(columns: Sequence[str]) -> Callable[[Iterable[Any]], AnyRow]:
    """Rows whose values have names, made at a tenth of what a `Row` costs."""
    kind: Callable[..., Any] = namedtuple
    make: Callable[[Iterable[Any]], AnyRow] = kind("Found", columns, rename=True)._make
    return make


def loads(stored: Any) -> Any:
    """A JSON column as a `Statement` returns it: text from SQLite, a value from PostgreSQL's driver."""
    try:
        return orjson.loads(stored) if isinstance(stored, str) else stored
    except orjson.JSONDecodeError:
        return stored  # written by hand, and wrongly: whoever needs more than text will say so


def in_batches(rows: Iterable[T], size: int = 500) -> Iterable[list[T]]:
    """Cut a long stream into lists that fit a statement."""
    batch: list[T] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
