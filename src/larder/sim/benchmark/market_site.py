"""The classifieds site of the benchmark, with what makes real ones hard to follow.

Promoted rows stand above the rows of a page, a few rows are left out for minutes, a spell of 429 may begin at
any request, and every few days the site is down or shows nothing. All of it is drawn from the seed, the time
and the number of the request.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from random import Random

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.state import Listing, ListingChange
from larder.sim.classifieds.truth import ClassifiedsTruth, ListingPage
from larder.sim.faults import Fault, FaultKind
from larder.sim.site import SimRequest, SiteAnswer

NAME = "market.test"
LISTINGS = 18_000
TURNOVER_DAYS = 22.5
"""Live listings for each one that arrives in a day."""
LEFT_OUT_FOR = timedelta(minutes=10)
BLOCKED_FOR = timedelta(minutes=30)
OUTAGE_LASTS = timedelta(hours=1.5)
OUTAGES = ((0.60, FaultKind.CUT), (0.85, FaultKind.EMPTY), (1.0, FaultKind.LOST))
"""Kinds of outages with the shares up to which they are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketRules:
    """What the benchmark's classifieds site is like."""

    listings: int = LISTINGS
    rows_per_page: int = 90
    arrivals_per_day: float = LISTINGS / TURNOVER_DAYS
    reappearing: float = 0.08
    promoted: int = 2
    left_out: float = 0.003
    """The share of rows that the index leaves out, for ten minutes each time."""
    blocked: float = 1 / 5_000
    """The chance that a request begins a spell of 429."""
    outages: bool = True
    outage_every_days: float = 6

    @property
    def mean_stay_days(self) -> float:
        """The stay that keeps the number of listings as it is, given arrivals and returns."""
        return self.listings * (1 - self.reappearing) / self.arrivals_per_day


def market(rules: MarketRules, *, seed: int, start: datetime, until: datetime) -> "MarketSite":
    """The site from `start` to `until`."""
    truth = ClassifiedsTruth(
        seed=seed,
        start=start,
        stock=rules.listings,
        arrivals_per_day=rules.arrivals_per_day,
        mean_life_days=rules.mean_stay_days,
        life_shape=0.7,
        expiry_days=120,
        rhythm=0.85,
        reappearing=rules.reappearing,
        mean_absence_days=2,
        back_at_top=0.7,
        late=0.04,
        bumps_per_day=0.02,
        price_changes_per_day=0.02,
        edits_per_day=0.01,
        rate_shapes={ListingChange.BUMPED: 0.3, ListingChange.PRICE: 0.5, ListingChange.EDITED: 0.3},
    )
    faults = list(_outages(rules, seed, start, until)) if rules.outages else []
    return MarketSite(
        name=NAME, per_page=rules.rows_per_page, classifieds=truth, rules=rules, seed=seed, faults=faults
    )


def _outages(rules: MarketRules, seed: int, start: datetime, until: datetime) -> Iterator[Fault]:
    rng = Random(f"{seed}:outages")  # noqa: S311 - luck, not secrecy
    every = timedelta(days=rules.outage_every_days)
    first = start + every * rng.random()
    while first < until:
        drawn = rng.random()
        kind = next(kind for share, kind in OUTAGES if drawn <= share)
        yield Fault(kind=kind, since=first, until=first + OUTAGE_LASTS)
        first += every


@dataclass(kw_only=True)
class MarketSite(ClassifiedsSite):
    """A classifieds site that promotes, leaves out, blocks and fails."""

    rules: MarketRules
    seed: int
    asked: int = 0
    """Requests so far."""

    def answer(self, request: SimRequest, at: datetime) -> SiteAnswer:
        """What it says; any request may begin a spell of 429."""
        self.asked += 1
        chance = Random(f"{self.seed}:blocked:{self.asked}").random()  # noqa: S311 - luck, not secrecy
        if chance < self.rules.blocked:
            self.faults.append(Fault(kind=FaultKind.LIMITED, since=at, until=at + BLOCKED_FOR))
        return super().answer(request, at)

    def index(self, at: datetime, page: int) -> ListingPage[Listing]:
        """A page without the rows that are left out now, below the promoted ones."""
        index_page = super().index(at, page)
        window = int(at.timestamp() // LEFT_OUT_FOR.total_seconds())
        rows = [row for row in index_page.rows if not self._is_left_out(row.platform_id, window)]
        return replace(index_page, rows=(*self._promoted(at, page, window), *rows)) if rows else index_page

    def _is_left_out(self, platform_id: str, window: int) -> bool:
        drawn = blake2b(f"{self.seed}:{platform_id}:{window}".encode(), digest_size=4).digest()
        return int.from_bytes(drawn) < self.rules.left_out * 2**32

    def _promoted(self, at: datetime, page: int, window: int) -> list[Listing]:
        rng = Random(f"{self.seed}:promoted:{page}:{window}")  # noqa: S311 - luck, not secrecy
        return self.classifieds.some(at, self.rules.promoted, rng)
