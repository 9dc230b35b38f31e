from datetime import timedelta

import pytest

from larder.core.policy.scheduling.stale import HEARTBEAT_LOST_AFTER, STALE_AFTER, STALE_ALERT_PAST, alerts

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(("jobs", "expected"), [(0, False), (100, False), (101, True)])
def test_many_stale_jobs_are_told(jobs: int, expected: bool) -> None:
    assert alerts(jobs) is expected


def test_the_numbers_of_spec() -> None:
    assert (30 * MINUTE, 24 * HOUR) == (HEARTBEAT_LOST_AFTER, STALE_AFTER)
    assert STALE_ALERT_PAST == 100
