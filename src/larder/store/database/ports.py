"""The interface of every database."""

from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar, runtime_checkable

from sqlalchemy import Connection

from larder.store import json_safe
from larder.store.database.statement import json_value

P = ParamSpec("P")
T = TypeVar("T")
UnitOfWork = Callable[Concatenate[Connection, P], T]


class Version(NamedTuple):
    """The state of a database; it changes with each commit of any process."""

    commits: int | str
    changes: tuple[int, int]
    """Commits of this process, and operators' changes of any process.

    A crawl in another one does not count.
    """


LAST_CHANGE = "SELECT coalesce(max(id), 0) FROM audit"
"""Every operator's change writes a row, in the transaction of the change."""


class Database(Protocol):
    """Runs functions in transactions."""

    async def run(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(connection, …)` in one transaction and return its result."""
        ...

    async def read(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """As `run`, for work that only reads: it neither waits for writers nor blocks them."""
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...


@runtime_checkable
class Versioned(Protocol):
    """A database whose version changes with every commit."""

    async def version(self) -> Version:
        """The present version; it changes with every commit."""
        ...


@runtime_checkable
class Listening(Protocol):
    """A database that is notified of operators' changes in other processes."""

    def changes_announced(self) -> tuple[int, int] | None:
        """Commits of this process, and operators' changes of any; None: query the version instead."""
        ...


JSON: dict[str, Any] = {
    "json_serializer": lambda value: json_safe.dumps(value).decode(),
    "json_deserializer": json_value,
}
"""How SQLAlchemy writes and reads JSON."""
