"""A lane has one driver; whoever lost it can do no harm; its requests are spaced, whoever sends them."""

from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, update

from larder.core.model.site import Politeness
from larder.store.queue import jobs, lane_reads, lanes, ready_jobs
from larder.store.queue.lanes import Lane
from larder.store.queue.site_limits import HORIZON
from larder.store.tables import lanes as table
from tests.contract.world import HOUR, NOW, SECOND, enqueue, one, rows, run, site, source, unit_of_work

LEASE = timedelta(seconds=30)


def take(conn: Connection, owner: str = "a", *, at: timedelta = timedelta(0), most: int = 64) -> list[Lane]:
    return lanes.lease(conn, owner=owner, now=NOW + at, ttl=LEASE, limit=most)


def held(conn: Connection, lane: Lane, owner: str = "a", *, at: timedelta = timedelta(0)) -> bool:
    tokens = {lane.site_id: lane.token}
    return lanes.renew(conn, tokens, owner=owner, now=NOW + at, ttl=LEASE) == {lane.site_id}


@unit_of_work
def test_a_lane_with_nothing_to_do_is_left_alone(conn: Connection) -> None:
    site(conn)
    assert take(conn) == []
    assert lane_reads.next_look_at(conn, owner="a", now=NOW) is None
    lanes.wake(conn, {1: NOW + SECOND})
    assert take(conn) == []
    assert lane_reads.next_look_at(conn, owner="a", now=NOW) == NOW + SECOND
    assert [lane.site_id for lane in take(conn, at=SECOND)] == [1]


@unit_of_work
def test_waking_never_puts_a_look_off(conn: Connection) -> None:
    site(conn)
    lanes.wake(conn, {1: NOW})
    lanes.wake(conn, {1: NOW + HOUR})
    assert lane_reads.next_look_at(conn, owner="a", now=NOW) == NOW


@unit_of_work
def test_a_leased_lane_is_nobody_elses_until_the_lease_runs_out(conn: Connection) -> None:
    site(conn)
    lanes.wake(conn, {1: NOW})
    (mine,) = take(conn, "a")
    assert take(conn, "b") == []
    assert take(conn, "b", at=LEASE - SECOND) == []
    (theirs,) = take(conn, "b", at=LEASE)
    assert theirs.token > mine.token
    assert not held(conn, mine, "a", at=LEASE)
    assert held(conn, theirs, "b", at=LEASE)


@unit_of_work
def test_whoever_drives_on_keeps_the_token_and_whoever_overslept_gets_a_new_one(conn: Connection) -> None:
    site(conn)
    lanes.wake(conn, {1: NOW})
    (first,) = take(conn)
    (again,) = take(conn, at=LEASE / 2)
    assert again.token == first.token
    (late,) = take(conn, at=2 * LEASE)
    assert late.token == first.token + 1
    assert not held(conn, first, at=2 * LEASE)


@unit_of_work
def test_the_fence_renews_what_it_lets_through(conn: Connection) -> None:
    site(conn)
    lanes.wake(conn, {1: NOW})
    (mine,) = take(conn)
    assert held(conn, mine, at=LEASE - SECOND)
    assert take(conn, "b", at=LEASE + SECOND) == []
    assert held(conn, mine, at=5 * LEASE), "a lease that ran out and that nobody took is still ours"


@unit_of_work
def test_another_owner_does_not_pass_the_fence_with_the_right_token(conn: Connection) -> None:
    site(conn)
    lanes.wake(conn, {1: NOW})
    (mine,) = take(conn, "a")
    assert not held(conn, mine, "b")


@unit_of_work
def test_jobs_of_a_dead_driver_are_free_and_remember_it(conn: Connection) -> None:
    enqueue(conn, run(conn, source(conn)), ["a", "b"])
    (lane,) = take(conn, "a")
    jobs.claim(
        conn,
        [jobs.ClaimedJob(job, lane.token, None) for job in ready_jobs.list_ready(conn, 1, now=NOW, limit=1)],
        now=NOW,
    )
    lanes.schedule_next(conn, [lanes.LaneTimes(1, NOW, NOW)])
    take(conn, "b", at=LEASE)
    freed = ready_jobs.list_ready(conn, 1, now=NOW, limit=10)
    assert [(job.request.url, job.interruptions) for job in freed] == [("a", 1), ("b", 0)]


