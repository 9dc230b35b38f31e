"""Killed somewhere and started again, on either database: nothing missing, doubled or fetched twice."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import ParamSpec, TypeVar

import pytest

from larder import adapters
from larder.engine.clock import VirtualClock
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import Worker
from larder.engine.worker.driver import Driver
from larder.engine.worker.fetch_tasks import NetworkFetchTasks
from larder.sim.virtual import SimWeb
from larder.store.database import Database, UnitOfWork
from larder.store.queue import sources
from tests.contract.world import MINUTE, rows
from tests.integration.engine.harness import START, Killed, LoggingFetchTasks, MemoryBlobs, small_site

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Mortal:
    """Dies at its n-th unit of work: on odd ones before it begins, on even ones after its commit."""

    inner: Database
    dies_at: int | None
    works: int = 0
    dead: bool = False

    async def run(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        self.works += 1
        self.dead |= self.works == self.dies_at and self.works % 2 == 1
        if self.dead:
            raise Killed
        result = await self.inner.run(work, *args, **kwargs)
        self.dead = self.works == self.dies_at
        if self.dead:
            raise Killed
        return result

    async def read(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(work, *args, **kwargs)

    async def close(self) -> None:
        """The one inside lives on."""


@pytest.mark.parametrize("dies_at", [1, 2, 3, 4, 5, 8, 9, 12, 15, 16, 21, 26])
async def test_a_driver_that_dies_and_its_successor_leave_what_one_would_have_left(
    database: Database, dies_at: int
) -> None:
    site, blobs, clock = small_site(stock=5, per_page=2), MemoryBlobs(), VirtualClock(START)
    web = SimWeb.of([site], html=True)
    row = {"slug": "homes", "kind": "listing", "url": "http://homes.test/listings", "adapter": "listing"}
    limits = {"spacing_ms": 1000, "at_once": 2}
    await database.run(sources.ensure_site, "homes.test", limits, now=START)
    await database.run(sources.add, {**row, "currency": "EUR"}, now=START)

    def driver(name: str, dies_at: int | None) -> Driver:
        mortal, chance = Mortal(inner=database, dies_at=dies_at), Random(1)
        library = NetworkFetchTasks(fetcher=None, database=mortal, blobs=blobs, clock=clock)  # type: ignore[arg-type]
        return Driver(
            database=mortal,
            clock=clock,
            fetch_tasks=LoggingFetchTasks(clock=clock, answer=web, library=library, log=[]),
            worker=Worker(owner=name, chance=chance),
            dispatcher=DispatchSettings(
                adapters={adapter.id: adapter for adapter in adapters.known()},
                chance=chance,
                strict=False,
                stagger=timedelta(0),
            ),
            blobs=blobs,
            tick_every=MINUTE,
        )

    with pytest.raises(Killed):
        await driver("first", dies_at).run(until=START + 10 * MINUTE)
    await driver("second", None).run(until=START + 20 * MINUTE)
    found = {
        "records": "SELECT count(*), sum(times_seen), min(active) FROM records",
        "versions": "SELECT purpose, count(*) FROM versions GROUP BY 1 ORDER BY 1",
        "prices": "SELECT count(*), count(DISTINCT record_id) FROM observations WHERE field = 'price'",
        "runs": "SELECT status, inserted, pages, open_jobs FROM runs WHERE kind = 'discovery'",
        "jobs": "SELECT purpose, status, count(*) FROM jobs GROUP BY 1, 2 ORDER BY 1",
        "doubled": "SELECT job_id FROM pages WHERE outcome = 'ok' GROUP BY 1 HAVING count(*) > 1",
    }
    assert {name: await database.run(rows, sql) for name, sql in found.items()} == {
        "records": [(5, 5, 1)],
        "versions": [("detail", 5), ("index", 5)],
        "prices": [(5, 5)],
        "runs": [("completed", 5, 8, 0)],
        "jobs": [("detail", "done", 5), ("index", "done", 3)],
        "doubled": [],
    }
