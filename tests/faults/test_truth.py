"""The short form of the proof of truth: how scores are judged, and one small site."""

import tempfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from larder.sim.benchmark.market_site import MarketRules
from larder.sim.benchmark.worlds import Classifieds
from tests.proofs.truth import World, beside_simple, with_as_many, with_few

FIXED = {
    "requests_per_day": 4_000.0,
    "error": 0.05,
    "recall": 0.999,
    "prices_captured": 0.97,
    "news_p50_min": 16.0,
    "news_p95_min": 29.0,
    "shown_gone": 0.049,
    "removal_p50_h": 26.0,
    "removal_p95_h": 40.0,
    "false_gone": 0.0,
    "price_stale_h": 3.0,
    "detail_fresh": 0.99,
    "flicker": 0.2,
}
GOOD = {
    **FIXED,
    "requests_per_day": 1_500.0,
    "error": 0.005,
    "news_p50_min": 4.0,
    "removal_p50_h": 2.0,
    "flicker": 0.0,
}


def test_scores_that_meet_every_goal_hold() -> None:
    assert [*with_few(GOOD, FIXED), *with_as_many(GOOD, FIXED), *beside_simple(GOOD, FIXED)] == []


@pytest.mark.parametrize(
    ("worse", "named"),
    [
        ({"requests_per_day": 1_700.0}, "few: requests 1700, at most 1600"),
        ({"error": 0.017}, "few: error 0.017, at most 0.016667"),
        ({"recall": 0.99}, "few: recall 0.99, at least 0.999"),
        ({"detail_fresh": 0.92}, "few: freshness of details 0.92, at least 0.93"),
    ],
    ids=str,
)
def test_a_goal_that_is_missed_is_named_with_its_figures(worse: Mapping[str, float], named: str) -> None:
    assert with_few({**GOOD, **worse}, FIXED) == [named]


def test_a_score_is_measured_once_for_a_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    site = Classifieds(rules=MarketRules(listings=100, arrivals_per_day=100 / 22.5))
    world = World(name="tiny", site=site, days=0.1, warm_up=timedelta(hours=1), seeds=(2,))
    (scores,) = world.scores("adaptive:200")
    assert scores["recall"] > 0.9
    (kept,) = tmp_path.glob("larder-truth-*/*.json")
    kept.write_text(kept.read_text().replace('"recall": ', '"recall": 1'))
    assert world.scores("adaptive:200")[0]["recall"] > 1
