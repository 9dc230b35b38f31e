"""Answers that many ask for, kept while they are true: until something is committed, within one second.

The database is asked for its version before an answer is made and before one is given out again, so nobody is
told what had changed when they asked. Questions that come at once are asked as one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field

from larder.store.database import Database, Version, Versioned

MOST = 256
"""Answers kept at most."""

Body = tuple[bytes, str]
"""What goes over the wire, and its tag."""


@dataclass(slots=True)
class Kept:
    """The answers of one process."""

    database: Database
    _bodies: dict[Hashable, tuple[Version, Body]] = field(default_factory=dict)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _next: "asyncio.Task[Version] | None" = None

    async def body(self, key: Hashable, make: Callable[[], Awaitable[Body]]) -> Body:
        """The answer to `key`: the one that is kept, or a new one."""
        if not isinstance(self.database, Versioned):
            return await make()
        version = await self._version(self.database)
        kept = self._bodies.get(key)
        if kept is not None and kept[0] == version:
            return kept[1]
        body = await make()
        self._keep(key, version, body)
        return body

    def _keep(self, key: Hashable, version: Version, body: Body) -> None:
        self._bodies.pop(key, None)
        self._bodies[key] = (version, body)
        while len(self._bodies) > MOST:
            del self._bodies[next(iter(self._bodies))]

    async def _version(self, database: Versioned) -> Version:
        """Whoever comes while a question is under way needs the next one: what it says may be older."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask(database))
        return await asyncio.shield(self._next)

    async def _ask(self, database: Versioned) -> Version:
        async with self._asking:
            self._next = None
            return await database.version()
