"""One process's memory of robots.txt: no request too many, nothing held too long, never too much."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from larder.stages.fetch.permit import Refusal
from larder.stages.fetch.robots import cache as robots_book
from larder.stages.fetch.robots.cache import LOOK_AGAIN, READ_INLINE, CompiledEntry, RobotsLookup
from larder.stages.fetch.robots.response import MemoryRobotsCache, RobotsAnswer, RobotsState

ORIGIN = "https://shop.test"


class HandClock:
    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    async def sleep_until(self, moment: datetime) -> None:
        self.moment = max(self.moment, moment)


class Web:
    """Answers, and counts how often it was asked."""

    def __init__(self, answer: RobotsAnswer | Refusal) -> None:
        self.answer = answer
        self.asked = 0

    async def __call__(self) -> RobotsAnswer | Refusal:
        self.asked += 1
        await asyncio.sleep(0)
        return self.answer


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def cache() -> MemoryRobotsCache:
    return MemoryRobotsCache()


def book(cache: MemoryRobotsCache, clock: HandClock) -> RobotsLookup:
    return RobotsLookup(cache, clock, agent="Larder", strict=True)


def answer(body: bytes = b"User-agent: *\nDisallow: /x", status: int = 200) -> RobotsAnswer:
    return RobotsAnswer(status=status, body=body)


async def state(of: RobotsLookup, web: Web, origin: str = ORIGIN) -> RobotsState:
    known = await of.look_up(origin, web)
    assert isinstance(known, CompiledEntry)
    return known.entry.state


async def test_it_is_asked_for_once_a_day(clock: HandClock, cache: MemoryRobotsCache) -> None:
    web, mine = Web(answer()), book(cache, clock)
    for _ in range(48):
        await state(mine, web)
        clock.moment += timedelta(hours=1)
    assert web.asked == 2


async def test_workers_share_what_one_of_them_learned(clock: HandClock, cache: MemoryRobotsCache) -> None:
    web = Web(answer())
    assert await state(book(cache, clock), web) is RobotsState.RULES
    assert await state(book(cache, clock), web) is RobotsState.RULES
    assert web.asked == 1


async def test_what_another_worker_learned_is_seen_in_minutes(
    clock: HandClock, cache: MemoryRobotsCache
) -> None:
    web, mine = Web(answer()), book(cache, clock)
    assert await state(mine, web) is RobotsState.RULES
    known = await cache.get(ORIGIN)
    assert known is not None
    await cache.put(ORIGIN, replace(known, state=RobotsState.CLOSED))
    assert await state(mine, web) is RobotsState.RULES
    clock.moment += LOOK_AGAIN
    assert await state(mine, web) is RobotsState.CLOSED
    assert web.asked == 1


async def test_all_who_wait_get_the_one_answer(clock: HandClock, cache: MemoryRobotsCache) -> None:
    web, mine = Web(answer()), book(cache, clock)
    states = await asyncio.gather(*(state(mine, web) for _ in range(50)))
    assert (set(states), web.asked) == ({RobotsState.RULES}, 1)


async def test_a_refusal_is_nobodys_knowledge(clock: HandClock, cache: MemoryRobotsCache) -> None:
    refusal = Refusal.wait("the lane is full", until=clock.now())
    web, mine = Web(refusal), book(cache, clock)
    assert await mine.look_up(ORIGIN, web) is refusal
    assert await cache.get(ORIGIN) is None
    web.answer = answer()
    assert await state(mine, web) is RobotsState.RULES


async def test_one_who_is_cancelled_leaves_the_way_free(clock: HandClock, cache: MemoryRobotsCache) -> None:
    async def hang() -> RobotsAnswer:
        await asyncio.Event().wait()
        return answer()

    mine = book(cache, clock)
    first = asyncio.create_task(mine.look_up(ORIGIN, hang))
    await asyncio.sleep(0)
    second = asyncio.create_task(state(mine, Web(answer())))
    first.cancel()
    assert await second is RobotsState.RULES


async def test_a_large_file_is_read_in_a_thread_with_the_same_result(
    clock: HandClock, cache: MemoryRobotsCache
) -> None:
    body = b"User-agent: *\nCrawl-delay: 9\n" + b"Disallow: /x\n" * READ_INLINE
    known = await book(cache, clock).look_up(ORIGIN, Web(answer(body)))
    assert isinstance(known, CompiledEntry)
    assert known.entry.crawl_delay == timedelta(seconds=9)
    assert not known.rules.allow(b"/x")


async def test_memory_is_bounded_by_size_and_by_number(
    clock: HandClock, cache: MemoryRobotsCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(robots_book, "MAX_HELD", 1_000)
    monkeypatch.setattr(robots_book, "MAX_ORIGINS", 10)
    mine = book(cache, clock)
    for number in range(100):
        size = 400 if number < 50 else 1
        await state(mine, Web(answer(b"#" * size)), f"https://{number}.test")
        assert mine._held <= 1_000
        assert len(mine._known) <= 10
    assert len(mine._known) == 10


async def test_l10_24_what_a_clock_ahead_left_behind_is_asked_for_again(
    clock: HandClock, cache: MemoryRobotsCache
) -> None:
    web, mine = Web(answer()), book(cache, clock)
    clock.moment += timedelta(days=30)
    await state(mine, web)
    clock.moment -= timedelta(days=30)
    await state(mine, web)
    assert web.asked == 2
