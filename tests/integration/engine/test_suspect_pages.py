"""A page on which workers died before is parsed alone, and costs neither its lease nor other pages."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

import pytest
from sqlalchemy import text

from larder.core.model.job import SUSPECT_AFTER
from larder.engine.worker import parse_tasks
from tests.integration.engine.harness import MINUTE, START, Harness, LoggingFetchTasks, small_site

T = TypeVar("T")

LEASE = timedelta(seconds=30)
SUSPECTS = (5, 6)
"""Jobs, in the order in which they are fetched."""


@dataclass(slots=True, kw_only=True)
class SlowOnSuspects:
    """Parses beside the loop; a suspect takes five minutes."""

    harness: Harness
    slow: Sequence[str]
    running: int = 0
    most: int = 0
    held: list[bool] = field(default_factory=list)
    """Whether the lane's lease was valid, while a suspect was parsed."""
    others: int = 0
    """Jobs that had ended when the first suspect was ready."""
    concurrent = True

    async def run(self, task: Callable[[], T], *, pages: int = 1, affinity: int = 0) -> T:  # noqa: ARG002 - its shape
        asked: Any = task
        if asked.args[0].url in self.slow:
            self.running += 1
            self.most = max(self.most, self.running)
            await self._five_minutes()
            self.running -= 1
            self.others = self.others or len(self.harness.ask("SELECT id FROM jobs WHERE status = 'done'"))
        return task()

    async def _five_minutes(self) -> None:
        clock = self.harness.clock
        ends = clock.now() + 5 * MINUTE
        while clock.now() < ends:
            ((until,),) = self.harness.ask("SELECT lease_until FROM lanes")
            self.held.append(until > clock.now().timestamp() * 1_000_000)
            assert len(self.held) < 10_000, "the driver's loop waits for the page"
            await asyncio.sleep(0)

    def warm_up(self, *, events: bool = False) -> None:
        """It needs nothing."""

    async def close(self) -> None:
        """Nothing is open."""


class YieldingFetchTasks(LoggingFetchTasks):
    """Virtual time stands still while other tasks of the event loop take a step."""

    async def wait_finished(self, *until: Any) -> Any:
        for _ in range(10):
            await asyncio.sleep(0)
        return await super().wait_finished(*until)


@pytest.fixture(autouse=True)
def ready_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """That timer runs in real time."""
    monkeypatch.setattr(parse_tasks, "MAX_WAIT", 0)


def with_suspects() -> tuple[Harness, list[str]]:
    """A run whose index is read; workers died on two of its pages."""
    harness = Harness(site=small_site(stock=12, per_page=12), lease=LEASE)
    harness.add_source()
    harness.run(START + timedelta(seconds=3))
    listed = ", ".join(map(str, SUSPECTS))
    harness.do(lambda conn: conn.execute(text("UPDATE sites SET at_once = 8")).close())
    suspect = text(f"UPDATE jobs SET interruptions = {SUSPECT_AFTER} WHERE id IN ({listed})")
    harness.do(lambda conn: conn.execute(suspect).close())
    return harness, [url for (url,) in harness.ask(f"SELECT url FROM jobs WHERE id IN ({listed})")]


def drive(harness: Harness, runner: SlowOnSuspects, *, until: datetime) -> None:
    driver = harness.driver()
    driver.runner = driver._parse_tasks.runner = runner
    tasks = driver.fetch_tasks
    assert isinstance(tasks, LoggingFetchTasks)
    driver.fetch_tasks = YieldingFetchTasks(
        clock=harness.clock, answer=tasks.answer, library=tasks.library, log=harness.log
    )
    asyncio.run(driver.run(until=until))


def test_suspects_are_parsed_one_at_a_time_beside_other_pages_under_a_valid_lease() -> None:
    harness, slow = with_suspects()
    runner = SlowOnSuspects(harness=harness, slow=slow)
    drive(harness, runner, until=START + 20 * MINUTE)
    assert (runner.most, runner.others) == (1, 11)
    assert all(runner.held)
    assert harness.ask("SELECT DISTINCT status FROM jobs") == [("done",)]
    assert max(harness.fetches().values()) == 1


def test_a_stopping_driver_leaves_suspects_that_wait_for_their_turn_to_the_next() -> None:
    harness, slow = with_suspects()
    drive(harness, SlowOnSuspects(harness=harness, slow=slow), until=START + MINUTE)
    assert harness.clock.now() <= START + MINUTE + timedelta(seconds=6)
    listed = ", ".join(map(str, SUSPECTS))
    left = harness.ask(f"SELECT status, stage FROM jobs WHERE id IN ({listed})")
    assert left == [("pending", "parse")] * 2
    harness.run(START + 20 * MINUTE)
    assert harness.ask("SELECT DISTINCT status FROM jobs") == [("done",)]
    assert max(harness.fetches().values()) == 1
