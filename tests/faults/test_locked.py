"""A database that refuses to write for a while: who drives for ever waits; nothing is lost or doubled."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from larder.engine.work_items import NO_WAIT, BatchWait, FetchedWork, Work
from larder.engine.worker.database_retries import RetryingDatabase
from larder.engine.worker.spool import Spool
from larder.sim.virtual import run_inline
from larder.store.database import InlineDatabase
from tests.faults.clocks import EventfulClock
from tests.integration.engine.harness import MINUTE, START, Harness, small_site

STOCK = 12


class Locked:
    """A database that somebody else locks from a certain work on, until they are done."""

    def __init__(self, inner: InlineDatabase, *, at: int) -> None:
        self.inner = inner
        self.at = at
        self.works = 0
        self.free = False

    async def run(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.works += 1
        if self.works >= self.at and not self.free:
            error = sqlite3.OperationalError("database is locked")
            raise DBAPIError.instance("BEGIN IMMEDIATE", None, error, sqlite3.Error)
        return await self.inner.run(work, *args, **kwargs)

    async def read(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return await self.run(work, *args, **kwargs)

    async def close(self) -> None:
        """The one inside lives on."""


@dataclass(slots=True, kw_only=True)
class LateHands:
    """Fetch tasks that finish what is under way even when they are cancelled, as a network may."""

    inner: Any
    clock: EventfulClock
    came_late: list[FetchedWork] = field(default_factory=list)
    _left: list[FetchedWork] = field(default_factory=list)

    def start(self, work: Work) -> None:
        self.inner.start(work)

    def wake(self) -> None:
        self.inner.wake()

    def stop(self) -> None:
        self.inner.stop()

    async def cancel_all(self) -> None:
        while came := await self.inner.wait_finished(self.clock.now() + timedelta(seconds=2)):
            self._left += came
        self.came_late += self._left
        await self.inner.cancel_all()

    async def wait_finished(
        self,
        until: datetime,
        wait: BatchWait = NO_WAIT,  # noqa: ARG002
    ) -> Sequence[FetchedWork]:
        left, self._left = self._left, []
        return left or await self.inner.wait_finished(until)


@pytest.mark.parametrize("at", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("lasts", [timedelta(seconds=15), 10 * MINUTE], ids=["a moment", "minutes"])
def test_a_lock_is_outlasted_wherever_it_falls(at: int, lasts: timedelta, tmp_path: Path) -> None:
    clock = EventfulClock(START)
    harness = Harness(site=small_site(stock=STOCK), clock=clock)
    harness.add_source(policy={"discovery_every": 10**7})
    driver = harness.driver()
    locked = Locked(harness.database, at=at)
    driver.database = RetryingDatabase(locked, clock)
    driver.spool = Spool(tmp_path)
    clock.coming += [
        (START + lasts, lambda: setattr(locked, "free", True)),
        (START + 25 * MINUTE, driver.stop),
    ]
    run_inline(driver.run_forever())
    assert harness.ask("SELECT status, failed, inserted FROM runs") == [("completed", 0, STOCK)]
    assert harness.ask("SELECT DISTINCT status FROM jobs") == [("done",)]
    known = {row[0] for row in harness.ask("SELECT platform_id FROM records")}
    assert known == set(harness.site.classifieds.live(clock.now()))
    assert max(harness.fetches().values()) == 1, "what was fetched is not fetched again"
    assert list(tmp_path.iterdir()) == []


def test_what_had_come_when_the_database_went_waits_as_well(tmp_path: Path) -> None:
    """Pages that were fetched, but not yet taken by the driver when it had to stop."""
    clock = EventfulClock(START)
    harness = Harness(site=small_site(stock=STOCK), clock=clock)
    harness.add_source(policy={"discovery_every": 10**7})
    driver = harness.driver()
    locked = Locked(harness.database, at=8)
    driver.database = RetryingDatabase(locked, clock)
    driver.spool = Spool(tmp_path)
    late = LateHands(inner=driver.fetch_tasks, clock=clock)
    driver.fetch_tasks = late
    clock.coming += [
        (START + 5 * MINUTE, lambda: setattr(locked, "free", True)),
        (START + 25 * MINUTE, driver.stop),
    ]
    run_inline(driver.run_forever())
    assert late.came_late
    assert harness.ask("SELECT status, failed, inserted FROM runs") == [("completed", 0, STOCK)]
    assert max(harness.fetches().values()) == 1
