"""Requests of one process keep apart on the wire when the process itself does not keep time."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from larder.core.model.job import Slot
from larder.core.model.site import Politeness
from larder.engine.worker.rate_limits import MIN_GAP, Pacer
from larder.store.queue.lanes import Lane

START = datetime(2026, 1, 5, tzinfo=UTC)
GAP = timedelta(milliseconds=200)
LANE = Lane(
    site_id=1,
    domain="homes.test",
    local=True,
    token=1,
    open_at=START,
    politeness=Politeness(spacing=GAP, spacing_max=GAP, at_once=2),
)


@dataclass
class Hitching:
    """A clock whose sleeps end late, each by its own hitch."""

    hitches: list[timedelta]
    moment: datetime = field(default=START)

    def now(self) -> datetime:
        return self.moment

    async def sleep_until(self, moment: datetime) -> None:
        self.moment = max(self.moment, moment) + self.hitches.pop(0)


def slot(number: int) -> Slot:
    opens = START + number * GAP
    return Slot(opens_at=opens, closes_at=opens + timedelta(seconds=1))


async def sent(*hitches: int) -> list[datetime]:
    """When the requests of consecutive slots went, after hitches of so many milliseconds."""
    clock = Hitching([timedelta(milliseconds=each) for each in hitches])
    pacer = Pacer(clock)
    return [clock.now() for number in range(len(hitches)) if await pacer.turn(LANE, slot(number))]


async def test_without_a_hitch_each_goes_when_its_slot_opens() -> None:
    assert await sent(0, 0, 0) == [START, START + GAP, START + 2 * GAP]


async def test_after_a_hitch_the_next_waits_for_the_one_before() -> None:
    late, following, *_ = await sent(150, 0, 0)
    assert late == START + timedelta(milliseconds=150)
    assert following == late + GAP * MIN_GAP


async def test_lateness_is_caught_up_little_by_little() -> None:
    went = await sent(100, *[0] * 20)
    assert went[-1] == START + 20 * GAP
    assert min(b - a for a, b in pairwise(went)) == GAP * MIN_GAP


async def test_a_slot_that_closed_meanwhile_is_missed() -> None:
    assert len(await sent(0, 0, 2500, 0, 0)) == 2


class Standing:
    """A clock at which nothing comes to pass."""

    def now(self) -> datetime:
        return START

    async def sleep_until(self, moment: datetime) -> None:  # noqa: ARG002
        await asyncio.Event().wait()


async def test_who_stops_waits_for_no_slot_and_takes_no_other() -> None:
    pacer = Pacer(Standing())
    waiting = [asyncio.create_task(pacer.turn(LANE, slot(number))) for number in (1, 2, 3)]
    await asyncio.sleep(0)
    pacer.stop()
    assert await asyncio.gather(*waiting) == [False, False, False]
    assert not await pacer.turn(LANE, slot(4))


async def test_who_is_cancelled_by_others_is_cancelled() -> None:
    waiting = asyncio.create_task(Pacer(Standing()).turn(LANE, slot(1)))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
