"""Caches responses until something is committed or their content changes with time.

The version of the database is read before a response is made and before it is reused. What this process or an
operator changed is in the next response. What a crawl in another process stores may be missing for a second
or, on a busy machine, a few: it commits many times a second, so the response before is returned while a new
one is made. Concurrent requests share one version query and one computation.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from larder.store.database import Database, DriverError, Version, Versioned
from larder.store.database.write_errors import explain

log = logging.getLogger("larder.cache")

MAX_BYTES = 32 * 1024**2
"""Size of all cached bodies together; the oldest are dropped first."""
MAX_QUERY_STRINGS = 4_096
"""Validated query strings that are remembered."""
STALE_SECONDS = 1.0
"""How old a response may be that is returned after a crawl committed something …"""
STALE_COST_FACTOR = 20
"""… or so many times what it cost to make, where that is longer …"""
MAX_STALE_SECONDS = 10.0
"""… but no older than this."""
REFRESH_SHARE = 0.5
"""The part of that age from which a new one is made meanwhile."""


class CachedBody(NamedTuple):
    """A cached response body."""

    packed: bytes
    tag: str
    until: datetime
    """When it changes without a commit."""


class _CacheEntry(NamedTuple):
    version: Version
    body: CachedBody
    made_at: float
    tolerated: float
    """Seconds that it may be returned while a crawl commits."""


@dataclass(slots=True)
class ResponseCache:
    """The cache of one process."""

    database: Database
    background: set["asyncio.Task[Any]"] = field(default_factory=set)
    """Holds the tasks that no request waits for; they end before the database closes."""
    clock: Callable[[], float] = time.monotonic
    _bodies: dict[Hashable, _CacheEntry] = field(default_factory=dict)
    _size: int = 0
    """Bytes of the cached bodies."""
    _keys: dict[bytes, Hashable] = field(default_factory=dict)
    """Of each query string that was validated, the key of its body."""
    _making: dict[Hashable, "asyncio.Task[CachedBody]"] = field(default_factory=dict)
    _refreshing: set[Hashable] = field(default_factory=set)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _next: "asyncio.Task[Version] | None" = None

    async def body(
        self, key: Hashable, make: Callable[[], Awaitable[CachedBody]], *, now: datetime
    ) -> CachedBody:
        """The cached body for `key`, or a new one."""
        if not isinstance(self.database, Versioned):
            return await make()
        version = await self._version(self.database)
        entry = self._usable(key, version, now)
        if entry is None:
            return await asyncio.shield(self._start(key, version, make))
        if self._is_ageing(entry, version):
            self._refresh(key, version, make)
        return entry.body

    async def cached(self, key: Hashable, *, now: datetime) -> CachedBody | None:
        """The cached body for `key`, if there is one that need not be made anew."""
        if key not in self._bodies or not isinstance(self.database, Versioned):
            return None
        version = await self._version(self.database)
        entry = self._usable(key, version, now)
        return None if entry is None or self._is_ageing(entry, version) else entry.body

    def key_of(self, query_string: bytes) -> Hashable | None:
        """The key of a query string that was validated before."""
        return self._keys.get(query_string)

    def remember(self, query_string: bytes, key: Hashable) -> None:
        """A query string was validated: its response has this key."""
        self._keys[query_string] = key
        while len(self._keys) > MAX_QUERY_STRINGS:
            del self._keys[next(iter(self._keys))]

    def _usable(self, key: Hashable, version: Version, now: datetime) -> _CacheEntry | None:
        entry = self._bodies.get(key)
        if entry is None or now >= entry.body.until:
            return None
        if entry.version == version:
            return entry
        crawled = entry.version.changes == version.changes
        return entry if crawled and self.clock() - entry.made_at < entry.tolerated else None

    def _is_ageing(self, entry: _CacheEntry, version: Version) -> bool:
        age = self.clock() - entry.made_at
        return entry.version != version and age >= REFRESH_SHARE * entry.tolerated

    def _start(
        self, key: Hashable, version: Version, make: Callable[[], Awaitable[CachedBody]]
    ) -> "asyncio.Task[CachedBody]":
        making = self._making.get((key, version))
        if making is None:
            making = asyncio.create_task(self._make(key, version, make))
            self._making[key, version] = making
        return making

    def _refresh(self, key: Hashable, version: Version, make: Callable[[], Awaitable[CachedBody]]) -> None:
        """Start to make a new body; nobody waits for it."""
        if key in self._refreshing:
            return
        self._refreshing.add(key)
        task = self._start(key, version, make)
        self.background.add(task)

        def ended(done: "asyncio.Task[CachedBody]") -> None:
            self._refreshing.discard(key)
            self.background.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                log.debug("a response was not made anew (%s)", error)  # whoever asks next is told

        task.add_done_callback(ended)

    async def _make(
        self, key: Hashable, version: Version, make: Callable[[], Awaitable[CachedBody]]
    ) -> CachedBody:
        began = self.clock()
        try:
            body = await make()
        finally:
            del self._making[key, version]
        cost = self.clock() - began
        tolerated = min(max(STALE_SECONDS, STALE_COST_FACTOR * cost), MAX_STALE_SECONDS)
        self._drop(key)
        self._bodies[key] = _CacheEntry(version, body, began, tolerated)
        self._size += len(body.packed)
        while self._size > MAX_BYTES:
            self._drop(next(iter(self._bodies)))
        return body

    def _drop(self, key: Hashable) -> None:
        entry = self._bodies.pop(key, None)
        if entry is not None:
            self._size -= len(entry.body.packed)

    async def _version(self, database: Versioned) -> Version:
        """A caller that arrives during a query needs the next one: its result may be older."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask(database))
        return await asyncio.shield(self._next)

    async def _ask(self, database: Versioned) -> Version:
        async with self._asking:
            self._next = None
            try:
                return await database.version()
            except (DriverError, OSError) as error:
                raise explain(error) from error
