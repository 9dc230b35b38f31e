"""What is really there: the events of a classifieds site, generated lazily in the order of time.

`World` is the one mutable thing of the simulator. It only ever moves forward; the same `Rules` give the same
events, however small the steps it is moved in. Arrivals, price changes and bumps draw from streams of their
own, so that two worlds which differ in one rate still have all else in common.
"""

import heapq
from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import count
from random import Random

from larder.sim.listing_words import Home, new_rent, random_home, reworded_home, shared_home

DAY = timedelta(days=1)
_FIRST_ID = 41_000_000


class ListingChange(StrEnum):
    """What can happen to a listing."""

    ARRIVED = "arrived"
    PRICE = "price"
    BUMPED = "bumped"
    REMOVED = "removed"
    BACK = "back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One advert as it stands at a moment."""

    platform_id: str
    home: Home
    price: int
    """In cents."""
    posted_at: datetime
    refreshed_at: datetime
    """The latest of posted, bumped and back: what the index is sorted by."""
    changed_at: datetime
    """When anything on its page last changed."""

    @property
    def address(self) -> str:
        """In one line, as an advert shows it."""
        return f"{self.home.street}, {self.home.postcode} {self.home.city}"

    @property
    def entity(self) -> str:
        """Which home it is, the same on every site; empty: nobody else advertises it."""
        return self.home.entity


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingEvent:
    """Something happened; `listing` is how it stood just afterwards (or, if removed, just before)."""

    at: datetime
    what: ListingChange
    listing: Listing


@dataclass(frozen=True, kw_only=True)
class ClassifiedsRules:
    """All that a world follows from."""

    seed: int
    start: datetime
    stock: int
    """Listings that are there at the start."""
    arrivals_per_day: float | None = None
    """None: as many as leave, so that the stock stays about what it is."""
    mean_life_days: float = 30.0
    price_changes_per_day: float = 0.02
    """For each listing; so are the bumps."""
    bumps_per_day: float = 0.02
    reappearing: float = 0.1
    """The share of removed listings that come back under their old id."""
    mean_absence_days: float = 1.0
    pool: int | None = None
    """The seed of homes that several sites advertise; sites with the same pool share homes."""
    pooled: float = 0.3
    """The share of adverts that are for homes of the pool."""

    @property
    def arrival_rate(self) -> float:
        """Arrivals a day, given or in balance with the removals."""
        if self.arrivals_per_day is not None:
            return self.arrivals_per_day
        return self.stock * (1 - self.reappearing) / self.mean_life_days


@dataclass(frozen=True, slots=True, order=True)
class _Due:
    at: datetime
    turn: int
    """Breaks ties in the order of planning."""
    what: ListingChange
    platform_id: str
    leaves: datetime
    """When the listing's present stay ends: nothing is planned beyond it."""


