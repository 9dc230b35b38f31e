from datetime import UTC, datetime, timedelta

import pytest

from larder.core.policy.stall import (
    HEARTBEAT_LOST_AFTER,
    STALE_AFTER,
    STALE_ALERT_PAST,
    alerts,
    has_stalled,
    is_stale,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("heartbeat", "parked", "expected"),
    [
        pytest.param(-30 * MINUTE, None, False, id="half an hour is allowed"),
        pytest.param(-31 * MINUTE, None, True, id="silent for longer"),
        pytest.param(-9 * HOUR, 2 * HOUR, False, id="parked until later"),
        pytest.param(-9 * HOUR, -30 * MINUTE, False, id="just about to wake up"),
        pytest.param(-9 * HOUR, -31 * MINUTE, True, id="never woke up"),
        pytest.param(-MINUTE, -9 * HOUR, False, id="parked long ago and alive"),
        pytest.param(MINUTE, None, False, id="clock skew"),
    ],
)
def test_stalled_runs(heartbeat: timedelta, parked: timedelta | None, expected: bool) -> None:
    parked_until = None if parked is None else NOON + parked
    assert has_stalled(NOON + heartbeat, NOON, parked_until=parked_until) is expected


@pytest.mark.parametrize(("waited", "expected"), [(24 * HOUR, False), (24 * HOUR + MINUTE, True)])
def test_stale_jobs(waited: timedelta, expected: bool) -> None:
    assert is_stale(NOON - waited, NOON) is expected


@pytest.mark.parametrize(("jobs", "expected"), [(0, False), (100, False), (101, True)])
def test_many_stale_jobs_are_told(jobs: int, expected: bool) -> None:
    assert alerts(jobs) is expected


def test_the_numbers_of_spec() -> None:
    assert (30 * MINUTE, 24 * HOUR) == (HEARTBEAT_LOST_AFTER, STALE_AFTER)
    assert STALE_ALERT_PAST == 100
