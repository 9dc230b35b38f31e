"""The classifieds site of the benchmark, with what makes real ones hard to follow.

Promoted rows are above the rows of a page, a few rows are left out for minutes, a spell of 429 may begin at
any request, and every few days the site is down or shows nothing. All of it is drawn from the seed, the time
and the number of the request.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from random import Random

from larder.core.model.item import Extracted, Item
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.state import Listing, ListingChange
from larder.sim.classifieds.truth import ClassifiedsTruth, ListingPage
from larder.sim.faults import Fault, FaultKind
from larder.sim.site import SimRequest, SiteAnswer

NAME = "market.test"
LISTINGS = 18_000
TURNOVER_DAYS = 22.5
"""Live listings for each one that arrives in a day."""
NOT_FOUND = 404
LEFT_OUT_FOR = timedelta(minutes=10)
BLOCKED_FOR = timedelta(minutes=30)
OUTAGE_LASTS = timedelta(hours=1.5)
OUTAGES = ((0.60, FaultKind.CUT), (0.85, FaultKind.EMPTY), (1.0, FaultKind.LOST))
"""Kinds of outages with the shares up to which they are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketRules:
    """The properties of the benchmark's classifieds site."""

    listings: int = LISTINGS
    rows_per_page: int = 90
    arrivals_per_day: float = LISTINGS / TURNOVER_DAYS
    expiry_days: float | None = 120
    """None: listings never expire, as with fewer arrivals than it takes to keep so many."""
    reappearing: float = 0.08
    promoted: int = 2
    left_out: float = 0.003
    """The share of rows that the index leaves out, for ten minutes each time."""
    blocked: float = 1 / 5_000
    """The chance that a request begins a spell of 429."""
    priced_rows: bool = True
    """False: only a listing's own page says its price."""
    stable_order: bool = True
    """False: the index is shuffled every ten minutes."""
    soft_404: float = 0.0
    """The share of removed listings whose page answers 200 and says so in words."""
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
        expiry_days=rules.expiry_days,
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
    faults = list(outages(rules.outage_every_days, seed, start, until)) if rules.outages else []
    return MarketSite(
        name=NAME, per_page=rules.rows_per_page, classifieds=truth, rules=rules, seed=seed, faults=faults
    )


def outages(every_days: float, seed: int, start: datetime, until: datetime) -> Iterator[Fault]:
    """When a site is down or shows nothing."""
    rng = Random(f"{seed}:outages")  # noqa: S311 - luck, not secrecy
    every = timedelta(days=every_days)
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
        """The site's response; any request may begin a spell of 429."""
        self.asked += 1
        chance = Random(f"{self.seed}:blocked:{self.asked}").random()  # noqa: S311 - luck, not secrecy
        if chance < self.rules.blocked:
            self.faults.append(Fault(kind=FaultKind.LIMITED, since=at, until=at + BLOCKED_FOR))
        return super().answer(request, at)

    def index(self, at: datetime, page: int) -> ListingPage[Listing]:
        """A page without the rows that are left out now, below the promoted ones."""
        window = int(at.timestamp() // LEFT_OUT_FOR.total_seconds())
        index_page = super().index(at, page) if self.rules.stable_order else self._shuffled(at, page, window)
        rows = [row for row in index_page.rows if not self._is_left_out(row.platform_id, window)]
        return replace(index_page, rows=(*self._promoted(at, page, window), *rows)) if rows else index_page

    def extracted(self, request: SimRequest, answer: SiteAnswer) -> Extracted:
        """The values read from a response; rows may lack their price."""
        found = super().extracted(request, answer)
        if self.rules.priced_rows or not isinstance(answer.content, ListingPage):
            return found
        return replace(found, items=tuple(_without_price(item) for item in found.items))

    def _thing(self, platform_id: str, at: datetime) -> SiteAnswer:
        answer = super()._thing(platform_id, at)
        if answer.status == NOT_FOUND and self._drawn("soft", platform_id) < self.rules.soft_404:
            return SiteAnswer(status=200, content="This advert is no longer available.")
        return answer

    def _shuffled(self, at: datetime, page: int, window: int) -> ListingPage[Listing]:
        live = self.classifieds.live(at)
        names = sorted(live, key=lambda name: self._drawn("order", name, window))
        return ListingPage.of([live[name] for name in names], page, self.per_page)

    def _is_left_out(self, platform_id: str, window: int) -> bool:
        return self._drawn(platform_id, window) < self.rules.left_out

    def _drawn(self, *what: str | int) -> float:
        """A number from 0 to 1 that depends only on the seed and the argument."""
        text = ":".join(str(part) for part in (self.seed, *what))
        return int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) / 2**32

    def _promoted(self, at: datetime, page: int, window: int) -> list[Listing]:
        rng = Random(f"{self.seed}:promoted:{page}:{window}")  # noqa: S311 - luck, not secrecy
        return self.classifieds.some(at, self.rules.promoted, rng)


def _without_price(item: Item) -> Item:
    return replace(item, fields={name: value for name, value in item.fields.items() if name != "price"})
