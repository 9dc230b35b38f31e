"""Limits of runs: a source's own, else the deployment's, else the default."""

from pathlib import Path
from typing import Any

import pytest

from larder.core.errors import BadInput
from larder.core.policy.run_limits import LIMITS, check_limits, limit_of
from larder.core.policy.scheduling.spending import Spending
from larder.core.policy.trust.drift import FAILURE_RATE_MAX
from larder.core.policy.trust.verification import VerificationRules
from larder.engine.progress.selections import DETAIL_OLDER_THAN
from larder.runs import discovery, sweep
from larder.settings import Settings

HOUR = 3600
CATALOGUE = Path(__file__).resolve().parents[4] / "docs" / "reference" / "catalogue.md"


def test_l10_11_a_source_overrides_the_deployment_which_overrides_the_default() -> None:
    assert limit_of("sweep_overlap", {}) == 5
    assert limit_of("sweep_overlap", {}, {"sweep_overlap": 3}) == 3
    assert limit_of("sweep_overlap", {"sweep_overlap": 0}, {"sweep_overlap": 3}) == 0


@pytest.mark.parametrize(
    "given",
    [
        {"sweep_overlap": -1},
        {"sweep_pages": 0},
        {"stop_after": 2.5},
        {"strikes_to_gone": "two"},
        {"sweep_details": True},
        {"detail_refresh_hours": float("nan")},
        {"failure_rate_max": 1.5},
    ],
    ids=str,
)
def test_l10_11_a_limit_outside_its_range_is_refused_and_not_used(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(BadInput, match=name):
        check_limits(given)
    assert limit_of(name, given) == LIMITS[name].default


def test_l10_11_the_defaults_are_those_of_the_rules() -> None:
    rules = VerificationRules()
    assert {name: rule.default for name, rule in LIMITS.items()} == {
        "sweep_pages": sweep.PAGES,
        "sweep_overlap": sweep.OVERLAP,
        "sweep_details": sweep.DETAILS,
        "detail_refresh_hours": DETAIL_OLDER_THAN.total_seconds() / HOUR,
        "stop_after": discovery.STOP_AFTER,
        "request_price": Spending().price,
        "requests_per_day": Spending().requests_per_day,
        "verified_within_hours": Spending().verified_within_hours,
        "verified_percent": Spending().verified_percent,
        "strikes_to_gone": rules.strikes_to_gone,
        "strikes_apart_hours": rules.strikes_apart.total_seconds() / HOUR,
        "unseen_for_hours": rules.unseen_for.total_seconds() / HOUR,
        "alive_for_hours": rules.alive_for.total_seconds() / HOUR,
        "failure_rate_max": FAILURE_RATE_MAX,
    }


def test_l10_11_each_limit_of_a_deployment_is_a_setting_and_all_are_documented() -> None:
    assert {name for name, rule in LIMITS.items() if rule.deployment} <= set(Settings.fields())
    page = CATALOGUE.read_text()
    assert [name for name in LIMITS if f"| `{name}` |" not in page] == []
