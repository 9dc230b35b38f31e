"""Caches responses until a commit, or until their content changes with time.

The version of the database is read before a response is made and before it is reused. Changes by this process
or an operator are in the next response. Pages stored by a crawl in another process may be missing for a
second or, on a busy machine, a few: a crawl commits many times a second, so the old response is returned
while a new one is made. Concurrent requests share one version query and one computation. If the database
notifies of operators' changes, a young response is returned without a query.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from larder.store.database import Database, DriverError, Listening, Version, Versioned
from larder.store.database.write_errors import explain

log = logging.getLogger("larder.cache")

MAX_BYTES = 32 * 1024**2
"""Total size of cached bodies; the oldest are dropped first."""
MAX_QUERY_STRINGS = 4_096
"""Validated query strings that are remembered."""
STALE_SECONDS = 1.0
"""How old a response may be that is returned after a crawl committed something …"""
STALE_COST_FACTOR = 20
"""… or so many times the cost of making it, if that is longer …"""
MAX_STALE_SECONDS = 10.0
"""… but no older than this."""
REFRESH_SHARE = 0.75
"""The part of that age after which a new one is made in the background."""


class CachedBody(NamedTuple):
    """A cached response body."""

    packed: bytes
    tag: str
    until: datetime
    """When it changes without a commit."""


class _CacheEntry(NamedTuple):
    version: Version
    announced: tuple[int, int] | None
    """The changes notified before its version was read."""
    body: CachedBody
    made_at: float
    """When its version was last read."""
    tolerated: float
    """Seconds that it may be returned while a crawl commits."""
    outdated: bool = False
    """Whether something was committed since."""


@dataclass(slots=True)
class ResponseCache:
    """The cache of one process."""

    database: Database
    background: set["asyncio.Task[Any]"] = field(default_factory=set)
    """Tasks that no request waits for; they end before the database closes."""
    clock: Callable[[], float] = time.monotonic
    _bodies: dict[Hashable, _CacheEntry] = field(default_factory=dict)
    _size: int = 0
    """Bytes of the cached bodies."""
    _keys: dict[bytes, Hashable] = field(default_factory=dict)
    """The key of the body for each validated query string."""
    _making: dict[Hashable, "asyncio.Task[CachedBody]"] = field(default_factory=dict)
    _refreshing: set[Hashable] = field(default_factory=set)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _next: "asyncio.Task[Version] | None" = None
    _last: tuple[float, Version] | None = None
    """When the version was last read, and its value."""
    _versioned: Versioned | None = field(init=False)
    _listening: Listening | None = field(init=False)

    def __post_init__(self) -> None:
        """Check once what the database supports."""
        self._versioned = self.database if isinstance(self.database, Versioned) else None
        self._listening = self.database if isinstance(self.database, Listening) else None

    async def body(
        self, key: Hashable, make: Callable[[], Awaitable[CachedBody]], *, now: datetime
    ) -> CachedBody:
        """The cached body for `key`, or a new one."""
        if self._versioned is None:
            return await make()
        known = self._known(key, now)
        if known is not None:
            if self._is_old(known):
                self._refresh(key, partial(self._renew, self._versioned, key, known, make))
            return known.body
        announced = self._announced()
        version = None if key in self._bodies else self._recent_version()
        if version is None:
            version = await self._version(self._versioned)
        entry = self._usable(key, version, now)
        if entry is None:
            return await asyncio.shield(self._start(key, version, make, announced))
        if entry.version == version:
            self._confirm(key, entry, announced)
        elif self._is_old(entry):
            self._refresh(key, partial(self._start, key, version, make, announced))
        return entry.body

    async def cached(self, key: Hashable, *, now: datetime) -> CachedBody | None:
        """The cached body for `key`, if it may be returned without a query."""
        if key not in self._bodies or self._versioned is None:
            return None
        known = self._known(key, now)
        if known is not None:
            if self._is_old(known) and not known.outdated:
                self._refresh(key, partial(self._renew, self._versioned, key, known, None))
            return None if known.outdated else known.body
        announced = self._announced()
        version = await self._version(self._versioned)
        entry = self._usable(key, version, now)
        if entry is None or (entry.version != version and self._is_old(entry)):
            return None
        if entry.version == version:
            self._confirm(key, entry, announced)
        return entry.body

    def key_of(self, query_string: bytes) -> Hashable | None:
        """The key of a query string that was validated before."""
        return self._keys.get(query_string)

    def remember(self, query_string: bytes, key: Hashable) -> None:
        """A query string was validated: its response has this key."""
        self._keys[query_string] = key
        while len(self._keys) > MAX_QUERY_STRINGS:
            del self._keys[next(iter(self._keys))]

    def _announced(self) -> tuple[int, int] | None:
        return None if self._listening is None else self._listening.changes_announced()

    def _known(self, key: Hashable, now: datetime) -> _CacheEntry | None:
        """The entry, if it may be returned without a query."""
        entry = self._bodies.get(key)
        if (
            entry is None
            or now >= entry.body.until
            or entry.announced is None
            or entry.announced != self._announced()
        ):
            return None
        return entry if self.clock() - entry.made_at < entry.tolerated else None

    def _usable(self, key: Hashable, version: Version, now: datetime) -> _CacheEntry | None:
        entry = self._bodies.get(key)
        if entry is None or now >= entry.body.until:
            return None
        if entry.version == version:
            return entry
        crawled = entry.version.changes == version.changes
        return entry if crawled and self.clock() - entry.made_at < entry.tolerated else None

    def _is_old(self, entry: _CacheEntry) -> bool:
        return self.clock() - entry.made_at >= REFRESH_SHARE * entry.tolerated

    def _confirm(self, key: Hashable, entry: _CacheEntry, announced: tuple[int, int] | None) -> None:
        """Mark an entry as current: nothing was committed since."""
        if announced is not None and self._bodies.get(key) is entry:
            self._bodies[key] = entry._replace(announced=announced, made_at=self.clock())

    async def _renew(
        self,
        database: Versioned,
        key: Hashable,
        entry: _CacheEntry,
        make: Callable[[], Awaitable[CachedBody]] | None,
    ) -> None:
        """Confirm an entry; if something was committed, make it anew or mark it as outdated."""
        announced = self._announced()
        version = await self._version(database)
        if entry.version == version:
            self._confirm(key, entry, announced)
        elif make is not None:
            await self._start(key, version, make, announced)
        elif self._bodies.get(key) is entry:
            self._bodies[key] = entry._replace(outdated=True)

    def _start(
        self,
        key: Hashable,
        version: Version,
        make: Callable[[], Awaitable[CachedBody]],
        announced: tuple[int, int] | None,
    ) -> "asyncio.Task[CachedBody]":
        making = self._making.get((key, version))
        if making is None:
            making = asyncio.create_task(self._make(key, version, make, announced))
            self._making[key, version] = making
        return making

    def _refresh(self, key: Hashable, begin: Callable[[], Awaitable[Any]]) -> None:
        """Confirm or remake a body in the background."""
        if key in self._refreshing:
            return
        self._refreshing.add(key)
        task = asyncio.ensure_future(begin())
        self.background.add(task)

        def ended(done: "asyncio.Future[Any]") -> None:
            self._refreshing.discard(key)
            self.background.discard(task)
            if not done.cancelled() and (error := done.exception()) is not None:
                log.debug("a cached response was not refreshed (%s)", error)  # the next caller gets the error

        task.add_done_callback(ended)

    async def _make(
        self,
        key: Hashable,
        version: Version,
        make: Callable[[], Awaitable[CachedBody]],
        announced: tuple[int, int] | None,
    ) -> CachedBody:
        began = self.clock()
        try:
            body = await make()
        finally:
            del self._making[key, version]
        cost = self.clock() - began
        tolerated = min(max(STALE_SECONDS, STALE_COST_FACTOR * cost), MAX_STALE_SECONDS)
        self._drop(key)
        self._bodies[key] = _CacheEntry(version, announced, body, began, tolerated)
        self._size += len(body.packed)
        while self._size > MAX_BYTES:
            self._drop(next(iter(self._bodies)))
        return body

    def _drop(self, key: Hashable) -> None:
        entry = self._bodies.pop(key, None)
        if entry is not None:
            self._size -= len(entry.body.packed)

    def _recent_version(self) -> Version | None:
        """The version of up to a second ago: a new body may be newer than its version, but never older."""
        found = self._last
        return found[1] if found is not None and self.clock() - found[0] < STALE_SECONDS else None

    async def _version(self, database: Versioned) -> Version:
        """A caller that arrives during a query needs the next one: its result may be older."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask(database))
        return await asyncio.shield(self._next)

    async def _ask(self, database: Versioned) -> Version:
        async with self._asking:
            self._next = None
            began = self.clock()
            try:
                self._last = (began, await database.version())
                return self._last[1]
            except (DriverError, OSError) as error:
                raise explain(error) from error
