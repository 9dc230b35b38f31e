"""Many at once on PostgreSQL: no job claimed twice, no rate exceeded, nothing lost, nothing doubled."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

from sqlalchemy import Connection

from larder import adapters
from larder.core.model.job import Job
from larder.core.policy.scheduling.cadence import TICK_DISTRIBUTED
from larder.engine.clock import VirtualClock
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import NO_WAIT, BatchWait, FetchedWork, Work, Worker
from larder.engine.worker import claims
from larder.engine.worker.driver import Driver
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.virtual import SimWeb, VirtualFetchTasks
from larder.store.database import Database
from larder.store.queue import jobs, lanes, sources
from tests.contract.world import MINUTE, NOW, SECOND, enqueue, one, rows, run, site, source

SPACING = timedelta(milliseconds=500)
MAX_LEAD = 10 * MINUTE
"""More than a lease, so that leases are lost; less than the silence after which a run is ended."""


def plant(conn: Connection, *, sites: int, each: int) -> None:
    for n in range(1, sites + 1):
        site(conn, f"s{n}.test", spacing_ms=500, at_once=3)
        added = source(conn, f"s{n}", domain=f"s{n}.test")
        enqueue(conn, run(conn, added), [f"{n}-{i}" for i in range(each)], source_id=added, site_id=n)


def end(conn: Connection, done: list[Job], *, now: datetime) -> None:
    jobs.finish(conn, [jobs.FinishedJob(job.id, "done", "persist", 1, None) for job in done], now=now)
    lanes.wake(conn, {job.site_id: now for job in done})


async def test_claimants_share_lanes_without_sharing_a_job(postgres: Database) -> None:
    await postgres.run(plant, sites=5, each=12)
    claimants = [Worker(owner=f"w{i}", chance=Random(i), lease=3 * SECOND) for i in range(4)]
    claimed: list[Work] = []
    now, chance = NOW, Random(1)
    for _ in range(400):
        now += SECOND / 4
        came = await asyncio.gather(
            *(postgres.run(claims.claim, who, under_way={}, max_jobs=2, now=now) for who in claimants)
        )
        work = [each for claim in came for each in claim.work]
        claimed += work
        if chance.random() < 0.7:  # else it forgets, as if the answer had been lost
            await asyncio.gather(*(postgres.run(end, [each.job], now=now) for each in work))
        if await postgres.run(one, "SELECT count(*) FROM jobs WHERE status <> 'done'") == 0:
            break
    assert await postgres.run(one, "SELECT count(*) FROM jobs WHERE status <> 'done'") == 0
    assert len(claimed) >= 60
    for site_id in range(1, 6):
        slots = sorted(w.job.slot.opens_at for w in claimed if w.lane.site_id == site_id and w.job.slot)
        assert all(after - before >= SPACING for before, after in pairwise(slots)), site_id


async def test_slots_reserved_by_everybody_at_once_are_all_apart(postgres: Database) -> None:
    await postgres.run(sources.ensure_site, "s1.test", {"spacing_ms": 500}, now=NOW)
    slots = await asyncio.gather(*(postgres.run(lanes.reserve, 1, now=NOW, rng=Random(0)) for _ in range(25)))
    opens = sorted(slot.opens_at for slot in slots)
    assert opens == [NOW + i * SPACING for i in range(25)]


async def test_a_site_that_many_find_at_once_is_one_site(postgres: Database) -> None:
    found = await asyncio.gather(
        *(postgres.run(sources.ensure_site, f"s{i % 2}.test", now=NOW) for i in range(16))
    )
    assert len(set(found)) == 2
    assert await postgres.run(one, "SELECT count(*) FROM lanes") == 2


def homes(name: str, seed: int) -> ClassifiedsSite:
    truth = ClassifiedsTruth(
        seed=seed,
        start=NOW,
        stock=25,
        arrivals_per_day=0,
        mean_life_days=3_000.0,
        price_changes_per_day=0.0,
        bumps_per_day=0.0,
    )
    return ClassifiedsSite(name=name, classifieds=truth, per_page=10)


class Pace:
    """How far each driver that still runs has come in virtual time."""

    def __init__(self) -> None:
        self._reached: dict[str, datetime] = {}
        self._changed = asyncio.Condition()

    async def reach(self, name: str, moment: datetime) -> None:
        """Wait until no other driver is further behind `moment` than `MAX_LEAD`."""
        async with self._changed:
            self._reached[name] = moment
            self._changed.notify_all()
            await self._changed.wait_for(lambda: moment <= min(self._reached.values()) + MAX_LEAD)

    async def run(self, drivers: Sequence[Driver], *, until: datetime) -> None:
        """Let all drivers run at once."""
        self._reached = {each.worker.owner: each.clock.now() for each in drivers}
        await asyncio.gather(*(self._run(each, until) for each in drivers))

    async def _run(self, each: Driver, until: datetime) -> None:
        await each.run(until=until)
        async with self._changed:
            del self._reached[each.worker.owner]
            self._changed.notify_all()


@dataclass(slots=True, kw_only=True)
class PacedFetchTasks(VirtualFetchTasks):
    """Virtual fetches of one of several drivers, none of which runs further ahead than `MAX_LEAD`.

    Without the bound, two idle drivers could push the clock on by hours while the third waits for a real
    transaction on a busy machine, and its run would rightly be ended as silent.
    """

    name: str
    pace: Pace

    async def wait_finished(self, until: datetime, wait: BatchWait = NO_WAIT) -> Sequence[FetchedWork]:
        await self.pace.reach(self.name, until)
        return await VirtualFetchTasks.wait_finished(self, until, wait)


def driver(database: Database, clock: VirtualClock, web: SimWeb, name: str, pace: Pace) -> Driver:
    chance = Random(name)
    return Driver(
        database=database,
        clock=clock,
        fetch_tasks=PacedFetchTasks(clock=clock, answer=web, name=name, pace=pace),
        worker=Worker(owner=name, chance=chance, lease=4 * MINUTE),
        dispatcher=DispatchSettings(
            adapters={adapter.id: adapter for adapter in adapters.known()},
            chance=chance,
            strict=False,
            stagger=timedelta(0),
        ),
        tick_every=TICK_DISTRIBUTED,
    )


async def test_drivers_that_race_through_time_leave_what_one_would_have_left(postgres: Database) -> None:
    """Three drivers share the lanes of two sites. Each pushes the common clock on as it pleases, so leases
    are lost, work is done twice and thrown away, ticks and settlements cross: none of it may show."""
    web = SimWeb.of([homes("a.test", 1), homes("b.test", 2)])
    clock = VirtualClock(NOW)

    def plant_sources(conn: Connection) -> None:
        for name in ("a", "b"):
            sources.ensure_site(conn, f"{name}.test", {"spacing_ms": 200, "at_once": 4}, now=NOW)
            url = f"http://{name}.test/listings"
            row = {"slug": name, "kind": "listing", "url": url, "adapter": "listing", "currency": "EUR"}
            sources.add(conn, {**row, "policy": {"discovery_every": 10**7}}, now=NOW)

    await postgres.run(plant_sources)
    pace = Pace()
    drivers = [driver(postgres, clock, web, f"driver {i}", pace) for i in range(3)]
    await pace.run(drivers, until=NOW + 300 * MINUTE)

    left: dict[str, Any] = {
        "records": await postgres.run(rows, "SELECT source_id, count(*) FROM records GROUP BY 1 ORDER BY 1"),
        "runs": await postgres.run(rows, "SELECT kind, status, open_jobs, inserted FROM runs ORDER BY id"),
        "versions": await postgres.run(one, "SELECT count(*) FROM versions"),
        "doubled": await postgres.run(
            rows, "SELECT record_id, content FROM versions GROUP BY 1, 2 HAVING count(*) > 1"
        ),
        "prices": await postgres.run(
            rows, "SELECT record_id FROM observations WHERE field = 'price' GROUP BY 1 HAVING count(*) > 1"
        ),
        "dead": await postgres.run(rows, "SELECT type FROM dead_letters"),
        "jobs": await postgres.run(rows, "SELECT status, count(*) FROM jobs GROUP BY 1"),
    }
    assert left == {
        "records": [(1, 25), (2, 25)],
        "runs": [("discovery", "completed", 0, 25), ("discovery", "completed", 0, 25)],
        "versions": 100,
        "doubled": [],
        "prices": [],
        "dead": [],
        "jobs": [("done", 56)],
    }
