"""Runs a policy on the benchmark's site in virtual time and scores it."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.sim.benchmark.market_site import NAME, MarketRules, market
from larder.sim.benchmark.policies import PolicySetup
from larder.sim.benchmark.scoring import PolicyScore, Scorer
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.database import inline_database
from larder.store.reads import shown_records

START = datetime(2026, 3, 2, tzinfo=UTC)
WARM_UP = timedelta(days=3)
"""The first pass through the site is not scored."""
STEP = timedelta(minutes=15)
Progress = Callable[[float], None]
"""Told how far a run is, from 0 to 1."""


@dataclass(slots=True)
class _CountedWeb:
    """A web that counts its requests by the hour."""

    web: SimWeb
    hours: Counter[int] = field(default_factory=Counter)

    def answer(self, work: Work, at: datetime) -> Fetched:
        self.hours[int(at.timestamp() // 3600)] += 1
        return self.web(work, at)

    def head(self, work: Work, at: datetime) -> Fetched:
        self.hours[int(at.timestamp() // 3600)] += 1
        return self.web.head(work, at)


def score_policy(
    setup: PolicySetup,
    *,
    days: float,
    seed: int,
    rules: MarketRules | None = None,
    warm_up: timedelta = WARM_UP,
    progress: Progress | None = None,
) -> PolicyScore:
    """Let the policy keep the dataset for these days, after a warm-up, and compare it with the truth."""
    begins = START + warm_up
    ends = begins + timedelta(days=days)
    site = market(rules or MarketRules(), seed=seed, start=START, until=ends)
    larder, web = _larder(setup, SimWeb.of([site]), seed)
    source_id = larder.add_source(
        slug="market",
        kind="listing",
        url=f"http://{NAME}/listings",
        adapter="listing",
        currency="EUR",
        plan=setup.plan,
        **setup.source,
    )
    scorer = Scorer(step=STEP)
    for before, at in _steps(START, ends):
        larder.run(at)
        if at <= begins:
            continue
        scorer.happened(site.classifieds.events(before, at))
        records = larder.database.now(shown_records.list_shown, source_id, now=at)
        scorer.sample(at, site.classifieds.live(at), records)
        if progress is not None:
            progress((at - START) / (ends - START))
    first_hour = int(begins.timestamp() // 3600)
    return scorer.result(
        policy=setup.name,
        seed=seed,
        requests={hour: count for hour, count in web.hours.items() if hour >= first_hour},
        seen=larder.database.now(shown_records.list_seen, source_id),
        prices=larder.database.now(shown_records.list_prices, source_id, since=begins),
        until=ends,
    )


def _larder(setup: PolicySetup, sites: SimWeb, seed: int) -> tuple[VirtualLarder, _CountedWeb]:
    larder = VirtualLarder(sites, start=START, seed=seed, database=inline_database(), kinds=setup.kinds)
    web = _CountedWeb(sites)
    larder.fetch_tasks.answer, larder.fetch_tasks.head = web.answer, web.head
    return larder, web


def _steps(start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Pairs of moments, one step apart."""
    at = start
    while at < end:
        yield at, at + STEP
        at += STEP
