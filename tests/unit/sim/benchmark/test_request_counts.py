"""Every request of a source with the plan adaptive is counted: pages, second looks, checks, retries."""

from collections import Counter
from datetime import datetime, timedelta

import pytest

from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.engine.work_items import Work
from larder.sim.benchmark.market_site import NAME, MarketRules, market
from larder.sim.benchmark.run import START
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.database import inline_database
from larder.store.queue import request_hours

HOUR = timedelta(hours=1)
RULES = MarketRules(
    listings=40, arrivals_per_day=40, rows_per_page=10, left_out=0.05, blocked=1 / 60, outage_every_days=0.3
)
KINDS = frozenset({RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION})


class CountedWeb:
    """A web that counts its requests by purpose and hour."""

    def __init__(self, web: SimWeb) -> None:
        self.web, self.made, self.failed = web, Counter[tuple[int, str]](), 0
        self.heads = 0

    def answer(self, work: Work, at: datetime) -> Fetched:
        self.made[int(at.timestamp() // 3600), work.job.request.purpose] += 1
        fetched = self.web(work, at)
        self.failed += not fetched.outcome.has_page
        return fetched

    def head(self, work: Work, at: datetime) -> Fetched:
        self.made[int(at.timestamp() // 3600), work.job.request.purpose] += 1
        self.heads += 1
        return self.web.head(work, at)

    def since(self, hour: int) -> Counter[str]:
        counted = Counter[str]()
        for (each, purpose), many in self.made.items():
            counted[purpose] += many if each >= hour else 0
        return counted


def keep(plan: Plan, hours: float) -> tuple[CountedWeb, VirtualLarder, int]:
    ends = START + hours * HOUR
    web = CountedWeb(SimWeb.of([market(RULES, seed=3, start=START, until=ends)]))
    larder = VirtualLarder(web.web, start=START, seed=3, database=inline_database(), kinds=KINDS)
    larder.fetch_tasks.answer, larder.fetch_tasks.head = web.answer, web.head
    source_id = larder.add_source(
        slug="market",
        kind="listing",
        url=f"http://{NAME}/listings",
        adapter="listing",
        currency="EUR",
        plan=plan,
        params={"requests_per_day": 200, "unseen_for_hours": 2, "alive_for_hours": 1},
        policy={"verification_every": 3600},
    )
    larder.run(ends)
    return web, larder, source_id


def test_each_request_is_counted_once() -> None:
    hours = 25 + 1 / 3
    web, larder, source_id = keep(Plan.ADAPTIVE, hours)
    now = START + hours * HOUR
    counted = web.since(int(now.timestamp() // 3600) - 23)
    assert set(counted) == {"index", "detail", "check"}
    assert web.failed > 10
    assert web.heads > 10
    spent = larder.database.now(request_hours.spent, source_id, now=now)
    assert spent.requests == sum(counted.values())
    assert spent.checks == counted["check"]
    first = min(hour for hour, _ in web.made if hour >= int(now.timestamp() // 3600) - 23)
    assert spent.hours == pytest.approx(now.timestamp() / 3600 - first)


def test_plans_without_a_budget_cost_no_counting() -> None:
    _, larder, source_id = keep(Plan.INDEX, 1)
    assert larder.database.now(request_hours.spent, source_id, now=START + HOUR).requests == 0
