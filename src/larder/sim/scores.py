"""Compares a dataset with the simulated sites, and counts its requests in the sites' logs."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import combinations
from types import MappingProxyType

from larder.core.model.source import Kind, Plan
from larder.sim.demo import Market, target_urls
from larder.sim.request_log import RequestLog
from larder.sim.server import SimServer

OK = 200
REFETCH_WINDOW = timedelta(hours=3)
"""No plan fetches a detail page twice within this time."""
RATE_WINDOW_SECONDS = 5.0
"""Seconds over which the rate of requests is measured."""
_PATHS = {Kind.LISTING: "listing", Kind.PRODUCT: "product", Kind.EVENT: "event"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How well the dataset matches one site, and the number of requests for that."""

    live: int
    """Items on the site; if it has targets, the targets."""
    known: int
    """Of these, in the dataset."""
    priced: int
    """Of these, with today's price."""
    gone: int
    """In the dataset as active, no longer on the site."""
    requests: int
    rate: float
    """Requests a second, lately."""
    doubled: int
    """Detail pages that were fetched again within hours, which no plan does."""

    @property
    def recall(self) -> float:
        """The share of live records that the dataset knows."""
        return self.known / self.live if self.live else 1.0


def score_market(
    web: SimServer,
    market: Market,
    prices: Mapping[str, int | None],
    checked: Mapping[str, int] = MappingProxyType({}),
) -> Score:
    """Compare active records (platform id → price) with the truth and with the site's own log.

    `checked`: how often a page was fetched to see whether it is still there, by its path.
    """
    expected = _expected(web, market)
    request_log = web.request_log.for_host(market.site)
    known = expected.keys() & prices.keys()
    return Score(
        live=len(expected),
        known=len(known),
        priced=sum((prices[each] or 0) == (expected[each] or 0) for each in known),
        gone=len(prices.keys() - expected.keys()),
        requests=len(request_log.requests),
        rate=_rate(request_log),
        doubled=_doubled(request_log, market, checked),
    )


SitePlatformId = tuple[str, str]
"""A site and its own number of something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkScore:
    """How well entities are linked across sites."""

    things: int
    pairs: int
    right: int
    """Of the linked pairs, those that are the same entity."""


def score_links(web: SimServer, groups: Iterable[Sequence[SitePlatformId]]) -> LinkScore:
    """Compare the dataset's links with the true entities."""
    now = web.now()
    entities = [[web.sites[site].entity_of(number, now) for site, number in group] for group in groups]
    several = [group for group in entities if len(group) > 1]
    pairs = [pair for group in several for pair in combinations(group, 2)]
    right = sum(one == two != "" for one, two in pairs)
    return LinkScore(things=len(several), pairs=len(pairs), right=right)


def _expected(web: SimServer, market: Market) -> Mapping[str, int | None]:
    """All items of a site; if it has targets, those that still exist."""
    prices = web.sites[market.site].prices(web.now())
    if market.plan is not Plan.MONITOR:
        return prices
    monitored = {url.rpartition("/")[2].partition("-")[0] for url in target_urls(web, market)}
    return {name: price for name, price in prices.items() if name in monitored}


def _doubled(request_log: RequestLog, market: Market, checked: Mapping[str, int]) -> int:
    """Detail pages that were fetched again without need; targets and checks do not count."""
    if market.plan is Plan.MONITOR:
        return 0
    again, seen = Counter[str](), dict[str, datetime]()
    for request in request_log.requests:
        if request.method == "GET" and request.status == OK and f"/{_PATHS[market.kind]}/" in request.path:
            again[request.path] += request.path in seen and request.at - seen[request.path] < REFETCH_WINDOW
            seen[request.path] = request.at
    return sum(max(0, times - checked.get(path, 0)) for path, times in again.items())


def _rate(request_log: RequestLog) -> float:
    """Requests a second over the last seconds, by the clock of the log."""
    since = time.monotonic() - RATE_WINDOW_SECONDS
    return sum(request.arrived > since for request in request_log.requests) / RATE_WINDOW_SECONDS


def total_score(scores: Iterable[Score]) -> Score:
    """All markets together."""
    each = list(scores)
    return Score(**{one.name: sum(getattr(score, one.name) for score in each) for one in fields(Score)})
