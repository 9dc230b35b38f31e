"""Stays have the mean they were asked for, expiry included, and the young are removed first."""

from random import Random
from statistics import fmean

import pytest

from larder.sim.classifieds.lifetimes import Lifetimes


@pytest.mark.parametrize(("shape", "expiry"), [(1.0, None), (0.7, None), (0.7, 120.0)])
def test_the_mean_is_as_asked(shape: float, expiry: float | None) -> None:
    lives = Lifetimes.of(20.7, shape, expiry)
    chance = Random(1)
    stays = [lives.rest(chance) for _ in range(40_000)]
    assert fmean(stays) == pytest.approx(20.7, rel=0.03)
    assert expiry is None or max(stays) == expiry


def test_those_that_are_old_stay_longer_than_new_ones() -> None:
    lives = Lifetimes.of(20.7, 0.7, 120)
    chance = Random(1)
    new, old = (fmean(lives.rest(chance, age) for _ in range(20_000)) for age in (0, 30))
    assert old > new * 1.2


def test_ages_are_those_of_a_site_that_has_long_been_running() -> None:
    lives = Lifetimes.of(20.7, 0.7, 120)
    chance = Random(1)
    whole = [age + lives.rest(chance, age) for age in (lives.age(chance) for _ in range(20_000))]
    assert max(whole) <= 120 + 1e-6
    assert fmean(whole) > 20.7 * 1.5  # who is there now is more likely to stay long


def test_a_mean_beyond_the_expiry_is_refused() -> None:
    with pytest.raises(ValueError, match="not below the expiry"):
        Lifetimes.of(130, 0.7, 120)
