"""So many requests a minute, in bursts of at most that many, and nobody is remembered for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy import request_limits
from larder.core.policy.request_limits import Limiter, TooMany


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def passed(limiter: Limiter, who: str = "ada") -> bool:
    try:
        limiter.take(who)
    except TooMany:
        return False
    return True


def test_a_burst_then_a_trickle() -> None:
    clock = Clock()
    limiter = Limiter(60, clock)
    assert [passed(limiter) for _ in range(61)] == [True] * 60 + [False]
    clock.now += 1
    assert [passed(limiter) for _ in range(2)] == [True, False]
    clock.now += 60
    assert sum(passed(limiter) for _ in range(100)) == 60


def test_it_says_when_to_come_back_and_that_is_true() -> None:
    clock = Clock()
    limiter = Limiter(6, clock)
    while passed(limiter):
        pass
    with pytest.raises(TooMany) as refused:
        limiter.take("ada")
    clock.now += refused.value.retry_after
    assert passed(limiter)


def test_one_caller_does_not_pay_for_another() -> None:
    limiter = Limiter(1, Clock())
    assert [passed(limiter, who) for who in ("ada", "bea", "ada")] == [True, True, False]


def test_no_limit() -> None:
    limiter = Limiter(0, Clock())
    assert all(passed(limiter) for _ in range(10_000))


def test_those_who_owe_nothing_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "REMEMBERED", 10)
    clock = Clock()
    limiter = Limiter(60, clock)
    for number in range(1_000):
        clock.now += 1
        limiter.take(f"caller {number}")
    assert len(limiter._paid) <= 11


@given(st.lists(st.floats(0, 30), max_size=200), st.integers(1, 50))
def test_no_minute_brings_more_than_a_burst_and_its_trickle(waits: list[float], a_minute: int) -> None:
    clock = Clock()
    limiter = Limiter(a_minute, clock)
    at: list[float] = []
    for wait in waits:
        clock.now += wait
        if passed(limiter):
            at.append(clock.now)
    for moment in at:
        assert sum(moment <= each < moment + 60 for each in at) <= 2 * a_minute
