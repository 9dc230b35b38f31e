"""An opened deployment: settings, database, clock, and methods that open everything else.

Most commands only read the database, so this module loads no network client, no browser and no stage.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from larder import adapters
from larder.app.data_folder import make_folder
from larder.app.on_demand import OnDemand
from larder.core.errors import not_installed
from larder.core.ports import Clock, ParseRunner
from larder.engine.clock import DatabaseClock, SystemClock
from larder.settings import Settings
from larder.store import database as databases
from larder.store.database import Connection, Database, DriverError
from larder.store.database.write_errors import explain
from larder.store.migrations import upgrade as schema

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

    from larder.actions.sources.site_profiles import LearnedSource
    from larder.app.driver import Background
    from larder.app.fetching import Fetchers
    from larder.engine.background.maintenance import MaintenanceResult
    from larder.engine.background.notifications import Notifier
    from larder.engine.scheduling.dispatch_settings import DispatchSettings
    from larder.engine.worker.driver import Driver
    from larder.stages.fetch.permit import StepListener
    from larder.stages.notify.summary import SummarySchedule
    from larder.store.pages.blobs import Blobs
    from larder.store.reads.paging import FoundRecords
    from larder.store.reads.query import Query

P = ParamSpec("P")
T = TypeVar("T")

CLOSING_SECONDS = 5
"""How long closing waits for background writes."""


@dataclass(slots=True, kw_only=True)
class App:
    """An opened deployment: settings, database, blobs and clocks."""

    settings: Settings
    database: Database
    clock: Clock
    wall: Clock
    """Wall-clock time, for keys and sessions; it differs from `clock` only if that skips hours."""
    on_demand: OnDemand
    scheduling: "DispatchSettings | None" = None
    """None: as the settings say."""
    resolver: "AbstractResolver | None" = None
    truth: Callable[[], Awaitable[Sequence[Any]]] | None = None
    """The true content of simulated sites, by site."""
    background_tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    """Background writes; they end before the database closes."""

    @property
    def dispatcher(self) -> "DispatchSettings":
        """The settings with which runs are scheduled."""
        return self.scheduling or self.on_demand.dispatcher

    @property
    def parse_runner(self) -> ParseRunner:
        """The pool or process that parses pages."""
        return self.on_demand.parse_runner

    def without_due_runs(self) -> "App":
        """The same deployment with a driver that opens no due runs."""
        return replace(self, scheduling=replace(self.dispatcher, opened_kinds=frozenset()))

    async def run(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run one unit of work; errors of the database driver become errors with a next step."""
        try:
            return await self.database.run(work, *args, **kwargs)
        except (DriverError, OSError) as error:
            raise explain(error) from error

    async def read(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a read; it does not wait for writers."""
        try:
            return await self.database.read(work, *args, **kwargs)
        except (DriverError, OSError) as error:
            raise explain(error) from error

    def start_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a background write."""
        task = asyncio.create_task(work)
        self.background_tasks.add(task)
        task.add_done_callback(self.background_tasks.discard)

    async def find(self, query: "Query", *, now: datetime) -> "FoundRecords":
        """Search public records, ranked by the search index that this deployment has."""
        from larder.store.reads import public  # noqa: PLC0415 - loaded when it is asked for

        if not self.settings.elasticsearch.get_secret_value():
            return await self.read(public.find_records, query, now=now)
        from larder.app.search import ranked  # noqa: PLC0415 - loaded when it is asked for

        return await self.read(public.find_records, query, ranked=await ranked(self.settings, query), now=now)

    def previewing(self, tell: "StepListener | None" = None) -> "AbstractAsyncContextManager[Fetchers]":
        """Open every fetcher for a person's preview; `tell` is called for each step."""
        from larder.app.fetching import fetching  # noqa: PLC0415 - loaded when it is asked for

        return fetching(self, tell, preview=True)

    async def learn_profile(self, slug: str, *, who: str) -> "LearnedSource":
        """Learn the site profile of a stored source, and store it."""
        from larder.app.site_profiles import learn_source  # noqa: PLC0415 - loaded when it is asked for

        return await learn_source(self, slug, who=who)

    def driver(self, *, lock: int | None = None) -> "AbstractAsyncContextManager[Driver]":
        """Open a driver; an embedded deployment has only one. `lock`: its lock, if it is held already."""
        from larder.app.driver import driver  # noqa: PLC0415 - loaded when it is asked for

        return driver(self, lock=lock)

    def slice_driver(self, *, max_lanes: int) -> "AbstractAsyncContextManager[Driver]":
        """Open a driver of some lanes beside others."""
        from larder.app.driver import slice_driver  # noqa: PLC0415 - loaded when it is asked for

        return slice_driver(self, max_lanes=max_lanes)

    def background(self) -> "AbstractAsyncContextManager[Background]":
        """Open the background tasks without a driver."""
        from larder.app.driver import background  # noqa: PLC0415 - loaded when it is asked for

        return background(self)

    def notifier(self) -> "AbstractAsyncContextManager[Notifier]":
        """Open the notifier with the channels that the settings name."""
        from larder.app.notifications import notifier  # noqa: PLC0415 - loaded when it is asked for

        return notifier(self)

    async def maintain(self) -> "MaintenanceResult":
        """Run the daily maintenance now."""
        from larder.app.maintenance import maintain  # noqa: PLC0415 - loaded when it is asked for

        return await maintain(self)

    @property
    def summary_schedule(self) -> "SummarySchedule":
        """When the daily summary is due."""
        from larder.stages.notify.summary import SummarySchedule  # noqa: PLC0415 - loaded when it is asked for

        return SummarySchedule(at=self.settings.summary_at, tz=self.settings.timezone)

    def blobs(self) -> "Blobs":
        """Where bodies are stored: in a bucket if one is named, else in the data folder."""
        settings = self.settings
        if not settings.pages:
            from larder.store.pages.blobs import PackedBlobs  # noqa: PLC0415 - loaded when it is asked for

            return PackedBlobs(settings.data / "pages", sync=settings.pages_sync)
        try:
            from larder.store.pages.blobs_s3 import open_bucket  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise not_installed("keeping pages in a bucket", "s3") from error
        return open_bucket(
            settings.pages,
            endpoint=settings.pages_endpoint,
            key=settings.pages_access_key,
            secret=settings.pages_secret.get_secret_value(),
            region=settings.pages_region,
        )

    async def sync_clock(self) -> None:
        """Set the clock by the database's, so that all workers share one time."""
        if isinstance(self.wall, DatabaseClock):
            self.wall.synchronize(*await self.database.run(databases.server_time))


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    resolver: "AbstractResolver | None" = None,
    clock: Clock | None = None,
    upgrade: bool = False,
    unchecked: bool = False,
) -> AsyncIterator[App]:
    """Open a deployment. `upgrade` migrates its schema; an outdated one is refused, unless `unchecked`."""
    if settings.embedded:
        make_folder(settings.data)
    limit = 0 if upgrade else settings.statement_seconds
    database = databases.open_database(settings.database_url, statement_seconds=limit)
    adapters.load(settings.adapters_dir)
    on_demand = OnDemand(settings)
    wall = SystemClock() if settings.embedded else DatabaseClock()
    app = App(
        settings=settings,
        database=database,
        clock=clock or wall,
        wall=wall,
        on_demand=on_demand,
        resolver=resolver,
    )
    try:
        if not unchecked:
            await app.run(schema.upgrade if upgrade else schema.check)
            await app.sync_clock()
        yield app
    finally:
        if app.background_tasks:
            await asyncio.wait(app.background_tasks, timeout=CLOSING_SECONDS)
        await on_demand.close()
        await database.close()
