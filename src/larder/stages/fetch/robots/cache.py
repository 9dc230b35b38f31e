"""Caches robots.txt by origin: shared in the database, with compiled rules in memory.

One request per origin at a time, however many jobs wait for its answer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from larder.core.ports import Clock
from larder.stages.fetch.permit import Refusal
from larder.stages.fetch.robots.patterns import Rules
from larder.stages.fetch.robots.policy import Robots
from larder.stages.fetch.robots.response import (
    MAX_WAIT,
    RobotsAnswer,
    RobotsCache,
    RobotsEntry,
    entry_for,
    with_crawl_delay,
)

MAX_ORIGINS = 2_048
MAX_HELD = 16 * 1024 * 1024
"""Maximum characters of robots.txt whose compiled rules are cached; the oldest are dropped first."""
LOOK_AGAIN = timedelta(minutes=5)
"""How long this process may use its memory before it reads the shared cache again."""
READ_INLINE = 64 * 1024
"""A larger file is read in a thread."""

Ask = Callable[[], Awaitable[RobotsAnswer | Refusal]]


@dataclass(frozen=True, slots=True)
class CompiledEntry:
    """An origin's entry with its compiled rules."""

    entry: RobotsEntry
    rules: Rules
    """The rules for our own agent."""
    until: datetime


class RobotsLookup:
    """The robots.txt of every origin, fetched if needed."""

    def __init__(self, cache: RobotsCache, clock: Clock, *, agent: str, strict: bool) -> None:
        self._cache = cache
        self._clock = clock
        self._agent = agent
        self._strict = strict
        self._known: dict[str, CompiledEntry] = {}
        self._held = 0
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def look_up(self, origin: str, ask: Ask) -> CompiledEntry | Refusal:
        """The valid rules of this origin; `ask` fetches its robots.txt if none is cached."""
        lock = self._locks.setdefault(origin, asyncio.Lock())
        async with lock:
            return self.cached(origin) or await self._refreshed(origin, ask)

    def cached(self, origin: str) -> CompiledEntry | None:
        """The entry in this process's memory, if any."""
        entry = self._known.get(origin)
        now = self._clock.now()
        return entry if entry is not None and now < entry.until <= now + LOOK_AGAIN else None

    async def _refreshed(self, origin: str, ask: Ask) -> CompiledEntry | Refusal:
        entry = await self._cache.get(origin)
        now = self._clock.now()
        if entry is not None and now < entry.expires_at <= now + MAX_WAIT:
            return self._remember(origin, entry, await self._read(entry.body))
        answer = await ask()
        if isinstance(answer, Refusal):
            return answer
        entry = entry_for(answer, before=entry, now=self._clock.now(), strict=self._strict)
        robots = await self._read(entry.body)
        entry = with_crawl_delay(entry, robots, self._agent)
        await self._cache.put(origin, entry)
        return self._remember(origin, entry, robots)

    async def _read(self, body: str) -> Robots:
        if len(body) <= READ_INLINE:
            return Robots.parse(body)
        return await asyncio.to_thread(_read_for, body, self._agent)

    def _remember(self, origin: str, entry: RobotsEntry, robots: Robots) -> CompiledEntry:
        until = min(entry.expires_at, self._clock.now() + LOOK_AGAIN)
        self._forget(origin)
        known = self._known[origin] = CompiledEntry(entry, robots.rules_for(self._agent), until)
        self._held += len(entry.body)
        while len(self._known) > MAX_ORIGINS or (self._held > MAX_HELD and len(self._known) > 1):
            self._forget(next(iter(self._known)))
        return known

    def _forget(self, origin: str) -> None:
        known = self._known.pop(origin, None)
        self._held -= len(known.entry.body) if known else 0


def _read_for(body: str, agent: str) -> Robots:
    """Parse a file and compile the rules that will be needed."""
    robots = Robots.parse(body)
    robots.rules_for(agent)
    return robots
