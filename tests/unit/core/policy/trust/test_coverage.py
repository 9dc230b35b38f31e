import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.trust.coverage import Missed, missed, wilson


@pytest.mark.parametrize(
    ("unseen", "checked", "alive", "expected"),
    [
        pytest.param(0, 100, 5, Missed(estimate=0.0, low=0, high=0), id="everything was shown"),
        pytest.param(
            12, 0, 0, Missed(estimate=6.0, low=0, high=12), id="no checks yet: anything is possible"
        ),
        pytest.param(40, 400, 0, Missed(estimate=0.0, low=0, high=1), id="the unseen were always gone"),
        pytest.param(10, 50, 50, Missed(estimate=9.9, low=8, high=10), id="the unseen were always there"),
    ],
)
def test_what_a_pass_missed(unseen: int, checked: int, alive: int, expected: Missed) -> None:
    assert missed(unseen=unseen, checked=checked, alive=alive) == expected


@given(st.integers(0, 10_000), st.integers(0, 5_000), st.data())
def test_the_interval_holds_its_estimate_and_stays_possible(
    unseen: int, checked: int, data: st.DataObject
) -> None:
    alive = data.draw(st.integers(0, checked))
    guess = missed(unseen=unseen, checked=checked, alive=alive)
    assert 0 <= guess.low <= guess.estimate + 1
    assert guess.estimate - 1 <= guess.high <= unseen


@given(st.integers(0, 1_000), st.integers(1, 1_000))
def test_more_tries_make_the_interval_narrower(hits: int, tries: int) -> None:
    hits = min(hits, tries)
    low, high = wilson(hits, tries)
    closer_low, closer_high = wilson(hits * 100, tries * 100)
    assert 0 <= low <= high <= 1
    assert closer_high - closer_low < high - low
