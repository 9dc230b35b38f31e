import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.trust.price_jumps import FACTORS, is_decimal_slip


@pytest.mark.parametrize(
    ("before", "after", "slip"),
    [
        pytest.param(1999, 199900, True, id="cents read as whole"),
        pytest.param(129900, 130, True, id="a thousands point read as a decimal one, rounded"),
        pytest.param(129900, 12990, True, id="a digit lost"),
        pytest.param(129900, 129900, False, id="the same"),
        pytest.param(129900, 64950, False, id="half the price"),
        pytest.param(129900, 13900, False, id="a deep cut to other digits"),
        pytest.param(0, 1000, False, id="from nothing"),
        pytest.param(100, 1_000_000, False, id="ten thousand times"),
    ],
)
def test_which_changes_are_slips(before: int, after: int, slip: bool) -> None:
    assert is_decimal_slip(before, after) is slip
    assert is_decimal_slip(after, before) is slip


@given(st.integers(1, 10**8), st.sampled_from(FACTORS))
def test_every_moved_point_is_one(price: int, factor: int) -> None:
    assert is_decimal_slip(price, price * factor)
