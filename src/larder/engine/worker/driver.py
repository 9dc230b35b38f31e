"""The worker's main loop: tick, claim, fetch, store, parse, commit.

Tick opens what is due, claim leases lanes and reserves slots, store keeps fetched pages, commit writes data
and next steps; each is a unit of work. Pages are fetched and parsed beside the loop, which waits for the
first page, the next due lane or the next tick. It reads no clock and no socket itself, so real time and
virtual time run the same code.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from larder.core.policy.scheduling.cadence import TICK_EMBEDDED
from larder.core.ports import Clock, ParseRunner
from larder.engine.commit.fetched_pages import store_pages
from larder.engine.parse_workers.in_process import InProcess
from larder.engine.processing.process_page import abandoned_page
from larder.engine.quality import canary
from larder.engine.scheduling import dispatch
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import FetchedWork, FetchTasks, ProcessedPage, Work, Worker
from larder.engine.worker import claims
from larder.engine.worker.batching import Batching
from larder.engine.worker.claims import Claim
from larder.engine.worker.commit_pages import DriverTotals, PageCommits
from larder.engine.worker.parse_tasks import ParseTasks
from larder.engine.worker.spool import Spool, unspool
from larder.engine.worker.suspect_pages import SuspectPages
from larder.store.database import Database, moment
from larder.store.database.write_errors import is_disk_full, is_unavailable
from larder.store.pages.blobs import Blobs, BodyLocation
from larder.store.queue import lanes

log = logging.getLogger("larder.driver")

MAX_JOBS = 512
"""Jobs in flight at a time, over all lanes."""
SHUTDOWN_TIMEOUT = timedelta(seconds=40)
"""How long a stopping driver waits for pages in flight."""
PARSE_GRACE = timedelta(seconds=5)
"""How long it waits if all pages in flight are stored and only being parsed: they can be parsed again."""
DISK_ALERT_EVERY = timedelta(hours=1)
DATABASE_WAIT = timedelta(seconds=30)
"""How long to wait before an unavailable database is tried again."""


async def _nothing() -> None:
    """Does nothing."""


async def _nothing_until(until: datetime | None) -> None:
    """Does nothing."""


@dataclass(slots=True, kw_only=True)
class Driver:
    """Drives every lane that it can lease."""

    database: Database
    clock: Clock
    fetch_tasks: FetchTasks
    worker: Worker
    dispatcher: DispatchSettings
    runner: ParseRunner = field(default_factory=InProcess)
    """Where pages are parsed."""
    blobs: Blobs | None = None
    """None: bodies are not stored (virtual time has none)."""
    spool: Spool | None = None
    """Where pages wait while the database is unavailable."""
    on_disk_full: Callable[[], Awaitable[object]] = _nothing
    """Called when the disk is full, at most once an hour."""
    sync_clock: Callable[[], Awaitable[None]] = _nothing
    """Synchronizes the clock with the database's, if several machines share one."""
    on_tick: Callable[[], Awaitable[object]] = _nothing
    """Called after each tick: background tasks, and in virtual time the notifier."""
    on_idle: Callable[[datetime | None], Awaitable[object]] = _nothing_until
    """Called when nothing is left to do, with the moment at which the driver ends."""
    tick_every: timedelta = TICK_EMBEDDED
    batching: Batching = field(default_factory=Batching)
    max_jobs: int = MAX_JOBS
    grace: timedelta = SHUTDOWN_TIMEOUT
    totals: DriverTotals = field(default_factory=DriverTotals)
    _under_way: dict[int, Work] = field(default_factory=dict)
    _next_tick: datetime = field(default_factory=lambda: moment(0))
    _look_at: datetime | None = field(default_factory=lambda: moment(0))
    _next_renewal: datetime = field(default_factory=lambda: moment(0))
    _stopping: bool = False
    _next_disk_alert: datetime = field(default_factory=lambda: moment(0))
    _parse_tasks: ParseTasks = field(init=False)
    _suspects: SuspectPages = field(init=False)

    def __post_init__(self) -> None:
        self._parse_tasks = ParseTasks(runner=self.runner, on_ready=self._wake, under_way=self._under_way)
        self._suspects = SuspectPages(parse_tasks=self._parse_tasks)

    @property
    def _commits(self) -> PageCommits:
        return PageCommits(
            database=self.database,
            clock=self.clock,
            worker=self.worker,
            dispatcher=self.dispatcher,
            totals=self.totals,
        )

    def _wake(self) -> None:
        self.fetch_tasks.wake()

    @property
    def busy(self) -> bool:
        """Whether some pages are in flight."""
        return bool(self._under_way)

    def stop(self) -> None:
        """Stop claiming and sending; end when pages in flight are committed."""
        self._stopping = True
        self.fetch_tasks.stop()

    async def run_forever(self) -> None:
        """Run until stopped; while the database is unavailable or its disk is full, wait: reads continue."""
        while True:
            try:
                return await self.run()
            except Exception as error:
                if self._stopping or not is_unavailable(error):
                    raise
                await self._alert_full_disk(error)
                log.exception("database unavailable: retrying in %d s", DATABASE_WAIT.seconds)
                self._spool(await self.fetch_tasks.wait_finished(self.clock.now() + DATABASE_WAIT), error)

    async def _alert_full_disk(self, error: Exception) -> None:
        now = self.clock.now()
        if is_disk_full(error) and now >= self._next_disk_alert:
            self._next_disk_alert = now + DISK_ALERT_EVERY
            await self.on_disk_full()

    async def run(self, *, until: datetime | None = None, idle_ends: bool = False) -> None:
        """Run until stopped, until then, or (`idle_ends`) until there is nothing left to do."""
        clean = False
        try:
            await self._unspool()
            while not self._over(until):
                await self._tick()
                await self._claim()
                if idle_ends and self._idle():
                    await self.on_idle(until)
                    break
                await self._finish_some(self._next_event(until))
            await self._drain()
            clean = True
        finally:
            await self._release(clean=clean)

    async def _drain(self) -> None:
        """Wait for pages in flight: a request whose answer is dropped would have to be sent again."""
        ends = self.clock.now() + self.grace
        while self._under_way and self.clock.now() < ends:
            if self._parse_tasks.running + len(self._suspects) == len(self._under_way):
                ends = min(ends, self.clock.now() + PARSE_GRACE)
            await self._finish_some(min(ends, self.clock.now() + self.worker.lease / 3))

    def _over(self, until: datetime | None) -> bool:
        return self._stopping or (until is not None and self.clock.now() >= until)

    def _idle(self) -> bool:
        return not self._under_way and self._look_at is None

    async def _tick(self) -> None:
        """Open what is due. Other workers may have opened or left work, so claim next."""
        now = self.clock.now()
        if self._next_tick - self.tick_every <= now < self._next_tick:
            return
        await self.sync_clock()
        await self.database.run(dispatch.tick, self.dispatcher, now=now)
        await canary.run_waiting_canaries(
            self.database, self.blobs, self.dispatcher.adapters, self.runner, now=now
        )
        await self.on_tick()
        self._next_tick = now + self.tick_every
        self._look_at = now

    async def _claim(self) -> None:
        now = self.clock.now()
        max_jobs = self.max_jobs - len(self._under_way)
        if max_jobs <= 0 or self._look_at is None or now < self.batching.claim_at(self._look_at, now):
            return
        self.batching.claimed(self._under_way.values(), now)
        under_way = {job_id: work.lane.site_id for job_id, work in self._under_way.items()}
        claim = await self.database.run(
            claims.claim,
            self.worker,
            under_way=under_way,
            max_jobs=max_jobs,
            now=now,
            adapters=self.dispatcher.adapters,
        )
        self._begin(claim)
        abandoned = [abandoned_page(work, now) for work in claim.work if work.job.interrupted_too_often]
        if abandoned:
            await self._commits.commit(abandoned)

    def _begin(self, claim: Claim) -> None:
        self._look_at = claim.look_at
        if claim.work:
            self.runner.warm_up(events=claim.has_events)
        for work in (work for work in claim.work if not work.job.interrupted_too_often):
            self._under_way[work.job.id] = work
            self.fetch_tasks.start(work)

    def _next_event(self, until: datetime | None) -> datetime:
        """The next time with something to do even if no page comes in."""
        look_at = self._look_at if len(self._under_way) < self.max_jobs else None
        claim = self.batching.claim_at(look_at, self.clock.now()) if look_at is not None else None
        renewal = self._next_renewal if self._under_way else None
        moments = (self._next_tick, claim, until, renewal)
        return min(moment for moment in moments if moment is not None)

    async def _finish_some(self, deadline: datetime) -> None:
        """Wait for the first fetched or parsed page, at most until then; commit all parsed pages."""
        wait = self.batching.batch_wait(self._under_way.values(), shared=self.worker.shares)
        fetched_work = await self.fetch_tasks.wait_finished(deadline, wait)
        await self._renew()
        try:
            stored = await self._store(fetched_work)
        except Exception as error:
            self._spool(fetched_work, error)
            raise
        adapters = self.dispatcher.adapters
        await self._parse_tasks.start(self._suspects.add(stored), adapters)
        await self._commit_parsed()
        while await self._suspects.start_next(self.database, self._under_way, adapters):
            await self._commit_parsed()

    async def _commit_parsed(self) -> None:
        """Commit parsed pages, each suspect alone."""
        parsed = self._parse_tasks.take()
        await self._commit_finished([page for page in parsed if not page.work.job.suspect])
        for page in parsed:
            if page.work.job.suspect:
                await self._commit_finished([page])

    async def _commit_finished(self, processed: Sequence[ProcessedPage]) -> None:
        """Commit pages; their jobs are no longer in flight."""
        if processed:
            await self._commits.commit(processed)
        for page in processed:
            self._under_way.pop(page.work.job.id, None)
            self._look_at = self.clock.now()

    def _spool(self, fetched_work: Sequence[FetchedWork], error: Exception) -> None:
        """Write pages to the spool while the database is unavailable."""
        if self.spool is not None and is_unavailable(error) and not is_disk_full(error):
            self.spool.keep(fetched_work, error)

    async def _unspool(self) -> None:
        """Store spooled pages now that the database is back."""
        while self.spool is not None and (spooled := self.spool.read_batch()):
            bodies = [each.fetched.body for each in spooled if each.fetched.body]
            stored = await self.blobs.put(bodies) if self.blobs and bodies else []
            pages = await self.database.run(unspool, spooled, stored, now=self.clock.now())
            self.spool.drop(spooled)
            log.info(
                "spooled pages: %d requeued, %d dead letters", len(pages.requeued), len(pages.dead_letters)
            )

    async def _store(self, fetched_work: Sequence[FetchedWork]) -> list[FetchedWork]:
        """Store pages from the network; others are stored already."""
        unstored = [c for c in fetched_work if c.page_id is None and not c.fetched.waiting]
        stored = await self._store_bodies(unstored)
        if not unstored:
            return list(fetched_work)
        now = self.clock.now()
        ids = await self.database.run(store_pages, self.worker, unstored, stored, now=now)
        self.totals.pages += len(ids)
        return [replace(c, page_id=c.page_id or ids.get(c.work.job.id)) for c in fetched_work]

    async def _store_bodies(self, work: Sequence[FetchedWork]) -> list[BodyLocation]:
        bodies = {c.fetched.content_hash: c.fetched.body for c in work if c.fetched.body and not c.unchanged}
        return await self.blobs.put(list(bodies.values())) if self.blobs and bodies else []

    async def _renew(self) -> None:
        """Renew leases after a third of their time, so that a slow page does not cost its lane."""
        now, every = self.clock.now(), self.worker.lease / 3
        if self._next_renewal - every <= now < self._next_renewal:
            return
        self._next_renewal = now + every
        works = sorted(self._under_way.values(), key=lambda work: work.lane.token)
        tokens = {work.lane.site_id: work.lane.token for work in works}
        if tokens:
            owner, lease = self.worker.owner, self.worker.lease
            await self.database.run(lanes.renew, tokens, owner=owner, now=now, ttl=lease, due=False)

    async def _release(self, *, clean: bool) -> None:
        """Release all claims, so that other workers can continue at once."""
        await self.fetch_tasks.cancel_all()
        await self._parse_tasks.cancel_all()
        self._suspects.clear()
        self._under_way.clear()
        await self.database.run(lanes.release, self.worker.owner, now=self.clock.now(), clean=clean)
