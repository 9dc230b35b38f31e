"""The state of a simulated classifieds site: its events, generated lazily in the order of time.

`World` is the one mutable thing of the simulator. It only ever moves forward; the same `Rules` give the same
events, however small the steps it is moved in. Arrivals, price changes and bumps draw from streams of their
own, so that two sites which differ in one rate have everything else in common.
"""

import heapq
from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import count
from math import cos, pi
from random import Random

from larder.sim.classifieds.lifetimes import Lifetimes
from larder.sim.classifieds.listing_words import Home, new_rent, random_home, reworded_home, shared_home

DAY = timedelta(days=1)
MIN_RATE = 1e-4
"""The least rate of changes of a listing a day: once in 27 years."""
_FIRST_ID = 41_000_000


class ListingChange(StrEnum):
    """Kinds of changes of a listing."""

    ARRIVED = "arrived"
    PRICE = "price"
    BUMPED = "bumped"
    EDITED = "edited"
    """Something that only its own page shows."""
    REMOVED = "removed"
    BACK = "back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One advert at a moment."""

    platform_id: str
    home: Home
    price: int
    """In cents."""
    posted_at: datetime
    refreshed_at: datetime
    """The latest of posted, bumped and back: what the index is sorted by."""
    changed_at: datetime
    """When anything on its page last changed."""
    edits: int = 0
    """How often something changed that only its own page shows."""

    @property
    def address(self) -> str:
        """In one line, as an advert shows it."""
        return f"{self.home.street}, {self.home.postcode} {self.home.city}"

    @property
    def entity(self) -> str:
        """The identity of the home, the same on every site; empty if no other site advertises it."""
        return self.home.entity


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingEvent:
    """An event; `listing` is the state just after it (or, if removed, just before)."""

    at: datetime
    what: ListingChange
    listing: Listing