@unit_of_work
def test_a_living_drivers_jobs_are_not_freed(conn: Connection) -> None:
    enqueue(conn, run(conn, source(conn)), ["a"])
    (lane,) = take(conn)
    jobs.claim(
        conn,
        [jobs.ClaimedJob(job, lane.token, None) for job in ready_jobs.list_ready(conn, 1, now=NOW, limit=1)],
        now=NOW,
    )
    take(conn, at=LEASE / 2)
    assert rows(conn, "SELECT status, interruptions FROM jobs") == [("running", 0)]


@pytest.mark.parametrize("how", ["release", "release_all"])
@unit_of_work
def test_after_the_end_of_a_driver_its_lanes_are_looked_at_at_once(conn: Connection, how: str) -> None:
    """Also a lane that had nothing left in line: what was under way must be found."""
    enqueue(conn, run(conn, source(conn)), ["a"])
    (lane,) = take(conn)
    jobs.claim(
        conn,
        [jobs.ClaimedJob(job, lane.token, None) for job in ready_jobs.list_ready(conn, 1, now=NOW, limit=1)],
        now=NOW,
    )
    lanes.schedule_next(conn, [lanes.LaneTimes(1, NOW, None)])
    lanes.release(conn, "a", now=NOW) if how == "release" else lanes.release_all(conn)
    (next_one,) = take(conn, "b")
    assert next_one.token > lane.token
    assert [job.request.url for job in ready_jobs.list_ready(conn, 1, now=NOW, limit=1)] == ["a"]


@unit_of_work
def test_a_clean_end_is_no_interruption(conn: Connection) -> None:
    enqueue(conn, run(conn, source(conn)), ["a"])
    (lane,) = take(conn)
    jobs.claim(
        conn,
        [jobs.ClaimedJob(job, lane.token, None) for job in ready_jobs.list_ready(conn, 1, now=NOW, limit=1)],
        now=NOW,
    )
    lanes.release(conn, "a", now=NOW)
    assert rows(conn, "SELECT status, interruptions FROM jobs") == [("pending", 0)]


@unit_of_work
def test_one_driver_does_not_release_anothers_lanes(conn: Connection) -> None:
    site(conn)
    site(conn, "flats.test")
    lanes.wake(conn, {1: NOW})
    (mine,) = take(conn, "a")
    lanes.wake(conn, {2: NOW})
    take(conn, "b")
    lanes.release(conn, "b", now=NOW)
    assert held(conn, mine, "a")


@unit_of_work
def test_next_look_counts_lanes_that_a_dead_driver_may_have_left(conn: Connection) -> None:
    site(conn)
    lanes.wake(conn, {1: NOW})
    take(conn, "a")
    assert lane_reads.next_look_at(conn, owner="b", now=NOW) == NOW + LEASE
    assert lane_reads.next_look_at(conn, owner="a", now=NOW) == NOW


@unit_of_work
def test_the_longest_due_are_taken_first(conn: Connection) -> None:
    for i in range(1, 6):
        site(conn, f"site{i}.test")
        lanes.wake(conn, {i: NOW - i * SECOND})
    assert sorted(lane.site_id for lane in take(conn, most=2)) == [4, 5]


@unit_of_work
def test_a_cooling_site_opens_when_its_pause_is_over_and_pauses_only_grow(conn: Connection) -> None:
    site(conn)
    lanes.wake(conn, {1: NOW})
    lanes.set_cooldown(conn, 1, until=NOW + HOUR, reason="answered 429")
    lanes.set_cooldown(conn, 1, until=NOW + SECOND, reason="shorter")
    (lane,) = take(conn)
    assert lane.open_at == NOW + HOUR
    assert lanes.upcoming_slots(lane, now=NOW, limit=5, rng=Random(0)) == ([], NOW + HOUR)
    assert one(conn, "SELECT cooling_reason FROM lanes") == "answered 429"


@unit_of_work
def test_slots_outside_a_claim_are_spaced_with_all_others(conn: Connection) -> None:
    site(conn, spacing_ms=2000)
    slots = [lanes.reserve(conn, 1, now=NOW, rng=Random(0)) for _ in range(3)]
    assert [slot.opens_at for slot in slots] == [NOW, NOW + 2 * SECOND, NOW + 4 * SECOND]
    lanes.wake(conn, {1: NOW})
    (lane,) = take(conn)
    assert lane.open_at == NOW + 6 * SECOND


