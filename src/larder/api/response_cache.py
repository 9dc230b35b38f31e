"""Caches responses until something is committed or their content changes with time.

The version of the database is read before a response is made and before it is reused, so that no response is
stale. Concurrent requests share one version query and one computation.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from larder.store.database import Database, Version, Versioned

MAX_ENTRIES = 256
"""Cached responses."""


class CachedBody(NamedTuple):
    """A cached response body."""

    packed: bytes
    tag: str
    until: datetime
    """When it changes without a commit."""


@dataclass(slots=True)
class ResponseCache:
    """The cache of one process."""

    database: Database
    _bodies: dict[Hashable, tuple[Version, CachedBody]] = field(default_factory=dict)
    _keys: dict[bytes, Hashable] = field(default_factory=dict)
    """Of each query string that was validated, the key of its body."""
    _making: dict[Hashable, "asyncio.Task[CachedBody]"] = field(default_factory=dict)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _next: "asyncio.Task[Version] | None" = None

    async def body(
        self, key: Hashable, make: Callable[[], Awaitable[CachedBody]], *, now: datetime
    ) -> CachedBody:
        """The cached body for `key`, or a new one."""
        if not isinstance(self.database, Versioned):
            return await make()
        version = await self._version(self.database)
        if (body := self._current(key, version, now)) is not None:
            return body
        making = self._making.get((key, version))
        if making is None:
            making = asyncio.create_task(self._make(key, version, make))
            self._making[key, version] = making
        return await asyncio.shield(making)

    async def cached(self, key: Hashable, *, now: datetime) -> CachedBody | None:
        """The cached body for `key`, if there is one."""
        if key not in self._bodies or not isinstance(self.database, Versioned):
            return None
        return self._current(key, await self._version(self.database), now)

    def key_of(self, query_string: bytes) -> Hashable | None:
        """The key of a query string that was validated before."""
        return self._keys.get(query_string)

    def remember(self, query_string: bytes, key: Hashable) -> None:
        """A query string was validated: its response has this key."""
        self._keys[query_string] = key
        while len(self._keys) > MAX_ENTRIES:
            del self._keys[next(iter(self._keys))]

    def _current(self, key: Hashable, version: Version, now: datetime) -> CachedBody | None:
        cached = self._bodies.get(key)
        return cached[1] if cached is not None and cached[0] == version and now < cached[1].until else None

    async def _make(
        self, key: Hashable, version: Version, make: Callable[[], Awaitable[CachedBody]]
    ) -> CachedBody:
        try:
            body = await make()
        finally:
            del self._making[key, version]
        self._bodies.pop(key, None)
        self._bodies[key] = (version, body)
        while len(self._bodies) > MAX_ENTRIES:
            del self._bodies[next(iter(self._bodies))]
        return body

    async def _version(self, database: Versioned) -> Version:
        """A caller that arrives during a query needs the next one: its result may be older."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask(database))
        return await asyncio.shield(self._next)

    async def _ask(self, database: Versioned) -> Version:
        async with self._asking:
            self._next = None
            return await database.version()
