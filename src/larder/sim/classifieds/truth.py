"""A classifieds site as a function of its rules and of time.

The answer for a moment is the same in whatever order moments are requested. The cache is only for speed:
going forward costs the events in between, going back starts again from the beginning.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from random import Random
from typing import Generic, TypeVar

from larder.sim.classifieds.state import ClassifiedsRules, ClassifiedsState, Listing, ListingEvent

_moment = attrgetter("at")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingPage(Generic[T]):
    """One page of an index, in the order of its site."""

    rows: tuple[T, ...]
    page: int
    pages: int
    total: int

    @classmethod
    def of(cls, rows: Sequence[T], page: int, per_page: int) -> "ListingPage[T]":
        """Page `page` (from 1) of these rows; beyond the end it has none."""
        shown = tuple(rows[(page - 1) * per_page : page * per_page])
        return cls(rows=shown, page=page, pages=max(1, -(-len(rows) // per_page)), total=len(rows))

    @property
    def last(self) -> bool:
        """Nothing comes after it."""
        return self.page >= self.pages


@dataclass(slots=True)
class _TruthCache:
    here: ClassifiedsState | None = None
    latest: ClassifiedsState | None = None
    """Events may be read further ahead than requests, so they come from a state of their own."""
    events: list[ListingEvent] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class ClassifiedsTruth(ClassifiedsRules):
    """The truth of one site. Times are aware; before `start` the site is as it was at `start`."""

    _memory: _TruthCache = field(default_factory=_TruthCache, init=False, repr=False, compare=False)

    def live(self, at: datetime) -> Mapping[str, Listing]:
        """All listings at `at`, by platform id."""
        latest = self._memory.latest
        if latest is not None and latest.now == at > self.start:
            return dict(latest.live)  # requests may be further on, and a state cannot go back
        return dict(self._world(at).live)

    def count(self, at: datetime) -> int:
        """How many listings there are at `at`."""
        return len(self._world(at).live)

    def listing(self, platform_id: str, at: datetime) -> Listing | None:
        """The listing at `at`; None: it is removed or not posted yet."""
        return self._world(at).live.get(platform_id)

    def last_known(self, platform_id: str, at: datetime) -> Listing | None:
        """The listing as it was last seen up to `at`, gone or not; None: it never existed."""
        return self._world(at).ever.get(platform_id)

    def index(self, at: datetime, page: int, per_page: int) -> ListingPage[Listing]:
        """Page `page` (from 1) of what is live, newest first; beyond the end it has no rows."""
        world = self._world(at)
        total = len(world.order)
        top = max(0, total - (page - 1) * per_page)
        newest_first = reversed(world.order[max(0, top - per_page) : top])
        rows = tuple(world.live[platform_id] for _, platform_id in newest_first)
        return ListingPage(rows=rows, page=page, pages=max(1, -(-total // per_page)), total=total)

    def some(self, at: datetime, count: int, rng: Random) -> list[Listing]:
        """A random sample of the listings at `at`."""
        world = self._world(at)
        drawn = rng.sample(range(len(world.order)), min(count, len(world.order)))
        return [world.live[world.order[place][1]] for place in drawn]

    def events(self, since: datetime, until: datetime) -> Sequence[ListingEvent]:
        """What happened after `since`, up to and including `until`, in order."""
        memory = self._memory
        memory.latest = memory.latest or ClassifiedsState(self)
        memory.events.extend(memory.latest.advance(until))
        first, end = (bisect_right(memory.events, moment, key=_moment) for moment in (since, until))
        return memory.events[first:end]

    def _world(self, at: datetime) -> ClassifiedsState:
        memory, at = self._memory, max(at, self.start)
        if memory.here is None or at < memory.here.now:
            memory.here = ClassifiedsState(self)
        for _ in memory.here.advance(at):
            pass
        return memory.here
