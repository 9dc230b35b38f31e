"""A value is kept for twenty times as long as it took to compute."""

import asyncio

from larder.app.cost_cache import CostCache


class Machine:
    """A wall clock that work moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.done = 0

    async def work(self) -> int:
        self.now += 0.5
        self.done += 1
        return self.done


async def test_what_took_half_a_second_is_kept_for_ten() -> None:
    machine = Machine()
    kept = CostCache[int](lambda: machine.now)
    assert [await kept.get(machine.work), await kept.get(machine.work)] == [1, 1]
    machine.now += 9.9
    assert await kept.get(machine.work) == 1
    machine.now += 0.2
    assert await kept.get(machine.work) == 2


async def test_many_who_ask_at_once_wait_for_the_same_answer() -> None:
    machine = Machine()
    kept = CostCache[int](lambda: machine.now)
    assert await asyncio.gather(*(kept.get(machine.work) for _ in range(20))) == [1] * 20


async def test_what_cost_nothing_is_kept_for_the_least_time() -> None:
    machine = Machine()
    kept = CostCache[int](lambda: machine.now, least_seconds=20)
    await kept.get(machine.work)
    machine.now += 19.9
    assert await kept.get(machine.work) == 1
    machine.now += 0.2
    assert await kept.get(machine.work) == 2
