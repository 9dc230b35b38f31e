"""When an undelivered message is tried again, and when that is hopeless."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.core.policy.delivery import GIVEN_UP_AFTER, REFUSALS, Undelivered, retry_at, retry_wait

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DOWN = Undelivered(error="it could not be reached")
REFUSED = Undelivered(error="it answered 400", refused=True)


@pytest.mark.parametrize(
    ("attempts", "seconds"), [(1, 10), (2, 20), (3, 40), (9, 2560), (10, 3600), (11, 3600), (10_000, 3600)]
)
def test_waits_double_up_to_an_hour(attempts: int, seconds: int) -> None:
    assert retry_wait(attempts) == seconds * SECOND
    assert retry_at(DOWN, attempts=attempts, written_at=NOW, now=NOW) == NOW + seconds * SECOND


@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        pytest.param(90, 90, id="more time is given"),
        pytest.param(1, 10, id="less makes us no hastier"),
        pytest.param(86_400, 3600, id="but never more than an hour"),
    ],
)
def test_whoever_asks_for_time_gets_it(asked: int, waits: int) -> None:
    limited = Undelivered(error="it answered 429", retry_after=asked * SECOND)
    assert retry_at(limited, attempts=1, written_at=NOW, now=NOW) == NOW + waits * SECOND


def test_a_channel_that_is_down_is_waited_for_a_week() -> None:
    assert timedelta(days=7) == GIVEN_UP_AFTER
    almost = NOW + GIVEN_UP_AFTER - SECOND
    assert retry_at(DOWN, attempts=170, written_at=NOW, now=almost) is not None
    assert retry_at(DOWN, attempts=171, written_at=NOW, now=NOW + GIVEN_UP_AFTER) is None


def test_a_message_that_is_refused_is_given_up_sooner() -> None:
    assert REFUSALS == 10
    assert retry_at(REFUSED, attempts=REFUSALS - 1, written_at=NOW, now=NOW) is not None
    assert retry_at(REFUSED, attempts=REFUSALS, written_at=NOW, now=NOW) is None
    assert retry_at(DOWN, attempts=REFUSALS, written_at=NOW, now=NOW) is not None
