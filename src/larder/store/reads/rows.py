"""Rows as dataclasses, and the filters that lists share.

A dataclass names its fields as the row does. What is called otherwise, or has to be computed, is given.
"""

from typing import Any, ClassVar, Protocol, TypeVar

from sqlalchemy import ColumnElement, Connection, Select


class View(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


V = TypeVar("V", bound=View)


def view_of(kind: type[V], row: Any, **others: Any) -> V:
    """`kind` with the row's value for each of its fields, but for `others`; flags are stored as 0 and 1."""
    same = {
        name: bool(getattr(row, name)) if field.type is bool else getattr(row, name)
        for name, field in kind.__dataclass_fields__.items()
        if name not in others
    }
    return kind(**same, **others)


def read_all(conn: Connection, query: Select[Any], kind: type[V]) -> list[V]:
    """Every row of a query as `kind`."""
    return [view_of(kind, row) for row in conn.execute(query)]


def only(query: Select[Any], *wanted: tuple[ColumnElement[Any], Any]) -> Select[Any]:
    """Rows whose columns have the wanted values; None leaves a column open."""
    return query.where(*(column == value for column, value in wanted if value is not None))


def newest(query: Select[Any], key: ColumnElement[int], *, before: int | None, limit: int) -> Select[Any]:
    """The `limit` rows with the largest keys, of those with a key smaller than `before`."""
    asked = query.order_by(key.desc()).limit(limit)
    return asked if before is None else asked.where(key < before)
