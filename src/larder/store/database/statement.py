"""Runs one SQL text with many rows, on both databases, and returns typed rows.

A `Statement` is written once. `{rows}` in its text stands for a table of the rows that it is given: on SQLite
one JSON parameter (`json_each`), on PostgreSQL one array per column (`unnest`). A batch is one round trip,
may use RETURNING, and can be joined like a table. `:name` marks a single value.

Rows are `NamedTuple` classes: mypy knows every column, and making one costs what a plain `namedtuple` does
(0.24 µs for 16 columns). A frozen dataclass costs 2.2 µs, more than SQLite takes to read the row.

A statement calls the driver directly, because SQLAlchemy's own work per statement costs more than SQLite's
and as much as asyncpg's.
"""

import re
import sqlite3
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, Generic, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload

import orjson
from sqlalchemy import Column, Connection, Executable, Select, Table, select
from sqlalchemy.exc import DBAPIError

from larder.store import json_safe
from larder.store.database import asyncpg_fetch

_ARGUMENT = re.compile(r"(?<!:):([a-z_]+)\b")
_PG_TYPES = {"int": "bigint", "float": "double precision", "text": "text", "json": "jsonb"}

T = TypeVar("T")
R = TypeVar("R")
RowColumns = Mapping[str, str] | type[tuple[Any, ...]]
"""Names and types of the rows given: a mapping, or a `NamedTuple` class whose annotations say the same."""


class NoRow:
    """The row type of a statement that returns no columns."""


class Statement(Generic[R]):
    """SQL that takes many rows (`rows`) and a few single values (`args`); types: int, float, text, json.

    `row`: the class of the rows that it returns; `scalar`: the type of its only column, returned as it is.
    `{skip_locked}` after a SELECT leaves out rows that another connection holds. Put that SELECT into a WITH:
    as a subquery of IN, a plan may evaluate it again for each row, and its LIMIT is exceeded.
    """

    @overload
    def __init__(
        self: "Statement[NoRow]",
        sql: str,
        *,
        rows: RowColumns | None = None,
        args: Mapping[str, str] | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self,
        sql: str,
        *,
        row: type[R],
        rows: RowColumns | None = None,
        args: Mapping[str, str] | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self,
        sql: str,
        *,
        scalar: type[R],
        rows: RowColumns | None = None,
        args: Mapping[str, str] | None = None,
    ) -> None: ...
    def __init__(
        self,
        sql: str,
        *,
        row: type[Any] | None = None,
        scalar: type[Any] | None = None,
        rows: RowColumns | None = None,
        args: Mapping[str, str] | None = None,
    ) -> None:
        self._row = row
        self._make: Callable[[Any], Any] = _first if row is None else cast("Any", row)._make
        self._returns = row is not None or scalar is not None
        self._checked = False
        self._columns = column_types(rows)
        self._args = dict(args or {})
        self._json = [i for i, kind in enumerate(self._columns.values()) if kind == "json"]
        self._text = [i for i, kind in enumerate(self._columns.values()) if kind == "text"]
        self._sqlite = sql.replace("{rows}", self._sqlite_rows()).replace("{skip_locked}", "")
        locking = sql.replace("{skip_locked}", "FOR UPDATE SKIP LOCKED")
        self._postgresql = self._number(locking.replace("{rows}", self._postgresql_rows()))

    def __call__(self, conn: Connection, rows: Sequence[Sequence[Any]] | None = None, **args: Any) -> list[R]:
        """Execute; the returned rows where the statement returns any. No rows given: nothing to do."""
        if self._columns and not rows:
            return []
        if conn.dialect.name == "sqlite":
            params = {**args, "rows__": self._json_rows(rows)} if rows else args
            return self._on_sqlite(conn, params)
        arrays = self._arrays(rows) if rows else []
        values = (*arrays, *(args[name] for name in self._args))
        found, columns = asyncpg_fetch.fetch(conn, self._postgresql, values)
        if columns is not None:
            self._check(columns)
        return list(map(self._make, found))

    def _on_sqlite(self, conn: Connection, params: Mapping[str, Any]) -> list[R]:
        if not conn.in_transaction():
            conn.begin()
        driver = cast("sqlite3.Connection", conn.connection.driver_connection)
        try:
            cursor = driver.execute(self._sqlite, params)
            found = cursor.fetchall()
        except sqlite3.Error as error:
            raise DBAPIError.instance(self._sqlite, dict(params), error, sqlite3.Error) from error
        if cursor.description is None:
            return []
        if not self._checked:
            self._check([column[0] for column in cursor.description])
        return list(map(self._make, found))

    def _check(self, columns: Iterable[str]) -> None:
        """Refuse columns that differ from the row's fields; checked at the first execution."""
        if self._checked:
            return
        found = tuple(columns)
        if self._row is not None:
            check_columns(self._row, found)
        elif not self._returns or len(found) != 1:
            raise TypeError(f"the statement returns the columns {found}: name a row class for them")
        self._checked = True

    def _json_rows(self, rows: Sequence[Sequence[Any]]) -> str:
        """The rows as one JSON text; of a single column, its values."""
        return json_safe.dumps(list(map(_first, rows)) if len(self._columns) == 1 else rows).decode()

    def _sqlite_rows(self) -> str:
        if len(self._columns) == 1:
            return f"(SELECT value AS {next(iter(self._columns))} FROM json_each(:rows__))"
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


