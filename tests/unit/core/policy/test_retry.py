from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.outcome import FetchOutcome
from larder.core.policy.retry import (
    ACTOR_RETRY_TIMEOUT,
    ACTOR_TIMEOUT,
    ATTEMPTS,
    FIRST_WAIT,
    MAX_WAIT,
    RETRY_STATUSES,
    ActorFault,
    RetryAfter,
    actor_retry,
    dead_letter_retry,
    fetch_retry,
    fetch_wait,
    incomplete_row_due_at,
    is_transient,
)

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
TIMEOUT = 30 * SECOND

chances = st.floats(0, 1, exclude_max=True)


def again(
    outcome: FetchOutcome,
    status: int | None = None,
    *,
    attempt: int = 1,
    chance: float = 0.0,
    retry_after: timedelta | None = None,
) -> RetryAfter | None:
    return fetch_retry(
        outcome, status, attempt=attempt, timeout=TIMEOUT, chance=chance, retry_after=retry_after
    )


@pytest.mark.parametrize(
    ("outcome", "status", "expected"),
    [
        *(pytest.param(FetchOutcome.ERROR, status, True, id=str(status)) for status in (500, 502, 503, 504)),
        pytest.param(FetchOutcome.BLOCKED, 429, True, id="limited"),
        pytest.param(FetchOutcome.ERROR, None, True, id="connection lost"),
        pytest.param(FetchOutcome.TIMEOUT, None, True, id="timeout"),
        pytest.param(FetchOutcome.BLOCKED, 403, False, id="a refusal is for the ladder"),
        pytest.param(FetchOutcome.BLOCKED, 200, False, id="a captcha is for the ladder"),
        pytest.param(FetchOutcome.ERROR, 501, False, id="not implemented"),
        pytest.param(FetchOutcome.ERROR, 400, False, id="our own mistake"),
        pytest.param(FetchOutcome.DNS_ERROR, None, False, id="no such name"),
        pytest.param(FetchOutcome.TLS_ERROR, None, False, id="bad certificate"),
        pytest.param(FetchOutcome.NOT_FOUND, 404, False, id="not found"),
        pytest.param(FetchOutcome.GONE, 410, False, id="gone"),
        pytest.param(FetchOutcome.ROBOTS_BLOCKED, None, False, id="robots"),
        pytest.param(FetchOutcome.TOO_LARGE, 200, False, id="too large"),
        pytest.param(FetchOutcome.OK, 200, False, id="ok"),
        pytest.param(FetchOutcome.NOT_MODIFIED, 304, False, id="not modified"),
    ],
)
def test_what_may_pass(outcome: FetchOutcome, status: int | None, expected: bool) -> None:
    assert is_transient(outcome, status) is expected
    assert (again(outcome, status) is not None) is expected


def test_three_attempts_and_no_more() -> None:
    tries = [again(FetchOutcome.ERROR, 503, attempt=attempt) for attempt in (1, 2, 3)]
    assert [each and each.wait for each in tries] == [SECOND, 2 * SECOND, None]


def test_a_timeout_is_given_twice_the_time() -> None:
    assert again(FetchOutcome.TIMEOUT) == RetryAfter(wait=SECOND, timeout=2 * TIMEOUT)
    assert again(FetchOutcome.ERROR, 500) == RetryAfter(wait=SECOND, timeout=TIMEOUT)


@pytest.mark.parametrize(
    ("asked", "waited"),
    [(timedelta(0), SECOND), (5 * SECOND, 5 * SECOND), (HOUR, HOUR)],
    ids=["at once is still not before our own wait", "obeyed", "obeyed past our longest wait"],
)
def test_retry_after(asked: timedelta, waited: timedelta) -> None:
    tried = again(FetchOutcome.BLOCKED, 429, retry_after=asked)
    assert tried is not None
    assert tried.wait == waited


@given(st.integers(1, 1000), chances)
def test_a_wait_is_never_shorter_than_its_step_nor_longer_than_the_longest(
    attempt: int, chance: float
) -> None:
    plain = fetch_wait(attempt, 0.0)
    assert FIRST_WAIT <= plain <= fetch_wait(attempt, chance) <= MAX_WAIT
    assert fetch_wait(attempt, chance) <= 1.5 * plain


@given(st.integers(1, 100))
def test_waits_grow(attempt: int) -> None:
    assert fetch_wait(attempt, 0.0) <= fetch_wait(attempt + 1, 0.0)


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        (ActorFault.TIMEOUT, [0, 0]),
        (ActorFault.LIMITED, [300, 300, 300]),
        (ActorFault.SERVER, [60, 120, 240]),
        (ActorFault.NETWORK, [30, 60, 120]),
    ],
)
def test_the_table_of_actors(fault: ActorFault, waits: list[int]) -> None:
    tries = [actor_retry(fault, faults=nth) for nth in range(1, len(waits) + 2)]
    assert [each and each.wait for each in tries] == [*(SECOND * wait for wait in waits), None]


def test_an_actor_that_timed_out_gets_twice_the_time_both_times() -> None:
    first = actor_retry(ActorFault.TIMEOUT, faults=1)
    second = actor_retry(ActorFault.TIMEOUT, faults=2, timeout=ACTOR_RETRY_TIMEOUT)
    assert first == second == RetryAfter(wait=timedelta(0), timeout=1200 * SECOND)


def test_dead_letters_wait_longer_each_time_and_then_for_a_person() -> None:
    assert [dead_letter_retry(retries) for retries in range(5)] == [HOUR, 2 * HOUR, 4 * HOUR, None, None]


def test_the_numbers_of_spec() -> None:
    assert ATTEMPTS == 3
    assert (FIRST_WAIT, MAX_WAIT) == (SECOND, 30 * SECOND)
    assert {429, 500, 502, 503, 504} == RETRY_STATUSES
    assert (ACTOR_TIMEOUT, ACTOR_RETRY_TIMEOUT) == (600 * SECOND, 1200 * SECOND)


@pytest.mark.parametrize(("reads", "hours"), [(1, 6), (2, 12), (3, 24), (6, 168), (60, 168)], ids=str)
def test_the_page_of_an_incomplete_row_is_read_ever_more_rarely(reads: int, hours: int) -> None:
    read_at = datetime(2026, 1, 5, tzinfo=UTC)
    assert incomplete_row_due_at(reads, read_at) == read_at + timedelta(hours=hours)
