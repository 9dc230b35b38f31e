"""An opened deployment: its settings, its database, its clock, and the way to everything else.

Most commands only ask the database, so nothing here may load a network client, a browser or a stage: what
needs those is a room of its own, which the method of its name opens.
"""

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError

from larder import adapters
from larder.app.data_folder import make_folder
from larder.core.errors import not_installed
from larder.core.ports import Clock
from larder.engine.clock import DatabaseClock, SystemClock
from larder.engine.scheduling.dispatch import DispatchSettings
from larder.runs import FOLDS
from larder.settings import Settings
from larder.stages.notify.summary import Morning
from larder.store import database as databases
from larder.store.database import Connection, Database
from larder.store.database.write_errors import explain
from larder.store.migrations import upgrade as schema
from larder.store.pages.blobs import Blobs, PackedBlobs
from larder.store.reads import public
from larder.store.reads.paging import Found
from larder.store.reads.query import Query

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

    from larder.app.fetching import Fetchers
    from larder.engine.background.maintenance import MaintenanceResult
    from larder.engine.background.notifications import Notifier
    from larder.engine.worker.driver import Driver
    from larder.stages.fetch.permit import Tell

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class App:
    """An opened deployment."""

    settings: Settings
    database: Database
    clock: Clock
    wall: Clock
    """The time that people live in, for keys and sessions; only a clock that skips hours is another."""
    dispatcher: DispatchSettings
    resolver: "AbstractResolver | None" = None
    truth: Callable[[], Awaitable[Sequence[Any]]] | None = None
    """What is really there, site by site: known of made-up sites only."""

    async def do(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """One unit of work; what a driver says of a broken database becomes a line for a person."""
        try:
            return await self.database.run(work, *args, **kwargs)
        except (DBAPIError, OSError) as error:
            raise explain(error) from error

    async def look(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The same for work that only reads: it waits for no writer."""
        try:
            return await self.database.read(work, *args, **kwargs)
        except (DBAPIError, OSError) as error:
            raise explain(error) from error

    async def find(self, query: Query, *, now: datetime) -> Found:
        """What the public may see of what is asked for, ranked by whichever index this deployment has."""
        if not self.settings.elasticsearch.get_secret_value():
            return await self.look(public.find_records, query, now=now)
        from larder.app.search import ranked  # noqa: PLC0415 - loaded when it is asked for

        return await self.look(public.find_records, query, ranked=await ranked(self.settings, query), now=now)

    def fetching(self, tell: "Tell | None" = None) -> "AbstractAsyncContextManager[Fetchers]":
        """All the ways to a page that this deployment has; `tell` hears of each step."""
        from larder.app.fetching import fetching  # noqa: PLC0415 - loaded when it is asked for

        return fetching(self, tell)

    def driver(self) -> "AbstractAsyncContextManager[Driver]":
        """A driver over the network, patient with its database; on the embedded default the only one."""
        from larder.app.driver import driver  # noqa: PLC0415 - loaded when it is asked for

        return driver(self)

    def post(self) -> "AbstractAsyncContextManager[Notifier]":
        """What carries alerts and summaries to the channels that the settings name."""
        from larder.app.notifications import notifier  # noqa: PLC0415 - loaded when it is asked for

        return notifier(self)

    async def maintain(self) -> "MaintenanceResult":
        """What is done once a day, now."""
        from larder.app.maintenance import maintain  # noqa: PLC0415 - loaded when it is asked for

        return await maintain(self)

    @property
    def morning(self) -> Morning:
        """When the summary is due here."""
        return Morning(at=self.settings.summary_at, tz=self.settings.timezone)

    def blobs(self) -> Blobs:
        """Where bodies lie: in a bucket if one is named, else in the data folder."""
        settings = self.settings
        if not settings.pages:
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
        """Set our clock by the database's, so that all workers live in one time."""
        if isinstance(self.wall, DatabaseClock):
            self.wall.synchronize(*await self.database.run(databases.server_time))


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    resolver: "AbstractResolver | None" = None,
    clock: Clock | None = None,
    upgrade: bool = False,
) -> AsyncIterator[App]:
    """Open a deployment; `upgrade` brings its schema up to date, else an outdated one is refused."""
    if settings.embedded:
        make_folder(settings.data)
    database = databases.open_database(settings.database_url)
    adapters.load(settings.adapters_dir)
    wall = SystemClock() if settings.embedded else DatabaseClock()
    app = App(
        settings=settings,
        database=database,
        clock=clock or wall,
        wall=wall,
        dispatcher=DispatchSettings(
            adapters={adapter.id: adapter for adapter in adapters.known()},
            chance=random.SystemRandom(),
            kinds=frozenset(FOLDS),
            strict=settings.strict,
            stagger=timedelta(seconds=settings.stagger_seconds),
        ),
        resolver=resolver,
    )
    try:
        await app.do(schema.upgrade if upgrade else schema.check)
        await app.sync_clock()
        yield app
    finally:
        await database.close()
