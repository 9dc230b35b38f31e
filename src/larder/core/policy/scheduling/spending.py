"""How often does a source with the plan `adaptive` run, and what is one more request worth?

What is read every `x` hours is out of date for `x / 2` hours on average, and `growth` records an hour change
meanwhile. A run costs `cost` requests. With a request priced at `price` hours of one outdated record, the sum
of both is least at `x = sqrt(2 * price * cost / growth)`. A budget or a goal sets the price: the same formula
solved for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from math import ceil, sqrt

from larder.core.policy.freshness import SHOWN, SIGHTING
from larder.core.policy.scheduling.learned import DAY_HOURS, HOUR, REFRESH_SHARE, Arrivals, Changes

PRICE = 5.0
"""Hours of one wrong listing for which a request is made, unless a source says otherwise."""
NEWS_WEIGHT = 10.0
"""A new listing that is not known yet counts as much as so many that are shown wrongly."""
QUIET_SHARE = 0.35
"""Of the whole day's arrivals, what is expected at least of a quiet hour: its news must not wait for long."""
GAIN = 3.0
"""What was spent too much or too little within a day is made up for so many times as fast."""
FIRST_READING = 2
"""Times a budget that was spent within a day: all detail pages were read for the first time, which no saving
makes up for."""
MIN_BUDGET, MAX_BUDGET = 0.7, 1.4
"""Of a budget, what is aimed at however much was spent before."""
MIN_SHARE = 0.2
"""Of a budget, what is left for the index however many new detail pages there are."""
CHECKS_SHARE = 0.5
"""Of a budget, what checks of single addresses may take in 24 hours, besides what is left of it: in an outage
of more than a day thousands of records fade, and an index page finds many of them with one request."""
MIN_CHECKS = 50
"""In 24 hours, whatever the budget: with few requests, checks keep in view what a slow pass did not show."""
DEEPER = 2
"""Pages below the first one with known rows on which a discovery looks for new rows now and then."""
MIN_INTERVAL, MAX_INTERVAL = timedelta(minutes=2), timedelta(hours=24)
"""Between two discoveries."""
MIN_PASS = timedelta(hours=1)
UNKNOWN_PASS = timedelta(hours=6)
"""A pass through an index of which nothing is known yet."""
CHUNKS = 10
"""Sweeps for each pass, where nothing else says how many."""
MIN_DISTANCE = timedelta(minutes=12)
"""Between two sweeps: a row that is left out for minutes is back at the second look."""
MIN_PAGES = 5
"""Of one sweep: where rows leave at the top, as in an agenda, others move up past two sweeps."""
MAX_SHARE = 0.6
"""Of the time in which confidence falls below the threshold, what a pass may take at most."""
MAX_PASS = timedelta(hours=18)
"""A record that no pass shows for a day is checked at its own address, which costs a request each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What a source may spend: a price for a request, or a budget a day or a goal that sets the price."""

    price: float = PRICE
    requests_per_day: float = 0
    """0: no budget."""
    verified_within_hours: float = 0
    """The goal: so many per cent of the records were looked at within this time. 0: no goal."""
    verified_percent: float = 100

    @classmethod
    def of(cls, params: Mapping[str, float]) -> "Spending":
        """The goals from a source's limits."""
        return cls(
            price=params["request_price"],
            requests_per_day=params["requests_per_day"],
            verified_within_hours=params["verified_within_hours"],
            verified_percent=params["verified_percent"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a source really asked of its site lately."""

    hours: float = 0.0
    """The time in which it did: a day, less for a young source."""
    requests: float = 0.0
    checks: float = 0.0
    """Of these, checks of single addresses."""

    def aim(self, budget: float) -> float:
        """The requests a day to aim at, so that the last day and the next one keep the budget."""
        if self.requests > FIRST_READING * budget:
            return budget
        saved = budget * self.hours / DAY_HOURS - self.requests
        return min(max(budget + GAIN * saved, MIN_BUDGET * budget), MAX_BUDGET * budget)

    @property
    def checks_per_hour(self) -> float:
        """Checks of single addresses, with little evidence fewer."""
        return self.checks / (self.hours + 1)


NOTHING_SPENT = Spent()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingPlan:
    """What a source spends where, given what was learned of it."""

    arrivals: Arrivals
    changes: Changes
    index_pages: int
    spending: Spending
    rate: int
    """Points of confidence that are lost in an hour."""
    spent: Spent = NOTHING_SPENT

    @property
    def price(self) -> float:
        """Hours of one wrong listing for which a request is made."""
        if hours := self.goal_hours:
            return hours**2 * self.changes.per_hour / (2 * self._pass_cost)
        if self.spending.requests_per_day:
            return (self._roots / self._free_requests) ** 2 / 2
        return self.spending.price

    @property
    def looks(self) -> int:
        """Looks in a row that must miss a record before it is hidden."""
        return self.changes.looks(self.price)

    @property
    def aim(self) -> float | None:
        """Requests a day that a budget leads to, by what was spent lately; None: there is no budget."""
        budget = self.spending.requests_per_day
        return self.spent.aim(budget) if budget and not self.goal_hours else None

    @property
    def checks_left(self) -> int | None:
        """Checks of single addresses that a budget allows now; None: there is no budget."""
        budget, spent = self.spending.requests_per_day, self.spent
        if not budget or self.goal_hours:
            return None
        most = max(CHECKS_SHARE * budget, MIN_CHECKS)
        return max(0, int(max(most - spent.checks, budget - spent.requests)))

    @property
    def goal_hours(self) -> float:
        """How long a pass may take by the goal; 0: there is none."""
        return self.spending.verified_within_hours * 100 / self.spending.verified_percent

    @property
    def pass_every(self) -> timedelta:
        """How long a pass through the index takes, in sweeps of a tenth of it."""
        if not self.index_pages:
            return UNKNOWN_PASS
        longest = min(MAX_PASS, MAX_SHARE * HOUR * (SIGHTING - SHOWN) / self.rate)
        best = HOUR * sqrt(2 * self.price * self._pass_cost / self.changes.per_hour)
        return max(MIN_PASS, min(best, longest))

    @property
    def sweep_pages(self) -> int:
        """Index pages of one sweep: a second look, at the beginning of the next, comes soon.

        None has a single page: what went from between two pages is missed only by one that reads both.
        """
        most = max(1, self.pass_every // MIN_DISTANCE)
        size = max(ceil(self.index_pages / most), MIN_PAGES)
        if self.index_pages < 2 * size:
            return self.index_pages
        return size + 1 if self.index_pages % size == 1 else size

    @property
    def details_per_page(self) -> float:
        """Detail pages that are read again for each index page of a sweep: more where prices need it."""
        passes = self.pass_every / HOUR * sqrt(self.changes.reprices_per_hour / (2 * self.price))
        return max(REFRESH_SHARE, self.changes.rows_per_page * passes)

    def discovery_every(self, hour: int) -> timedelta:
        """Between two discoveries at this hour of the day."""
        best = HOUR * sqrt(2 * self.price * self.arrivals.cost / self._news(hour))
        return max(MIN_INTERVAL, min(best, MAX_INTERVAL))

    @property
    def deep_every(self) -> timedelta:
        """Between two discoveries that also look below the first page with known rows."""
        best = HOUR * sqrt(2 * self.price * DEEPER / self._late_news)
        return max(MIN_INTERVAL, min(best, MAX_INTERVAL))

    @property
    def requests_per_day(self) -> Mapping[str, float]:
        """Expected requests a day, by purpose."""
        looks = sum(HOUR / self.discovery_every(hour) for hour in range(DAY_HOURS))
        passes = DAY_HOURS * HOUR / self.pass_every
        prices = self.details_per_page - REFRESH_SHARE
        return {
            "discovery": looks * self.arrivals.cost + DAY_HOURS * HOUR / self.deep_every * DEEPER,
            "new details": DAY_HOURS * self.arrivals.per_hour,
            "sweep": passes * self.changes.cost(self.index_pages),
            "checks": DAY_HOURS * self.spent.checks_per_hour,
            **({"prices": passes * self.index_pages * prices} if prices else {}),
        }

    @property
    def wrong(self) -> Mapping[str, float]:
        """How many listings are expected to be wrong at any moment: not known yet, or changed or removed."""
        hours = range(DAY_HOURS)
        waits = sum(self.arrivals.at(hour) * (self.discovery_every(hour) / HOUR) / 2 for hour in hours)
        details_every = self.changes.rows_per_page * (self.pass_every / HOUR) / self.details_per_page
        return {
            "unknown": waits / DAY_HOURS + self.arrivals.late_per_hour * (self.deep_every / HOUR) / 2,
            "outdated": self.changes.per_hour * (self.pass_every / HOUR) / 2,
            "prices": self._records * self.changes.reprices_per_hour * details_every / 2,
        }

    def with_requests(self, per_day: float) -> "SpendingPlan":
        """The same source with another budget."""
        steady = Spent(hours=DAY_HOURS, requests=per_day, checks=self.spent.checks_per_hour * DAY_HOURS)
        return replace(self, spending=Spending(requests_per_day=max(per_day, 1.0)), spent=steady)

    def _news(self, hour: int) -> float:
        """New rows an hour, weighed."""
        return NEWS_WEIGHT * max(self.arrivals.at(hour), QUIET_SHARE * self.arrivals.per_hour)

    @property
    def _late_news(self) -> float:
        """The same of those that appear below the top of the index."""
        return NEWS_WEIGHT * self.arrivals.late_per_hour

    @property
    def _records(self) -> float:
        return self.index_pages * self.changes.rows_per_page

    @property
    def _pass_cost(self) -> float:
        return max(self.changes.cost(self.index_pages), 1.0)

    @property
    def _roots(self) -> float:
        """What the best plan spends in an hour, but for a factor that the price gives."""
        looks = sum(sqrt(self.arrivals.cost * self._news(hour)) for hour in range(DAY_HOURS))
        passes = sqrt(self._pass_cost * self.changes.per_hour)
        details = self._records * sqrt(self.changes.reprices_per_hour)
        return looks / DAY_HOURS + sqrt(DEEPER * self._late_news) + passes + details

    @property
    def _free_requests(self) -> float:
        """Requests an hour that a budget leaves after the detail pages of new rows and checks."""
        budget = self.spent.aim(self.spending.requests_per_day) / DAY_HOURS
        return max(budget - self.arrivals.per_hour - self.spent.checks_per_hour, MIN_SHARE * budget)