@unit_of_work
def test_nobody_reserves_a_slot_in_a_pause(conn: Connection) -> None:
    site(conn)
    lanes.set_cooldown(conn, 1, until=NOW + HOUR, reason="answered 503")
    assert lanes.reserve(conn, 1, now=NOW, rng=Random(0)).opens_at == NOW + HOUR


@pytest.mark.parametrize(
    ("row", "spacing", "widest", "at_once"),
    [
        pytest.param({}, 2, 2, 1, id="gentle unless told otherwise"),
        pytest.param({"preset": "classifieds"}, 0.5, 2, 2, id="classifieds"),
        pytest.param({"preset": "crawler"}, 1, 1, 5, id="crawler"),
        pytest.param({"spacing_ms": 200, "at_once": 4}, 0.2, 0.2, 4, id="an operator's own"),
        pytest.param(
            {"spacing_ms": 200, "spacing_max_ms": 50}, 0.2, 0.2, 1, id="a maximum below the minimum"
        ),
        pytest.param({"crawl_delay_ms": 10_000}, 10, 10, 1, id="a larger crawl-delay wins"),
        pytest.param({"crawl_delay_ms": 100}, 2, 2, 1, id="a smaller one does not"),
        pytest.param({"preset": "classifieds", "crawl_delay_ms": 1000}, 1, 2, 2, id="within a random range"),
    ],
)
@unit_of_work
def test_manners_follow_from_preset_operator_and_site(
    conn: Connection, row: dict[str, Any], spacing: float, widest: float, at_once: int
) -> None:
    site(conn, **row)
    lanes.wake(conn, {1: NOW})
    (lane,) = take(conn)
    expected = Politeness(spacing=spacing * SECOND, spacing_max=widest * SECOND, at_once=at_once)
    assert lane.politeness == expected


@unit_of_work
def test_time_that_went_back_does_not_shut_a_lane(conn: Connection) -> None:
    """A clock set back by a day leaves `open_at` a day ahead; no request was ever sent that late."""
    site(conn)
    lanes.wake(conn, {1: NOW})
    conn.execute(update(table).values(open_at=NOW + 24 * HOUR))
    (lane,) = take(conn)
    assert lane.open_at <= NOW + 2 * HORIZON


@given(
    spacing=st.integers(1, 5_000),
    extra=st.integers(0, 3_000),
    most=st.integers(0, 12),
    open_in=st.integers(-5_000, 5_000),
    seed=st.integers(0, 5),
)
def test_slots_are_spaced_bounded_and_within_the_horizon(
    spacing: int, extra: int, most: int, open_in: int, seed: int
) -> None:
    ms = timedelta(milliseconds=1)
    politeness = Politeness(spacing=spacing * ms, spacing_max=(spacing + extra) * ms, at_once=9)
    lane = Lane(
        site_id=1, domain="x", local=False, token=1, open_at=NOW + open_in * ms, politeness=politeness
    )
    slots, opens = lanes.upcoming_slots(lane, now=NOW, limit=most, rng=Random(seed))
    starts = [slot.opens_at for slot in slots] + [opens]
    assert len(slots) <= most
    assert all(NOW <= slot.opens_at <= NOW + HORIZON for slot in slots)
    assert all(lane.open_at <= start for start in starts)
    gaps = [after - before for before, after in pairwise(starts)]
    assert all(politeness.spacing <= gap <= politeness.spacing_max + ms for gap in gaps)
    assert all(slot.closes_at > slot.opens_at for slot in slots)


@unit_of_work
def test_after_a_release_the_lane_that_waits_longest_is_first(conn: Connection) -> None:
    for number in (1, 2):
        site(conn, f"s{number}.test")
        lanes.wake(conn, {number: NOW})
    first = lanes.lease(conn, owner="a", now=NOW, ttl=LEASE, limit=1)
    lanes.release(conn, "a", now=NOW + SECOND)
    second = lanes.lease(conn, owner="b", now=NOW + SECOND, ttl=LEASE, limit=1)
    assert {lane.site_id for lane in (*first, *second)} == {1, 2}