@dataclass(frozen=True, kw_only=True)
class ClassifiedsRules:
    """The rules of a simulated site."""

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
    life_shape: float = 1.0
    """Of Weibull's distribution; below 1 the young are removed first."""
    expiry_days: float | None = None
    """The site removes an advert at this age."""
    rhythm: float = 0.0
    """How far arrivals swing around their mean within a day, with the peak at 15:00 UTC."""
    edits_per_day: float = 0.0
    """Changes for each listing that only its own page shows."""
    rate_shapes: Mapping[ListingChange, float] = field(default_factory=dict)
    """Shapes of the gamma distributions of listings' own rates; without one a rate is the same for all."""
    late: float = 0.0
    """The share of arrivals that appear below the top of the index, as if posted hours ago."""
    mean_late_hours: float = 3.0
    back_at_top: float = 1.0
    """The share of those that come back which are at the top of the index again."""
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
        self._chances = {change: Random(f"{rules.seed}:{change}") for change in ListingChange}  # noqa: S311
        self._rates = {
            ListingChange.PRICE: rules.price_changes_per_day,
            ListingChange.BUMPED: rules.bumps_per_day,
            ListingChange.EDITED: rules.edits_per_day,
        }
        self._own_rates: dict[tuple[str, ListingChange], float] = {}
        self._lives = Lifetimes.of(rules.mean_life_days, rules.life_shape, rules.expiry_days)
        self._due: list[_Due] = []
        self._turns = count()
        self._numbers = count(_FIRST_ID)
        self._pool = Random(f"{rules.seed}:pool")  # noqa: S311
        self._shared = count()
        self._stock()
        self._plan_arrival()

    def advance(self, until: datetime) -> Iterator[ListingEvent]:
        """Yield the events up to and including `until`; the state is at `until` once all are consumed."""
        while self._due and self._due[0].at <= until:
            due = heapq.heappop(self._due)
            yield ListingEvent(at=due.at, what=due.what, listing=self._apply(due))
        self.now = max(self.now, until)

    def _stock(self) -> None:
        """The listings at the start: ages are distributed as on a site that has long been running."""
        rng = self._chances[ListingChange.ARRIVED]
        ages = [DAY * self._lives.age(rng) for _ in range(self._rules.stock)]
        for age in sorted(ages, reverse=True):
            posted_at = self._rules.start - age
            self._enter(self._draw(posted_at=posted_at), since=self._rules.start, age=age)

    def _apply(self, due: _Due) -> Listing:
        match due.what:
            case ListingChange.ARRIVED:
                self._plan_arrival(due.at)
                return self._enter(self._draw(posted_at=due.at - self._lateness()), since=due.at)
            case ListingChange.BACK:
                before = self.ever[due.platform_id]
                refreshed_at = due.at if self._returns_at_top() else before.refreshed_at
                listing = replace(before, refreshed_at=refreshed_at, changed_at=due.at)
                return self._enter(listing, since=due.at)
            case ListingChange.REMOVED:
                return self._leave(due)
            case _:
                return self._alter(due)

    def _lateness(self) -> timedelta:
        """How long ago a listing that appears now seems to have been posted."""
        rng = self._chances[ListingChange.BACK]
        if not self._rules.late or rng.random() >= self._rules.late:
            return timedelta(0)
        return self._span(rng, self._rules.mean_late_hours / 24)

    def _returns_at_top(self) -> bool:
        share = self._rules.back_at_top
        return share >= 1 or self._chances[ListingChange.BACK].random() < share

    def _draw(self, *, posted_at: datetime) -> Listing:
        home = self._home()
        return Listing(
            platform_id=str(next(self._numbers)),
            home=home,
            price=home.rent * 100,
            posted_at=posted_at,
            refreshed_at=posted_at,
            changed_at=posted_at,
        )

    def _home(self) -> Home:
        pool = self._rules.pool
        if pool is None or self._pool.random() >= self._rules.pooled:
            return random_home(self._chances[ListingChange.ARRIVED])
        return reworded_home(self._pool, shared_home(pool, next(self._shared)))

    def _enter(self, listing: Listing, *, since: datetime, age: timedelta = timedelta(0)) -> Listing:
        leaves = since + DAY * self._lives.rest(self._chances[ListingChange.REMOVED], age / DAY)
        self._plan(_Due(leaves, next(self._turns), ListingChange.REMOVED, listing.platform_id, leaves))
        for change in self._rates:
            self._plan_again(change, listing.platform_id, since, leaves)
        return self._show(listing)

    def _leave(self, due: _Due) -> Listing:
        listing = self._hide(due.platform_id)
        rng = self._chances[ListingChange.BACK]
        if rng.random() < self._rules.reappearing:
            at = due.at + self._span(rng, self._rules.mean_absence_days)
            self._plan(_Due(at, next(self._turns), ListingChange.BACK, due.platform_id, at))
        return listing

    def _alter(self, due: _Due) -> Listing:
        self._plan_again(due.what, due.platform_id, due.at, due.leaves)
        listing = self._hide(due.platform_id)
        if due.what is ListingChange.BUMPED:
            return self._show(replace(listing, refreshed_at=due.at, changed_at=due.at))
        if due.what is ListingChange.EDITED:
            return self._show(replace(listing, changed_at=due.at, edits=listing.edits + 1))
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
            at = self._next_arrival(after or self.now)
            self._plan(_Due(at, next(self._turns), ListingChange.ARRIVED, "", at))

    def _next_arrival(self, at: datetime) -> datetime:
        """The next arrival: drawn at the rate of the busiest hour, and thinned by the hour of the day."""
        rng, rhythm = self._chances[ListingChange.ARRIVED], self._rules.rhythm
        while True:
            at += self._span(rng, 1 / (self._rules.arrival_rate * (1 + rhythm)))
            if not rhythm or rng.random() * (1 + rhythm) <= 1 + rhythm * _daily_swing(at):
                return at

    def _rate_of(self, change: ListingChange, platform_id: str) -> float:
        """How often this happens to this listing, a day."""
        rate, shape = self._rates[change], self._rules.rate_shapes.get(change)
        if not rate or shape is None:
            return rate
        own = self._own_rates.get((platform_id, change))
        if own is None:
            drawn = self._chances[change].gammavariate(shape, rate / shape)
            own = self._own_rates[platform_id, change] = max(drawn, MIN_RATE)
        return own

    def _plan_again(self, change: ListingChange, platform_id: str, after: datetime, leaves: datetime) -> None:
        if rate := self._rate_of(change, platform_id):
            at = after + self._span(self._chances[change], 1 / rate)
            if at < leaves:
                self._plan(_Due(at, next(self._turns), change, platform_id, leaves))

    def _plan(self, due: _Due) -> None:
        heapq.heappush(self._due, due)

    @staticmethod
    def _span(rng: Random, mean_days: float) -> timedelta:
        return DAY * rng.expovariate(1 / mean_days)


def _daily_swing(at: datetime) -> float:
    """1 at 15:00 UTC, −1 at 03:00."""
    return cos(2 * pi * (at.hour + at.minute / 60 - 15) / 24)
