"""A policy runs on the real engine: a small market for some hours, twice the same."""

import json
from dataclasses import asdict, fields
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
from larder.sim.benchmark.run import score_policy
from larder.sim.benchmark.scoring import PolicyScore

SMALL = MarketRules(listings=100, arrivals_per_day=40, rows_per_page=20, blocked=0, outages=False)
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
    return score_policy(policy(name), days=0.25, seed=1, rules=SMALL, warm_up=timedelta(hours=4))


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