def fetch_rows(
    conn: Connection, statement: Executable, values: Mapping[str, Any] | None = None
) -> list[Sequence[Any]]:
    """Rows from the driver itself, for columns that need no conversion."""
    with closing(conn.execute(statement, values or {})) as result:
        return list(result.cursor.fetchall())


def fetch_as(
    conn: Connection, query: Executable, row: type[R], values: Mapping[str, Any] | None = None
) -> list[R]:
    """The rows of a SQLAlchemy select as instances of a `NamedTuple` class with the same columns."""
    result = conn.execute(query, values)
    check_columns(row, tuple(result.keys()))
    return list(map(cast("Any", row)._make, result))


def fetch_one_as(
    conn: Connection, query: Executable, row: type[R], values: Mapping[str, Any] | None = None
) -> R | None:
    """The only row, or None; more than one is an error."""
    found = fetch_as(conn, query, row, values)
    if len(found) > 1:
        raise ValueError(f"one row of {row.__name__} expected, found {len(found)}")
    return found[0] if found else None


def table_columns(table: Table, row: type[Any]) -> list[Column[Any]]:
    """The columns of a table that a row class has as fields, in the order of the fields."""
    return [table.c[name] for name in row._fields if name in table.c]


def select_as(table: Table, row: type[Any]) -> Select[Any]:
    """A select of exactly those columns."""
    return select(*table_columns(table, row))


def check_columns(row: type[Any], columns: tuple[str, ...]) -> None:
    """Refuse a result whose columns differ from the fields of its row class, or from their order."""
    if columns != row._fields:
        raise TypeError(f"{row.__name__} has the fields {row._fields}, the result has the columns {columns}")


def column_types(rows: RowColumns | None) -> dict[str, str]:
    """Column types from a mapping, or from the annotations of a `NamedTuple` class."""
    if not isinstance(rows, type):
        return dict(rows or {})
    return {name: _column_type(hint) for name, hint in get_type_hints(rows).items()}


def _column_type(hint: Any) -> str:
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (arg for arg in get_args(hint) if arg is not type(None))
    for python, kind in ((int, "int"), (float, "float"), (str, "text")):
        if isinstance(hint, type) and issubclass(hint, python):
            return kind
    return "json"


def _first(row: Sequence[Any]) -> Any:
    return row[0]


def json_value(stored: Any) -> Any:
    """A JSON column as a `Statement` returns it: text from SQLite, a value from PostgreSQL's driver."""
    try:
        return orjson.loads(stored) if isinstance(stored, str) else stored
    except orjson.JSONDecodeError:
        return stored  # a person wrote invalid text into the column; the reader of the value reports it


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
