from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.run import Trigger
from larder.core.policy.scheduling.priority import AGEING, claim_order, dispatch_priority, lane_rank

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def priority(
    days: float | None = 0, items_seen: int = 0, reliability: float = 0.0, failures: int = 0
) -> float:
    last_run_at = None if days is None else NOON - DAY * days
    return dispatch_priority(
        NOON, last_run_at=last_run_at, items_seen=items_seen, reliability=reliability, failures=failures
    )


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        pytest.param(priority(days=2), 20, id="ten a day"),
        pytest.param(priority(days=0.5), 5, id="half a day counts half"),
        pytest.param(priority(items_seen=300), 30, id="a tenth an item"),
        pytest.param(priority(items_seen=10**9), 50, id="at most fifty"),
        pytest.param(priority(reliability=0.8), 4, id="five for reliability"),
        pytest.param(priority(failures=3), -60, id="twenty off a failure"),
        pytest.param(priority(days=-1), 0, id="clock skew"),
        pytest.param(priority(days=1, items_seen=1000, reliability=1.0, failures=1), 45, id="all together"),
    ],
)
def test_the_formula(points: float, expected: float) -> None:
    assert points == pytest.approx(expected)


def test_a_new_source_goes_before_those_in_good_order() -> None:
    assert priority(days=None) > priority(days=1, items_seen=10**6, reliability=1.0)


@given(st.floats(0, 365), st.floats(0, 365))
def test_waiting_longer_never_lowers_it(one: float, two: float) -> None:
    assert priority(days=min(one, two)) <= priority(days=max(one, two))


@pytest.mark.parametrize("rank", range(1, 6))
def test_manual_comes_first_whatever_the_kind(rank: int) -> None:
    assert lane_rank(rank, Trigger.MANUAL) == 0
    assert all(lane_rank(rank, trigger) == rank for trigger in Trigger if trigger is not Trigger.MANUAL)


def test_born_together_the_rank_decides() -> None:
    assert claim_order(1, NOON) < claim_order(4, NOON)


def test_the_long_waiting_move_up() -> None:
    verification = claim_order(5, NOON)
    assert claim_order(1, NOON + 39 * MINUTE) < verification
    assert verification < claim_order(1, NOON + 41 * MINUTE)


@given(st.integers(0, 6), st.integers(0, 6), st.timedeltas(timedelta(0), DAY))
def test_nobody_starves(one: int, other: int, waited: timedelta) -> None:
    mine, newcomer = claim_order(one, NOON), claim_order(other, NOON + waited)
    assert (mine <= newcomer) == (waited >= AGEING * (one - other))
