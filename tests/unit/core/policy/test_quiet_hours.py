"""When a channel is left in peace."""

from datetime import datetime

import pytest

from larder.core.policy.quiet_hours import read_quiet_hours


@pytest.mark.parametrize(
    ("hours", "wall", "quiet"),
    [
        pytest.param("22:00-07:00", "23:30", True, id="before midnight"),
        pytest.param("22:00-07:00", "06:59", True, id="after midnight"),
        pytest.param("22:00-07:00", "07:00", False, id="the end is not quiet"),
        pytest.param("12:00-13:00", "12:30", True, id="at noon"),
        pytest.param("12:00-13:00", "23:30", False, id="not at night"),
    ],
)
def test_quiet_hours(hours: str, wall: str, quiet: bool) -> None:
    now = datetime.fromisoformat(f"2026-03-02T{wall}:00+01:00")
    assert read_quiet_hours(hours, "Europe/Amsterdam").cover(now) is quiet


@pytest.mark.parametrize("given", ["", "22:00", "22-", "25:00-07:00", "a-b"])
def test_what_are_no_quiet_hours_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="two times of day"):
        read_quiet_hours(given, "UTC")
