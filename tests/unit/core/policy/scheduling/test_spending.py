"""What a request is worth: intervals from a price, a price from a budget or a goal."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from larder.core.policy.scheduling.learned import Arrivals, Changes
from larder.core.policy.scheduling.spending import (
    MAX_INTERVAL,
    MIN_INTERVAL,
    UNKNOWN_PASS,
    Spending,
    SpendingPlan,
    Spent,
)

HOUR = timedelta(hours=1)
MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
BUSY = Arrivals(new=[33.0 * 7] * 24, hours=[7.0] * 24, runs=1000, pages=1100)
SITE = SpendingPlan(
    arrivals=BUSY,
    changes=Changes(found=50 * 160, hours=160, pages=6_000, second_looks=3_000),
    index_pages=200,
    spending=Spending(),
    rate=2,
)
"""A site with 18,000 listings, 800 a day of which are new."""


@pytest.mark.parametrize("budget", [1_400, 1_600, 2_500, 4_000])
def test_a_budget_is_spent_and_no_more(budget: int) -> None:
    plan = SITE.with_requests(budget)
    assert sum(plan.requests_per_day.values()) == pytest.approx(budget, rel=0.05)


def test_a_budget_pays_for_prices_that_rows_do_not_tell() -> None:
    known = Changes(found=8_000, hours=160, pages=6_000, second_looks=3_000, listed=540_000)
    unpriced = replace(SITE, changes=replace(known, repriced=101, detail_hours=119_500))
    for budget in (2_500, 4_000):
        plan, priced = unpriced.with_requests(budget), SITE.with_requests(budget)
        assert sum(plan.requests_per_day.values()) == pytest.approx(budget, rel=0.05)
        assert plan.requests_per_day["prices"] > 500
        assert plan.pass_every > priced.pass_every


@pytest.mark.parametrize(
    ("spent", "left"),
    [
        (Spent(requests=1_000), 500),
        (Spent(requests=1_000, checks=480), 20),
        (Spent(requests=1_200, checks=900), 0),
        (Spent(requests=100, checks=60), 900),
    ],
    ids=["a usual day", "a day of many checks", "too many", "after an outage"],
)
def test_checks_take_half_of_a_budget_or_what_is_left_of_it(spent: Spent, left: int) -> None:
    plan = replace(SITE, spending=Spending(requests_per_day=1_000), spent=spent)
    assert plan.checks_left == left
    assert replace(plan, spending=Spending()).checks_left is None
    assert replace(plan, spending=Spending(requests_per_day=30), spent=Spent(requests=30)).checks_left == 50


def test_a_higher_price_asks_less_and_leaves_more_wrong() -> None:
    prices = [replace(SITE, spending=Spending(price=price)) for price in (1, 5, 20)]
    spent = [sum(plan.requests_per_day.values()) for plan in prices]
    wrong = [sum(plan.wrong.values()) for plan in prices]
    assert spent == sorted(spent, reverse=True)
    assert wrong == sorted(wrong)


def test_a_goal_sets_the_time_of_a_pass() -> None:
    plan = replace(SITE, spending=Spending(verified_within_hours=12))
    assert plan.pass_every == pytest.approx(12 * HOUR, rel=1e-6)


def test_a_pass_ends_before_confidence_falls_below_the_line() -> None:
    quiet = replace(SITE, changes=Changes(hours=500), spending=Spending(price=10_000))
    assert quiet.pass_every == 18 * HOUR
    assert replace(quiet, rate=3).pass_every == 12 * HOUR


def test_a_sweep_of_a_slow_pass_reads_several_pages_at_once() -> None:
    """In an agenda rows move up as events end: read a page at a time, some were passed over by two passes."""
    slow = replace(SITE, changes=Changes(hours=500), spending=Spending(price=10_000))
    assert [replace(slow, index_pages=pages).sweep_pages for pages in (3, 10, 200, 1_800)] == [3, 5, 5, 20]


def test_no_sweep_of_a_pass_is_left_with_one_page() -> None:
    """What stood between pages 5 and 6 of six was seen to be gone by no sweep, as none read both."""
    slow = replace(SITE, changes=Changes(hours=500), spending=Spending(price=10_000))
    assert [replace(slow, index_pages=pages).sweep_pages for pages in (6, 9, 11, 201)] == [6, 9, 6, 6]


def test_nothing_known_of_an_index_gives_the_usual_pass_and_a_discovery_within_the_hour() -> None:
    new = replace(SITE, arrivals=Arrivals(), changes=Changes(), index_pages=0)
    assert new.pass_every == UNKNOWN_PASS
    assert MIN_INTERVAL < new.discovery_every(12) < HOUR


def test_a_budget_below_the_new_details_still_reads_the_index() -> None:
    plan = SITE.with_requests(400)
    assert plan.discovery_every(15) < MAX_INTERVAL
    assert plan.pass_every <= 24 * HOUR


def test_hours_with_more_arrivals_are_watched_more_closely() -> None:
    known = Arrivals()
    for day in range(7):
        for hour in range(24):
            since = MIDNIGHT + timedelta(days=day, hours=hour)
            new = 60 if 12 <= hour < 18 else 3
            known = known.after(since=since, until=since + HOUR, new=new, pages=2)
    plan = replace(SITE, arrivals=known)
    assert known.at(15) == pytest.approx(60, rel=0.1)
    assert known.at(3) == pytest.approx(3, rel=0.9)
    assert MIN_INTERVAL <= plan.discovery_every(15) < plan.discovery_every(3) / 2
    assert known.cost == pytest.approx(2, rel=0.05)


def test_one_odd_hour_is_not_believed_at_once() -> None:
    calm = Arrivals(new=[7.0] * 24, hours=[7.0] * 24)
    odd = calm.after(since=MIDNIGHT, until=MIDNIGHT + HOUR, new=30, pages=1)
    assert 1 < odd.at(0) < 10


def test_old_evidence_fades() -> None:
    known = Changes(found=1_000, hours=200)
    after = known.after(Changes(found=0, hours=100))
    assert after.per_hour < known.per_hour / 1.8


@pytest.mark.parametrize(
    ("spent", "aim"),
    [
        pytest.param(Spent(), 1_000, id="nothing is known"),
        pytest.param(Spent(hours=24, requests=1_000), 1_000, id="the budget was kept"),
        pytest.param(Spent(hours=24, requests=1_050), 850, id="5 % too much"),
        pytest.param(Spent(hours=12, requests=480), 1_060, id="a young source that saved a little"),
        pytest.param(Spent(hours=24, requests=1_900), 700, id="a day of many arrivals"),
        pytest.param(Spent(hours=3, requests=20_000), 1_000, id="the first read of a large site"),
        pytest.param(Spent(hours=24, requests=0), 1_400, id="after a pause"),
    ],
)
def test_what_was_spent_within_a_day_sets_what_is_aimed_at(spent: Spent, aim: float) -> None:
    assert spent.aim(1_000) == pytest.approx(aim)


def test_checks_take_their_part_of_a_budget() -> None:
    idle = SITE.with_requests(2_000)
    busy = replace(idle, spent=Spent(hours=24, requests=2_000, checks=500))
    assert busy.pass_every > idle.pass_every
    assert sum(busy.requests_per_day.values()) == pytest.approx(2_000, rel=0.05)