class ClassifiedsState:
    """A site's listings, moved forward event by event."""

    def __init__(self, rules: ClassifiedsRules) -> None:
        self.now = rules.start
        self.live: dict[str, Listing] = {}
        self.ever: dict[str, Listing] = {}
        self.order: list[tuple[datetime, str]] = []
        """(refreshed_at, id) of what is live, oldest first."""
        self._rules = rules
        self._chances = {what: Random(f"{rules.seed}:{what}") for what in ListingChange}  # noqa: S311
        self._rates = {
            ListingChange.PRICE: rules.price_changes_per_day,
            ListingChange.BUMPED: rules.bumps_per_day,
        }
        self._due: list[_Due] = []
        self._turns = count()
        self._numbers = count(_FIRST_ID)
        self._pool = Random(f"{rules.seed}:pool")  # noqa: S311
        self._shared = count()
        self._stock()
        self._plan_arrival()

    def advance(self, until: datetime) -> Iterator[ListingEvent]:
        """Let happen what happens up to and including `until`; the world is there once this is used up."""
        while self._due and self._due[0].at <= until:
            due = heapq.heappop(self._due)
            yield ListingEvent(at=due.at, what=due.what, listing=self._happen(due))
        self.now = max(self.now, until)

    def _stock(self) -> None:
        """A site that has long been running: lives have no memory, so ages are spread as lives are."""
        chance = self._chances[ListingChange.ARRIVED]
        ages = [self._span(chance, self._rules.mean_life_days) for _ in range(self._rules.stock)]
        for age in sorted(ages, reverse=True):
            self._enter(self._draw(posted_at=self._rules.start - age), since=self._rules.start)

    def _happen(self, due: _Due) -> Listing:
        match due.what:
            case ListingChange.ARRIVED:
                self._plan_arrival(due.at)
                return self._enter(self._draw(posted_at=due.at), since=due.at)
            case ListingChange.BACK:
                back = replace(self.ever[due.platform_id], refreshed_at=due.at, changed_at=due.at)
                return self._enter(back, since=due.at)
            case ListingChange.REMOVED:
                return self._leave(due)
            case _:
                return self._alter(due)

    def _draw(self, *, posted_at: datetime) -> Listing:
        drawn = self._home()
        return Listing(
            platform_id=str(next(self._numbers)),
            home=drawn,
            price=drawn.rent * 100,
            posted_at=posted_at,
            refreshed_at=posted_at,
            changed_at=posted_at,
        )

    def _home(self) -> Home:
        pool = self._rules.pool
        if pool is None or self._pool.random() >= self._rules.pooled:
            return random_home(self._chances[ListingChange.ARRIVED])
        return reworded_home(self._pool, shared_home(pool, next(self._shared)))

    def _enter(self, listing: Listing, *, since: datetime) -> Listing:
        leaves = since + self._span(self._chances[ListingChange.REMOVED], self._rules.mean_life_days)
        self._plan(_Due(leaves, next(self._turns), ListingChange.REMOVED, listing.platform_id, leaves))
        for what in self._rates:
            self._plan_again(what, listing.platform_id, since, leaves)
        return self._show(listing)

    def _leave(self, due: _Due) -> Listing:
        listing = self._hide(due.platform_id)
        chance = self._chances[ListingChange.BACK]
        if chance.random() < self._rules.reappearing:
            at = due.at + self._span(chance, self._rules.mean_absence_days)
            self._plan(_Due(at, next(self._turns), ListingChange.BACK, due.platform_id, at))
        return listing

    def _alter(self, due: _Due) -> Listing:
        self._plan_again(due.what, due.platform_id, due.at, due.leaves)
        listing = self._hide(due.platform_id)
        if due.what is ListingChange.BUMPED:
            return self._show(replace(listing, refreshed_at=due.at, changed_at=due.at))
        price = 100 * new_rent(self._chances[ListingChange.PRICE], listing.price // 100)
        return self._show(replace(listing, price=price, changed_at=due.at))

    def _show(self, listing: Listing) -> Listing:
        self.live[listing.platform_id] = self.ever[listing.platform_id] = listing
        insort(self.order, (listing.refreshed_at, listing.platform_id))
        return listing

    def _hide(self, platform_id: str) -> Listing:
        listing = self.live.pop(platform_id)
        del self.order[bisect_left(self.order, (listing.refreshed_at, platform_id))]
        return listing

    def _plan_arrival(self, after: datetime | None = None) -> None:
        if self._rules.arrival_rate > 0:
            at = (after or self.now) + self._span(
                self._chances[ListingChange.ARRIVED], 1 / self._rules.arrival_rate
            )
            self._plan(_Due(at, next(self._turns), ListingChange.ARRIVED, "", at))

    def _plan_again(self, what: ListingChange, platform_id: str, after: datetime, leaves: datetime) -> None:
        if rate := self._rates[what]:
            at = after + self._span(self._chances[what], 1 / rate)
            if at < leaves:
                self._plan(_Due(at, next(self._turns), what, platform_id, leaves))

    def _plan(self, due: _Due) -> None:
        heapq.heappush(self._due, due)

    @staticmethod
    def _span(chance: Random, mean_days: float) -> timedelta:
        return DAY * chance.expovariate(1 / mean_days)
