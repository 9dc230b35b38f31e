"""May this be paid for?"""

from datetime import UTC, datetime

import pytest

from larder.core.model.source import Tier
from larder.core.policy.quota import Allowance, Quota, period_of

STATES = {
    "no allowance is known": (Quota(used=1e9), Allowance.PLENTY),
    "nothing used": (Quota(allowed=100), Allowance.PLENTY),
    "a fifth left": (Quota(used=80, allowed=100), Allowance.PLENTY),
    "less than a fifth left": (Quota(used=80.5, allowed=100), Allowance.SHORT),
    "used to the last": (Quota(used=100, allowed=100), Allowance.SPENT),
    "overdrawn": (Quota(used=130, allowed=100), Allowance.SPENT),
    "the provider said no before anything was counted": (Quota(used=0, allowed=0), Allowance.SPENT),
}


@pytest.mark.parametrize("case", STATES.values(), ids=STATES.keys())
def test_how_much_is_left(case: tuple[Quota, Allowance]) -> None:
    quota, state = case
    assert quota.state is state


@pytest.mark.parametrize(
    ("used", "served"),
    [(0, {Tier.HOT, Tier.STANDARD, Tier.COOL}), (90, {Tier.HOT}), (100, set())],
    ids=["plenty", "short: what goes stale fastest comes first", "spent"],
)
def test_who_is_served(used: float, served: set[Tier]) -> None:
    assert {tier for tier in Tier if Quota(used=used, allowed=100).serves(tier)} == served


def test_a_period_is_a_month() -> None:
    assert period_of(datetime(2026, 3, 31, 23, 59, tzinfo=UTC)) == "2026-03"
