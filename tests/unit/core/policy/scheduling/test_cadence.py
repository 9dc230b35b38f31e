from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.scheduling import cadence
from larder.core.policy.scheduling.cadence import daily_at, weekly_at

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
ZONES = ["UTC", "Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"]

moments = st.timedeltas(timedelta(days=-7000), timedelta(days=7000)).map(lambda each: NOON + each)
zones = st.sampled_from(ZONES)
walls = st.times().map(lambda each: each.replace(microsecond=0))


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param("2026-01-10T04:59:59+00:00", "2026-01-10T05:00:00+00:00", id="winter"),
        pytest.param("2026-01-10T05:00:00+00:00", "2026-01-11T05:00:00+00:00", id="strictly after"),
        pytest.param("2026-07-10T03:00:00+00:00", "2026-07-10T04:00:00+00:00", id="summer"),
        pytest.param(
            "2026-03-28T12:00:00+00:00", "2026-03-29T04:00:00+00:00", id="the night that loses an hour"
        ),
        pytest.param("2026-10-24T12:00:00+00:00", "2026-10-25T05:00:00+00:00", id="the night that wins one"),
    ],
)
def test_six_in_amsterdam(after: str, expected: str) -> None:
    moment = daily_at(time(6), "Europe/Amsterdam", datetime.fromisoformat(after))
    assert moment == datetime.fromisoformat(expected)
    assert moment.tzinfo is UTC


def test_an_hour_that_is_left_out_is_made_up_for() -> None:
    moment = daily_at(time(2, 30), "Europe/Amsterdam", datetime(2026, 3, 29, tzinfo=UTC))
    assert moment == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_an_hour_that_comes_twice_counts_once() -> None:
    first = daily_at(time(2, 30), "Europe/Amsterdam", datetime(2026, 10, 24, 12, tzinfo=UTC))
    assert first == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert daily_at(time(2, 30), "Europe/Amsterdam", first) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


@given(moments, zones, walls)
def test_a_daily_moment_lies_ahead_and_within_two_days(after: datetime, tz: str, wall: time) -> None:
    moment = daily_at(wall, tz, after)
    assert after < moment <= after + timedelta(hours=49)


@given(moments, st.sampled_from(["Europe/Amsterdam", "America/New_York", "Asia/Kolkata"]))
def test_the_clock_on_the_wall_shows_it(after: datetime, tz: str) -> None:
    moment = daily_at(time(6), tz, after)
    assert moment.astimezone(ZoneInfo(tz)).time() == time(6)
    assert moment - after <= 25 * HOUR


@given(moments, zones)
def test_scouting_is_for_sunday_morning(after: datetime, tz: str) -> None:
    moment = weekly_at(cadence.SUNDAY, cadence.SCOUT_AT, tz, after)
    local = moment.astimezone(ZoneInfo(tz))
    assert after < moment <= after + timedelta(days=9)
    assert (local.weekday(), local.hour) == (6, 3 if _exists(local.replace(hour=3)) else 4)


def _exists(wall: datetime) -> bool:
    """Clocks that go forward leave an hour out; what was due in it comes an hour later."""
    return wall.astimezone(UTC).astimezone(wall.tzinfo).hour == wall.hour


def test_the_numbers_of_spec() -> None:
    assert (timedelta(seconds=10), MINUTE) == (cadence.TICK_EMBEDDED, cadence.TICK_DISTRIBUTED)
    assert timedelta(seconds=60) == cadence.STAGGER
    assert time(7) == cadence.SUMMARY_AT
    assert (time(3), time(3)) == (cadence.SCOUT_AT, cadence.MAINTENANCE_AT)
