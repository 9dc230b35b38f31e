from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.scheduling.targets import (
    FAILURES_TO_BROKEN,
    HASTE_MAX,
    HASTY_GAP_MIN,
    INTERVAL,
    PRIORITY,
    RECHECK_EVERY,
    TargetState,
    TargetStatus,
    from_ten_scale,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)


def failing(times: int) -> TargetState:
    standing = TargetState()
    for _ in range(times):
        standing = standing.failed()
    return standing


@pytest.mark.parametrize(("failures", "status"), [(4, TargetStatus.ACTIVE), (5, TargetStatus.BROKEN)])
def test_five_failures_in_a_row_break_a_target(failures: int, status: TargetStatus) -> None:
    assert failing(failures).status is status


def test_a_success_breaks_the_row() -> None:
    assert failing(4).succeeded().failed().status is TargetStatus.ACTIVE


def test_a_broken_target_is_rechecked_weekly_until_it_works() -> None:
    broken = failing(5)
    assert broken.next_due_at(NOON) == NOON + WEEK
    assert broken.failed().next_due_at(NOON) == NOON + WEEK
    assert broken.succeeded() == TargetState()


def test_a_target_keeps_its_interval() -> None:
    assert TargetState().next_due_at(NOON) == NOON + DAY
    assert TargetState().next_due_at(NOON, interval=HOUR) == NOON + HOUR


def test_or_its_calendar() -> None:
    tea_time = NOON + 4 * HOUR
    assert TargetState().next_due_at(NOON, calendar=lambda _: tea_time) == tea_time
    hasty = TargetState().succeeded(price_changed=True)
    assert hasty.next_due_at(NOON, calendar=lambda _: tea_time) == NOON + 2 * HOUR


def test_price_changes_bring_the_next_look_closer_and_calm_takes_it_back() -> None:
    standing, gaps = TargetState(), []
    for changed in (True, True, True, True, False, False, False, False):
        standing = standing.succeeded(price_changed=changed)
        gaps.append((standing.next_due_at(NOON) - NOON) / HOUR)
    assert gaps == [12, 6, 3, 3, 6, 12, 24, 24]


def test_haste_never_makes_a_target_busier_than_every_quarter_of_an_hour() -> None:
    hasty = TargetState(haste=HASTE_MAX)
    assert hasty.next_due_at(NOON, interval=HOUR) == NOON + HASTY_GAP_MIN


def test_but_a_shorter_interval_is_kept_as_asked_for() -> None:
    minute = timedelta(minutes=1)
    assert TargetState(haste=HASTE_MAX).next_due_at(NOON, interval=minute) == NOON + minute


def test_a_failure_ends_the_haste() -> None:
    assert TargetState(haste=2).failed().haste == 0


def test_a_stale_target_that_is_looked_at_is_active_again() -> None:
    stale = TargetState(status=TargetStatus.STALE)
    assert stale.succeeded().status is TargetStatus.ACTIVE
    assert stale.failed().status is TargetStatus.ACTIVE


def test_a_pause_is_a_persons_word() -> None:
    paused = TargetState(status=TargetStatus.PAUSED)
    assert paused.succeeded().status is TargetStatus.PAUSED
    assert paused.failed().status is TargetStatus.PAUSED


events = st.lists(st.sampled_from(["changed", "same", "failed"]), max_size=40)


@given(events, st.timedeltas(timedelta(seconds=1), timedelta(days=60)))
def test_whatever_happens_the_next_look_lies_ahead(history: list[str], interval: timedelta) -> None:
    standing = TargetState()
    for event in history:
        standing = (
            standing.failed() if event == "failed" else standing.succeeded(price_changed=event == "changed")
        )
        gap = standing.next_due_at(NOON, interval=interval) - NOON
        assert 0 <= standing.haste <= HASTE_MAX
        if standing.status is TargetStatus.BROKEN:
            assert (standing.failures >= FAILURES_TO_BROKEN, gap) == (True, RECHECK_EVERY)
        else:
            assert timedelta(0) < gap <= interval


@pytest.mark.parametrize(("given_", "turned"), [(1, 9), (10, 0), (4, 6)])
def test_one_as_the_highest_is_turned_round(given_: int, turned: int) -> None:
    assert from_ten_scale(given_) == turned


@pytest.mark.parametrize("off", [0, 11, -3])
def test_off_the_scale_is_refused(off: int) -> None:
    with pytest.raises(ValueError, match="scale from 1 to 10"):
        from_ten_scale(off)


def test_the_numbers_of_spec() -> None:
    assert (INTERVAL, PRIORITY, FAILURES_TO_BROKEN, RECHECK_EVERY) == (DAY, 0, 5, WEEK)
