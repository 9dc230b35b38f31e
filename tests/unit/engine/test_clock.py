"""A clock that can skip hours: sleepers wake when it is their time, and not before."""

import asyncio
from datetime import timedelta

from larder.engine.clock import SkippingClock

HOUR = timedelta(hours=1)


async def test_a_skip_moves_its_time_and_nobody_elses() -> None:
    clock = SkippingClock()
    before = clock.now()
    clock.skip(HOUR)
    assert HOUR <= clock.now() - before < HOUR + timedelta(minutes=1)
    assert clock.skipped == HOUR


async def test_who_sleeps_wakes_when_their_hour_was_skipped() -> None:
    clock = SkippingClock()
    soon, later = (asyncio.create_task(clock.sleep_until(clock.now() + n * HOUR)) for n in (1, 3))
    clock.skip(2 * HOUR)
    await soon
    assert not later.done()
    clock.skip(2 * HOUR)
    await later


async def test_what_has_passed_is_not_waited_for() -> None:
    clock = SkippingClock()
    await clock.sleep_until(clock.now() - HOUR)
    assert clock.skipped == timedelta(0)
