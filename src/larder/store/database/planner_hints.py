"""Keeps SQLite's planner, which ignores LIMIT, from choosing an index by a column.

On PostgreSQL the column is left as it is.
"""

from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class without_index(FunctionElement[Any]):  # noqa: N801 - reads like the function that it is
    """The column, which SQLite does not use to choose an index."""

    inherit_cache = True
    name = "aside"

    def __init__(self, column: ColumnElement[Any]) -> None:
        super().__init__(column)
        self.type = column.type


@compiles(without_index)
def _as_it_is(element: without_index, compiler: SQLCompiler, **kwargs: Any) -> str:
    return compiler.process(element.clauses, **kwargs)


@compiles(without_index, "sqlite")
def _signed(element: without_index, compiler: SQLCompiler, **kwargs: Any) -> str:
    return f"+{compiler.process(element.clauses, **kwargs)}"
