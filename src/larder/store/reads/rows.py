"""A row as somebody is told of it.

A view names its fields as the row does; only what is called otherwise, or has to be worked out, is said.
"""

from typing import Any, ClassVar, Protocol, TypeVar


class View(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


V = TypeVar("V", bound=View)


def view_of(kind: type[V], row: Any, **others: Any) -> V:
    """`kind` with the row's value for each of its fields, but for `others`."""
    same = {name: getattr(row, name) for name in kind.__dataclass_fields__ if name not in others}
    return kind(**same, **others)
