"""A Larder in virtual time that can be killed at any unit of work, and what is left of it afterwards.

All of it is the product's own code but four things: time, the network (a made-up web that keeps a log), the
place where bodies lie (memory), and a database that dies when it is told to.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, text

from larder import adapters
from larder.core.model.job import Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.engine.clock import VirtualClock
from larder.engine.scheduling import adoption
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import NO_WAIT, BatchWait, FetchedWork, Work, Worker
from larder.engine.worker.driver import Driver
from larder.engine.worker.fetch_tasks import NetworkFetchTasks
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.virtual import SimWeb, VirtualFetchTasks, run_inline
from larder.store.database import InlineDatabase, UnitOfWork, inline_database
from larder.store.migrations import upgrade
from larder.store.pages.blobs import BodyLocation, Pack, content_hash
from larder.store.queue import lanes, schedules, sources

P = ParamSpec("P")
T = TypeVar("T")

START = datetime(2026, 3, 2, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


class Killed(BaseException):
    """The process is gone: nothing may catch this and go on."""


@dataclass(slots=True, kw_only=True)
class MortalDatabase:
    """Dies at its n-th unit of work, just before it begins or just after it was committed."""

    inner: InlineDatabase
    dies_at: int | None = None
    after_commit: bool = False
    works: int = 0
    dead: bool = False

    async def run(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if self.dead:
            raise Killed
        self.works += 1
        dies = self.works == self.dies_at
        if dies and not self.after_commit:
            self.die()
        result = self.inner.now(work, *args, **kwargs)
        if dies:
            self.die()
        return result

    async def read(self, work: UnitOfWork[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(work, *args, **kwargs)

    def die(self) -> None:
        self.dead = True
        raise Killed

    async def close(self) -> None:
        """The one inside lives on."""


@dataclass(slots=True)
class MemoryBlobs:
    """Bodies that outlive their process."""

    bodies: dict[str, bytes] = field(default_factory=dict)

    async def put(self, bodies: Sequence[bytes]) -> list[BodyLocation]:
        named = {content_hash(body): body for body in bodies}
        self.bodies |= named
        return [
            BodyLocation(content_hash=name, location=f"memory:{name}", size=len(body), stored_size=len(body))
            for name, body in named.items()
        ]

    async def get(self, location: str, content_hash: str) -> bytes | None:  # noqa: ARG002
        return self.bodies.get(content_hash)

    async def packs(self) -> list[Pack]:
        return []

    async def drop(self, keys: Sequence[str]) -> int:
        return len(keys)

    async def close(self) -> None:
        """Nothing is open."""


@dataclass(slots=True, kw_only=True)
class LoggingFetchTasks(VirtualFetchTasks):
    """Virtual fetch tasks that know a stored page from one that is to be fetched, as real ones do."""

    library: NetworkFetchTasks
    log: list[tuple[datetime, str]]

    async def wait_finished(
        self,
        until: datetime,
        wait: BatchWait = NO_WAIT,  # noqa: ARG002
    ) -> Sequence[FetchedWork]:
        carried = await VirtualFetchTasks.wait_finished(self, until)
        return [
            await self.library._read(each.work) if each.work.job.stage is not Stage.FETCH else each
            for each in carried
        ]


@dataclass(slots=True, kw_only=True)
class Harness:
    """One deployment whose driver can be killed and started again; its database, bodies and web live on."""

    site: ClassifiedsSite
    html: bool = True
    seed: int = 7
    lease: timedelta = timedelta(seconds=30)
    tick_every: timedelta = MINUTE
    database: InlineDatabase = field(default_factory=inline_database)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    clock: VirtualClock = field(default_factory=lambda: VirtualClock(START))
    log: list[tuple[datetime, str]] = field(default_factory=list)
    """Every request the site got."""
    kinds: frozenset[RunKind] = frozenset({RunKind.DISCOVERY})
    mortal: MortalDatabase | None = None
    """The database of the driver that runs, or ran last."""
    answers: Callable[[Work, datetime], Fetched | None] | None = None
    """What happens to a request instead of what the site would say; None: nothing special."""
    _names: Iterator[int] = field(default_factory=lambda: iter(range(10_000)))

    def __post_init__(self) -> None:
        self.database.now(upgrade.create)

    def add_source(self, **values: Any) -> int:
        row = {
            "slug": "homes",
            "kind": "listing",
            "url": f"http://{self.site.name}/listings",
            "adapter": "listing",
        }
        site = {"spacing_ms": 1000, "at_once": 2}
        self.database.now(sources.ensure_site, self.site.name, site, now=self.clock.now())
        return self.database.now(sources.add, {**row, "currency": "EUR", **values}, now=self.clock.now())

    def all_due(self) -> None:
        """Every schedule of every source is due now, also of the kinds that would first wait for a beat."""
        how, now = self.driver().dispatcher, self.clock.now()
        self.do(lambda conn: adoption.adopt_sources(conn, how, now=now))
        for (source_id,) in self.ask("SELECT id FROM sources"):
            self.database.now(schedules.run_now, source_id, now=now)

    def driver(self, *, dies_at: int | None = None, after_commit: bool = False) -> Driver:
        """A fresh process."""
        mortal = MortalDatabase(inner=self.database, dies_at=dies_at, after_commit=after_commit)
        self.mortal = mortal
        chance = random.Random(self.seed)
        library = NetworkFetchTasks(
            fetcher=None,  # type: ignore[arg-type]
            database=mortal,
            blobs=self.blobs,
            clock=self.clock,
        )
        known = {adapter.id: adapter for adapter in adapters.known()}
        return Driver(
            database=mortal,
            clock=self.clock,
            fetch_tasks=LoggingFetchTasks(
                clock=self.clock, answer=self._answer, library=library, log=self.log
            ),
            worker=Worker(owner=f"driver {next(self._names)}", chance=chance, lease=self.lease),
            dispatcher=DispatchSettings(
                adapters=known, chance=chance, strict=False, stagger=timedelta(0), kinds=self.kinds
            ),
            blobs=self.blobs,
            tick_every=self.tick_every,
        )

    def _answer(self, work: Work, at: datetime) -> Fetched:
        if work.job.stage is Stage.FETCH:
            self.log.append((at, work.job.request.url))
        special = self.answers(work, at) if self.answers else None
        if special is not None:
            return special
        return SimWeb.of([self.site], html=self.html)(work, at)

    def run(self, until: datetime, *, idle_ends: bool = False, **death: Any) -> bool:
        """Drive until then; False where the driver was killed on the way."""
        driver = self.driver(**death)
        try:
            run_inline(driver.run(until=until, idle_ends=idle_ends))
        except Killed:
            return False
        return True

    def restart(self) -> None:
        """What the embedded host does before it drives: nobody else can be driving."""
        self.database.now(lanes.release_all)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        return self.database.now(lambda conn: [tuple(row) for row in conn.execute(text(sql))])

    def do(self, work: Callable[[Connection], T]) -> T:
        return self.database.now(work)

    def fetches(self) -> Counter[str]:
        return Counter(url for _, url in self.log)


def failed(work: Work, at: datetime, outcome: FetchOutcome, **more: Any) -> Fetched:
    """An answer that is no page."""
    url = work.job.request.url
    return Fetched(outcome=outcome, url=url, final_url=url, fetched_at=at, **more)


def small_site(*, stock: int = 8, per_page: int = 3, **rules: Any) -> ClassifiedsSite:
    """Nothing happens on it unless told otherwise."""
    still = {"arrivals_per_day": 0, "mean_life_days": 3_000, "price_changes_per_day": 0, "bumps_per_day": 0}
    truth = ClassifiedsTruth(seed=3, start=START, stock=stock, **{**still, **rules})
    return ClassifiedsSite(name="homes.test", classifieds=truth, per_page=per_page)
