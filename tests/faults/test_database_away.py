"""PostgreSQL goes away under a driver at work, for a moment and for longer, and comes back.

A real server, stopped and started; time is virtual, so nobody waits for it.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Connection, text

from larder import adapters
from larder.core.model.job import Stage
from larder.core.model.page import Fetched
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import Work, Worker
from larder.engine.worker.database_retries import RetryingDatabase
from larder.engine.worker.driver import Driver
from larder.engine.worker.fetch_tasks import NetworkFetchTasks
from larder.engine.worker.spool import Spool
from larder.sim.virtual import SimWeb
from larder.store.database import Database, open_database
from larder.store.database.write_errors import is_connection_lost
from larder.store.migrations import upgrade
from larder.store.queue import sources
from tests.administer import administer
from tests.faults.clocks import EventfulClock
from tests.faults.server import PrivateServer, private_server
from tests.integration.engine.harness import START, LoggingFetchTasks, MemoryBlobs, small_site

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
STOCK = 12


@pytest.fixture(scope="module")
def server() -> Iterator[PrivateServer]:
    with private_server() as server:
        yield server


@pytest.fixture
async def database(server: PrivateServer) -> AsyncIterator[Database]:
    name = f"larder_{uuid4().hex}"
    await administer(server.url, f"CREATE DATABASE {name}")
    opened = open_database(server.url.removesuffix("postgres") + name)
    await opened.run(upgrade.upgrade)
    yield opened
    await opened.close()
    await asyncio.sleep(0)  # connections that were cut off are let go of by the loop


@dataclass(slots=True, kw_only=True)
class Outage:
    """A driver on a server that goes away at the so-many-th request, for so long."""

    server: PrivateServer
    database: Database
    folder: Path
    at_request: int = 6
    lasts: timedelta = timedelta(days=999)
    clock: EventfulClock = field(default_factory=lambda: EventfulClock(START))
    log: list[tuple[datetime, str]] = field(default_factory=list)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    site: Any = field(default_factory=lambda: small_site(stock=STOCK))

    async def add_source(self) -> None:
        row = {"slug": "homes", "kind": "listing", "url": "http://homes.test/listings", "adapter": "listing"}
        await self.database.run(sources.ensure_site, "homes.test", {"spacing_ms": 1000}, now=START)
        policy = {"policy": {"discovery_every": 10**7}, "currency": "EUR"}
        await self.database.run(sources.add, {**row, **policy}, now=START)

    def driver(self) -> Driver:
        """A fresh process."""
        retrying, chance = RetryingDatabase(self.database, self.clock), random.Random(7)
        library = NetworkFetchTasks(
            fetcher=None,  # type: ignore[arg-type]
            database=retrying,
            blobs=self.blobs,
            clock=self.clock,
        )
        return Driver(
            database=retrying,
            clock=self.clock,
            fetch_tasks=LoggingFetchTasks(
                clock=self.clock, answer=self._answer, library=library, log=self.log
            ),
            worker=Worker(owner=f"driver {uuid4().hex}", chance=chance),
            dispatcher=DispatchSettings(
                adapters={adapter.id: adapter for adapter in adapters.known()},
                chance=chance,
                strict=False,
                stagger=timedelta(0),
            ),
            blobs=self.blobs,
            spool=Spool(self.folder),
            tick_every=MINUTE,
        )

    def _answer(self, work: Work, at: datetime) -> Fetched:
        if work.job.stage is Stage.FETCH:
            self.log.append((at, work.job.request.url))
            if len(self.log) == self.at_request:
                self.server.stop()
                self.clock.coming.append((self.clock.now() + self.lasts, self.server.start))
        return SimWeb.of([self.site], html=True)(work, at)

    async def ask(self, sql: str) -> list[tuple[Any, ...]]:
        def work(conn: Connection) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in conn.execute(text(sql))]

        return await self.database.run(work)

    async def check(self) -> None:
        """All is known, once, and was asked for once."""
        known = [row[0] for row in await self.ask("SELECT platform_id FROM records")]
        assert sorted(known) == sorted(self.site.classifieds.live(self.clock.now()))
        assert await self.ask("SELECT status, failed, inserted FROM runs") == [("completed", 0, STOCK)]
        assert await self.ask("SELECT DISTINCT status FROM jobs") == [("done",)]
        assert await self.ask("SELECT count(*), count(DISTINCT job_id) FROM pages") == [
            (len(self.log), len(self.log))
        ]
        assert max(Counter(url for _, url in self.log).values()) == 1
        assert list(self.folder.glob("*")) == []
        assert await self.ask("SELECT count(*) FROM circuits WHERE failures > 0") == [(0,)]


@pytest.fixture
async def outage(server: PrivateServer, database: Database, tmp_path: Path) -> AsyncIterator[Outage]:
    outage = Outage(server=server, database=database, folder=tmp_path / "spool")
    await outage.add_source()
    yield outage
    if not server.running:
        server.start()


@pytest.mark.parametrize("at_request", [1, 2, 6])
async def test_a_server_that_is_away_for_a_moment_is_waited_for(outage: Outage, at_request: int) -> None:
    outage.at_request, outage.lasts = at_request, 4 * SECOND
    await outage.driver().run(until=START + 20 * MINUTE)
    await outage.check()


@pytest.mark.parametrize("at_request", [1, 6])
async def test_when_patience_ends_the_page_waits_in_a_file_and_goes_on_later(
    outage: Outage, at_request: int
) -> None:
    outage.at_request = at_request
    with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever the driver of the day says
        await outage.driver().run(until=START + 20 * MINUTE)
    assert is_connection_lost(raised.value)
    (letter,) = Spool(outage.folder).read_batch()
    assert letter.fetched.url == outage.log[-1][1]
    outage.server.start()
    await outage.driver().run(until=START + 20 * MINUTE)
    await outage.check()


async def test_whoever_drives_for_ever_outlasts_any_outage(outage: Outage) -> None:
    outage.lasts = 10 * MINUTE
    driver = outage.driver()
    outage.clock.coming.append((START + 25 * MINUTE, driver.stop))
    await driver.run_forever()
    await outage.check()
