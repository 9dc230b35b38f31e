"""What index pages tell about records that they do not show, on the real engine in virtual time."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.engine.verification import absence
from larder.sim.benchmark.market_site import NAME, MarketRules, MarketSite, market
from larder.sim.faults import Fault, FaultKind
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.stages.persist import PageItems
from larder.store.database import micros
from larder.store.dataset.positions import ExpectedRecord

START = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
CALM = MarketRules(
    listings=100,
    arrivals_per_day=5,
    rows_per_page=20,
    reappearing=0,
    left_out=0,
    blocked=0,
    outages=False,
)
"""Rows come, go, are bumped and promoted; none is left out and none comes back."""


INDEX_RUNS = frozenset({RunKind.DISCOVERY, RunKind.SWEEP})
ALL_RUNS = INDEX_RUNS | {RunKind.VERIFICATION}


class Watched:
    """A market that a source with the plan `adaptive` reads."""

    def __init__(
        self,
        rules: MarketRules = CALM,
        plan: Plan = Plan.ADAPTIVE,
        requests: int = 500,
        kinds: frozenset[RunKind] = INDEX_RUNS,
        policy: Mapping[str, int] | None = None,
        **params: Any,
    ) -> None:
        self.site: MarketSite = market(rules, seed=3, start=START, until=START + 48 * HOUR)
        self.larder = VirtualLarder(SimWeb.of([self.site]), start=START, seed=3, kinds=kinds)
        self.larder.add_source(
            slug="market",
            kind="listing",
            url=f"http://{NAME}/listings",
            adapter="listing",
            currency="EUR",
            plan=plan,
            params={"requests_per_day": requests, "details": False, **params},
            policy=policy,
        )

    def run(self, hours: float) -> None:
        self.larder.run(START + hours * HOUR)

    def names(self, condition: str) -> set[str]:
        sql = f"SELECT platform_id FROM records WHERE {condition}"
        return set(self.larder.database.now(lambda conn: conn.exec_driver_sql(sql).scalars().all()))

    def checked(self) -> list[str]:
        """The addresses of records that were checked at their own page."""
        sql = "SELECT url FROM jobs WHERE purpose = 'check'"
        return list(self.larder.database.now(lambda conn: conn.exec_driver_sql(sql).scalars().all()))

    def live(self, hours: float) -> set[str]:
        return set(self.site.classifieds.live(START + hours * HOUR))

    def hidden_live(self, *hours: int) -> list[str]:
        """Those that were hidden at each of these hours although they were there."""
        found: list[str] = []
        for hour in hours:
            self.run(hour)
            found += self.names("active = 0") & self.live(hour)
        return found


def test_what_two_looks_do_not_show_is_not_shown_and_never_called_gone() -> None:
    market = Watched()
    market.run(24)
    before = market.live(3) - market.live(20)
    assert before
    assert len(before & market.names("verification = 'unseen'")) >= 0.8 * len(before)
    unseen = market.names("verification = 'unseen'")
    assert len(unseen & market.live(24)) <= 1
    assert not market.names("verification = 'gone'")
    assert market.names("active = 0") == unseen
    told = market.larder.database.now(
        lambda conn: conn.exec_driver_sql("SELECT count(*) FROM changes WHERE change = 'unseen'").scalar_one()
    )
    assert told >= len(unseen)


def test_a_record_that_is_seen_again_is_shown_again() -> None:
    market = Watched()
    market.run(8)
    name = next(iter(market.names("active = 1") & market.live(20)))
    hide = f"UPDATE records SET active = 0, verification = 'unseen' WHERE platform_id = '{name}'"
    market.larder.database.now(lambda conn: conn.exec_driver_sql(hide))
    market.run(14)
    assert name in market.names("active = 1 AND verification IS NULL AND deactivated_at IS NULL")


@pytest.mark.parametrize("kind", [FaultKind.EMPTY, FaultKind.CUT, FaultKind.LOST, FaultKind.LIMITED])
def test_an_outage_hides_nothing(kind: FaultKind) -> None:
    market = Watched()
    market.run(6)
    hidden = market.names("verification = 'unseen'")
    market.site.faults.append(Fault(kind=kind, since=START + 6 * HOUR, until=START + 10 * HOUR))
    market.run(10)
    assert market.names("verification = 'unseen'") - hidden <= market.names("1 = 1") - market.live(10)


def test_what_was_bumped_is_not_hidden_before_the_top_of_the_index_was_read() -> None:
    rules = replace(CALM, listings=400, arrivals_per_day=20)
    market = Watched(rules, requests=100, policy={"discovery_every": 8 * 3600})
    assert market.hidden_live(*range(8, 40, 2)) == []
    assert market.names("verification = 'unseen'")


@pytest.mark.parametrize(("arrivals", "requests"), [(80, 500), (150, 300)])
def test_pages_of_new_rows_after_an_outage_stand_above_the_others(arrivals: int, requests: int) -> None:
    market = Watched(replace(CALM, listings=300, arrivals_per_day=arrivals), requests=requests)
    market.site.faults.append(Fault(kind=FaultKind.CUT, since=START + 12 * HOUR, until=START + 20 * HOUR))
    assert market.hidden_live(*range(20, 32)) == []


def test_almost_every_record_has_a_position_after_the_first_passes() -> None:
    rules = MarketRules(listings=1_200, arrivals_per_day=60, rows_per_page=12, blocked=0, outages=False)
    market = Watched(rules, requests=1_000)
    market.run(12)
    assert len(market.names("active = 1 AND index_position IS NULL")) < 0.04 * 1_200


def test_where_rows_are_left_out_often_it_takes_more_looks_to_hide_a_record() -> None:
    market = Watched(replace(CALM, listings=300, left_out=0.1), requests=3_000)
    assert len(market.hidden_live(*range(12, 24))) < 0.001 * 12 * 300
    assert market.names("verification = 'unseen'")


def test_what_a_slow_pass_has_not_reached_yet_is_not_checked_at_its_own_address() -> None:
    rules = replace(CALM, listings=400)
    market = Watched(rules, requests=60, kinds=ALL_RUNS, unseen_for_hours=6)
    market.run(48)
    assert len(market.checked()) < 100


def test_what_was_missed_at_its_place_is_left_to_further_looks() -> None:
    never = {"discovery_every": 48 * 3600, "sweep_every": 48 * 3600}
    market = Watched(kinds=ALL_RUNS, policy=never, unseen_for_hours=1)
    market.run(1)
    missed, *others = sorted(market.names("active = 1"))
    miss = f"UPDATE records SET missed_at = last_seen_at + 1 WHERE platform_id = '{missed}'"
    market.larder.database.now(lambda conn: conn.exec_driver_sql(miss))
    market.run(12)
    checked = " ".join(market.checked())
    assert [name for name in (missed, *others) if name not in checked] == [missed]


@pytest.mark.parametrize(
    ("last_of_page_before", "missing"),
    [(2, [0, 1]), (0, []), (9, [])],
    ids=["two between", "none between", "the page before was not read by this run"],
)
def test_what_stood_between_two_pages_that_a_run_has_just_read_is_missed(
    last_of_page_before: int, missing: list[int]
) -> None:
    market = Watched()
    market.run(6)
    sql = "SELECT id, index_position FROM records WHERE index_position IS NOT NULL ORDER BY index_position"
    (_, top), *above = market.larder.database.now(lambda conn: conn.exec_driver_sql(sql).all())
    seen = (
        f"UPDATE records SET seen_by_run = CASE id WHEN {above[last_of_page_before][0]} THEN 999 ELSE 1 END"
    )
    market.larder.database.now(lambda conn: conn.exec_driver_sql(seen))
    page = cast("PageItems", SimpleNamespace(source=SimpleNamespace(id=1), run_id=999, number=2))
    found = market.larder.database.now(lambda conn: absence._missing_above(conn, page, top))
    assert [row.id for row in found] == [above[place][0] for place in missing]


def test_what_only_the_second_look_at_a_page_misses_is_left_to_the_next_pass() -> None:
    """It was seen minutes before: it is left out rather than removed. Two such misses hid a listing a day."""
    market = Watched()
    market.run(24)
    read_at = START + 24 * HOUR
    page = cast("PageItems", SimpleNamespace(source=SimpleNamespace(id=1), fetched_at=read_at))
    missed = [
        ExpectedRecord(hours, hours, micros(read_at - hours * HOUR), None, None, None) for hours in (0, 12)
    ]
    noted = market.larder.database.now(lambda conn: absence._not_just_seen(conn, page, missed))
    assert [row.id for row in noted] == [12]


def test_an_index_without_a_stable_order_hides_nothing() -> None:
    market = Watched(replace(CALM, stable_order=False))
    market.run(24)
    assert not market.names("verification = 'unseen'")


def test_rows_that_are_left_out_for_minutes_do_not_flicker() -> None:
    rules = MarketRules(
        listings=100, arrivals_per_day=5, rows_per_page=20, left_out=0.02, blocked=0, outages=False
    )
    market = Watched(rules)
    wrong = 0
    for hours in range(6, 18):
        market.run(hours)
        wrong += len(market.names("active = 0") & market.live(hours))
    assert wrong / 12 / 100 < 0.01


def test_the_plan_index_concludes_nothing_from_index_pages() -> None:
    market = Watched(plan=Plan.INDEX)
    market.run(24)
    assert not market.names("verification = 'unseen' OR index_position IS NOT NULL OR missed_at IS NOT NULL")
