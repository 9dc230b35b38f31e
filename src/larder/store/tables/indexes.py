"""Partial indexes, in both databases by one condition."""

from typing import Any

from sqlalchemy import Index, text


class _ByDialect(dict[str, Any]):
    """The options of an index by dialect; a dialect is loaded when its options are needed."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self._where = where

    def __missing__(self, dialect: str) -> Any:
        options = Index(None).dialect_options[dialect]
        options["where"] = text(self._where)
        self[dialect] = options
        return options


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of the rows that fulfil this condition."""
    made = Index(name, *columns, unique=unique)
    vars(made)["dialect_options"] = _ByDialect(where)
    return made
