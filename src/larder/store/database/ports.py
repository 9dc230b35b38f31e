"""What every database offers, whatever it is made of."""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, runtime_checkable

from sqlalchemy import Connection

from larder.store.database import json_safe
from larder.store.database.statement import loads

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[Concatenate[Connection, P], T]

Version = int | str
"""Another one after each commit, whoever made it."""


class Database(Protocol):
    """A place to run units of work."""

    async def run(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(connection, …)` in one transaction and give back what it gives."""
        ...

    async def read(self, work: Work[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for work that only looks: it waits for no writer, and no writer for it."""
        ...

    async def close(self) -> None:
        """Let go of every connection."""
        ...


@runtime_checkable
class Versioned(Protocol):
    """A database that can say whether anything was committed since it was asked last."""

    async def version(self) -> Version:
        """Its version now."""
        ...


JSON: dict[str, Any] = {
    "json_serializer": lambda value: json_safe.dumps(value).decode(),
    "json_deserializer": loads,
}
"""How an engine writes and reads JSON: only what either database can hold."""
