from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.scheduling.backpressure import (
    ALERT_AFTER,
    PAUSE_MAX,
    PENDING_IN_ALL,
    PENDING_PER_SITE,
    Accepted,
    Backoff,
    Pending,
    Rejected,
    Rejection,
    admit,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("of_site", "in_all", "sites", "jobs", "accepted"),
    [
        pytest.param(0, 0, 1, 1, True, id="empty"),
        pytest.param(999, 9_999, 10, 1, True, id="the last place"),
        pytest.param(1_000, 1_000, 1, 1, False, id="this site's queue is full"),
        pytest.param(0, 10_000, 11, 1, True, id="all queues are full, and this site holds nothing of them"),
        pytest.param(900, 10_000, 11, 10, False, id="all queues are full, and this site holds its share"),
        pytest.param(9, 10_000, 1_000, 1, True, id="one job below the share of a thousand sites"),
        pytest.param(10, 10_000, 1_000, 1, False, id="the share of a thousand sites"),
        pytest.param(0, 10_000, 10_001, 1, False, id="more sites than jobs that may be pending"),
        pytest.param(950, 950, 1, 50, True, id="a page of rows just fits"),
        pytest.param(951, 951, 1, 50, False, id="all or none"),
        pytest.param(5_000, 50_000, 10, 1, False, id="a limit that was lowered"),
    ],
)
def test_l10_9_room(of_site: int, in_all: int, sites: int, jobs: int, accepted: bool) -> None:
    answer = admit(Pending(of_site=of_site, in_all=in_all, sites=sites), jobs=jobs)
    if accepted:
        assert answer == Accepted()
    else:
        assert isinstance(answer, Rejected)
        assert answer.reason is Rejection.QUEUE_FULL
        assert answer.retry_after > timedelta(0)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 1_500)), min_size=1, max_size=400))
def test_l10_9_what_is_accepted_stays_below_twice_the_total(asked: list[tuple[int, int]]) -> None:
    """Below the total anybody is accepted; above it every site up to its equal share of it."""
    pending: dict[int, int] = {}
    for site, jobs in asked:
        sites = len(pending | {site: 0})
        found = Pending(of_site=pending.get(site, 0), in_all=sum(pending.values()), sites=sites)
        if isinstance(admit(found, jobs=jobs), Accepted):
            pending[site] = found.of_site + jobs
    assert all(held <= PENDING_PER_SITE for held in pending.values())
    assert sum(pending.values()) <= 2 * PENDING_IN_ALL


def tick(backoff: Backoff, now: datetime, accepted: int, rejected: int) -> Backoff:
    return backoff.ticked(now, accepted=accepted, rejected=rejected, retry_after=MINUTE)


@pytest.mark.parametrize(
    ("accepted", "rejected", "paused"),
    [
        pytest.param(5, 5, False, id="half is not more than half"),
        pytest.param(4, 5, True, id="more than half"),
        pytest.param(0, 1, True, id="all of them"),
        pytest.param(0, 0, False, id="nothing was due"),
    ],
)
def test_when_scheduling_pauses(accepted: int, rejected: int, paused: bool) -> None:
    backoff = tick(Backoff(), NOON, accepted, rejected)
    assert backoff.paused(NOON) is paused
    assert not backoff.paused(NOON + MINUTE)


def test_pauses_double_up_to_an_hour_and_a_good_tick_ends_them() -> None:
    backoff, now, pauses = Backoff(), NOON, []
    for _ in range(8):
        backoff = tick(backoff, now, 0, 1)
        pauses.append(backoff.pause // MINUTE)
        now += backoff.pause
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
    assert tick(backoff, now, 1, 0) == Backoff()


def test_a_tick_with_nothing_due_says_nothing() -> None:
    backoff = tick(Backoff(), NOON, 0, 1)
    assert tick(backoff, NOON + MINUTE, 0, 0) == backoff


def test_more_than_half_an_hour_of_it_is_worth_an_alert() -> None:
    backoff, now = Backoff(), NOON
    while now <= NOON + ALERT_AFTER:
        backoff = tick(backoff, now, 0, 1)
        assert not backoff.overdue(now)
        now += backoff.pause
    backoff = tick(backoff, now, 0, 1)
    assert backoff.overdue(now)
    assert not tick(backoff, now, 1, 0).overdue(now)
    assert not backoff.overdue(now + PAUSE_MAX)


def test_half_an_hour_is_not_yet_longer_than_half_an_hour() -> None:
    backoff = Backoff(pause=PAUSE_MAX, since=NOON, until=NOON + PAUSE_MAX)
    assert not backoff.overdue(NOON + ALERT_AFTER)
    assert backoff.overdue(NOON + ALERT_AFTER + MINUTE)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=30), st.timedeltas(timedelta(0)))
def test_a_pause_never_lasts_longer_than_an_hour(
    ticks: list[tuple[int, int]], retry_after: timedelta
) -> None:
    backoff, now = Backoff(), NOON
    for accepted, rejected in ticks:
        backoff = backoff.ticked(now, accepted=accepted, rejected=rejected, retry_after=retry_after)
        assert timedelta(0) <= backoff.pause <= PAUSE_MAX
        if rejected > accepted:
            assert backoff.paused(now)
        now += backoff.pause


def test_the_numbers_of_spec() -> None:
    assert (PENDING_PER_SITE, PENDING_IN_ALL) == (1_000, 10_000)
    assert (60 * MINUTE, 30 * MINUTE) == (PAUSE_MAX, ALERT_AFTER)
