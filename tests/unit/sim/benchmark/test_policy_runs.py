"""A policy runs on the real engine: a small market for some hours, twice the same."""

import json
from dataclasses import asdict, fields, replace
from datetime import timedelta
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from larder.cli.sim.commands import app
from larder.cli.sim.frontier import frontier_svg
from larder.core.errors import BadInput
from larder.sim.benchmark.market_site import MarketRules
from larder.sim.benchmark.policies import policy
from larder.sim.benchmark.run import START, score_policy
from larder.sim.benchmark.scoring import PolicyScore
from larder.sim.benchmark.worlds import Classifieds, World, agenda, shop, world_named
from larder.sim.classifieds.state import ListingChange

SMALL = Classifieds(
    rules=MarketRules(listings=100, arrivals_per_day=40, rows_per_page=20, blocked=0, outages=False)
)
NAMED = [
    "policy",
    "seed",
    "requests_per_day",
    "news_p50_min",
    "news_p95_min",
    "recall",
    "shown_gone",
    "removal_p50_h",
    "removal_p95_h",
    "false_gone",
    "prices_captured",
    "price_stale_h",
    "detail_fresh",
    "error",
    "flicker",
]
"""Keys that others rely on."""


def small(name: str = "three-cron") -> PolicyScore:
    return score_policy(policy(name), days=0.25, seed=1, world=SMALL, warm_up=timedelta(hours=4))


@cache
def known() -> PolicyScore:
    """That of the usual policy, which several tests ask for."""
    return small()


def test_three_cron_finds_nearly_all_within_the_half_hour() -> None:
    score = known()
    assert score.recall > 0.97
    assert score.news_p50_min is not None
    assert 0 < score.news_p50_min < 31
    assert 0 < score.error < 0.2
    assert score.requests_per_day > 100
    assert small() == score


def test_exhaustive_asks_for_more() -> None:
    assert small("exhaustive").requests_per_day > known().requests_per_day * 1.1


def test_a_score_has_the_documented_keys() -> None:
    assert set(NAMED) <= {each.name for each in fields(PolicyScore)}


@pytest.mark.parametrize(("world", "name"), [(agenda, "agenda"), (shop, "monitor"), (shop, "adaptive:400")])
def test_an_agenda_and_a_shop_are_scored_by_their_own_truth(world: World, name: str) -> None:
    score = score_policy(policy(name), days=0.25, seed=1, world=world, warm_up=timedelta(hours=8))
    assert score.recall > 0.95
    assert score.error < 0.1
    assert score.false_gone == 0


def test_a_shop_scores_what_was_there_at_the_start() -> None:
    made = shop(seed=1, start=START, until=START + timedelta(days=1))
    assert set(made.monitored or ()) == set(made.site.prices(START))
    assert len(made.targets) == len(made.monitored or ())
    events = list(made.events(START, START + timedelta(days=1)))
    assert events == sorted(events, key=lambda event: event.at)
    assert all(START < event.at <= START + timedelta(days=1) for event in events)


def test_what_an_agenda_announces_and_takes_off_is_told_once() -> None:
    made, days = agenda(seed=1, start=START, until=START + timedelta(days=2)), timedelta(days=1)
    events = [*made.events(START, START + days), *made.events(START + days, START + 2 * days)]
    arrived = {event.listing.platform_id for event in events if event.what is ListingChange.ARRIVED}
    removed = {event.listing.platform_id for event in events if event.what is ListingChange.REMOVED}
    before, after = made.live(START).keys(), made.live(START + 2 * days).keys()
    assert after == (before | arrived) - removed
    assert len(arrived) + len(removed) == len(events)


def test_simple_takes_what_two_passes_did_not_show_for_absent() -> None:
    quick = replace(policy("simple"), source={"policy": {"discovery_every": 600, "sweep_every": 1800}})
    by_passes, by_none = (
        score_policy(setup, days=0.25, seed=1, world=SMALL, warm_up=timedelta(hours=4))
        for setup in (quick, replace(quick, absent_after_passes=0))
    )
    assert by_passes.removal_p50_h is not None
    assert by_passes.removal_p50_h < 3
    assert by_passes.shown_gone < by_none.shown_gone / 2


def test_an_unknown_world_and_a_policy_of_another_are_refused() -> None:
    with pytest.raises(BadInput, match="unknown world 'bazaar'"):
        world_named("bazaar")
    result = CliRunner().invoke(app, ["--world", "agenda", "--policy", "three-cron"])
    assert isinstance(result.exception, BadInput)
    assert "'three-cron' is not for this world" in str(result.exception)


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="unknown policy 'greedy'") as refused:
        policy("greedy")
    assert "three-cron" in str(refused.value.hint)


def test_seeds_that_are_no_numbers_are_refused() -> None:
    result = CliRunner().invoke(app, ["compare", "--seeds", "one"])
    assert isinstance(result.exception, BadInput)
    assert "'one' are not whole numbers" in str(result.exception)


def test_the_command_prints_one_json_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larder.cli.sim.commands.score_policy", lambda *_, **__: known())
    result = CliRunner().invoke(app, ["--policy", "three-cron", "--days", "1", "--json"])
    assert json.loads(result.stdout) == asdict(known())


def test_the_picture_has_a_point_for_each_score() -> None:
    values: dict[str, Any] = dict.fromkeys((each.name for each in fields(PolicyScore)), 0.1)
    score = PolicyScore(**{**values, "policy": "<one>", "requests_per_day": 900.0})
    drawn = ET.fromstring(frontier_svg([score, score]))
    titles = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["<one>, seed 0.1: 900 a day, error 10.00%"] * 2
