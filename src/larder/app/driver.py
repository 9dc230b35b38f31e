"""Opens a driver over the network with its background tasks."""

import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import uuid4

from larder.app.data_folder import only_driver
from larder.app.deployment import App
from larder.app.enriching import enrichment_tasks
from larder.app.fetching import Fetchers, actors, fetching
from larder.app.maintenance import maintain
from larder.app.notifications import notifier
from larder.app.scouting import scout_task
from larder.app.search import elastic
from larder.engine.background.elastic import Mirror
from larder.engine.background.images import ImageFetcher
from larder.engine.background.maintenance import NightlyMaintenance
from larder.engine.background.notifications import Notifier, running
from larder.engine.background.resolver import resolve_changes
from larder.engine.background_task import BackgroundTask
from larder.engine.healing.healer import Healer
from larder.engine.healing.profile_learner import ProfileLearner
from larder.engine.scheduling.dead_letter_retries import retry_due_dead_letters
from larder.engine.work_items import Worker
from larder.engine.worker.batching import MAX_WAIT, Batching
from larder.engine.worker.database_retries import RetryingDatabase
from larder.engine.worker.driver import Driver
from larder.engine.worker.fetch_tasks import NetworkFetchTasks
from larder.engine.worker.spool import Spool
from larder.stages.notify.http_post import session
from larder.store.queue import lanes


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What runs beside the driver: dead-letter retries, maintenance, images, healing, the search mirror."""

    app: App
    tasks: Sequence[BackgroundTask]

    @property
    def busy(self) -> bool:
        """Some task is in the middle of a round."""
        return any(task.running for task in self.tasks)

    async def on_tick(self) -> None:
        """Start a round of each task that is due."""
        database, now = self.app.database, self.app.clock.now()
        await database.run(retry_due_dead_letters, self.app.dispatcher, now=now)
        for task in self.tasks:
            await task.on_tick()
        await resolve_changes(database, now=now)


@asynccontextmanager
async def driver(app: App, *, lock: int | None = None) -> AsyncIterator[Driver]:
    """Open a driver with database retries and background tasks; an embedded deployment has only one.

    `lock`: the descriptor of the data folder's lock, if the process that started this one holds it.
    """
    app = _retrying(app)
    async with AsyncExitStack() as stack:
        if app.settings.embedded:
            stack.enter_context(only_driver(app.settings.data, descriptor=lock))
            await app.run(lanes.release_all)
        fetchers = await stack.enter_async_context(fetching(app))
        post = await stack.enter_async_context(notifier(app))
        await stack.enter_async_context(running(post))
        learner = _learner(app, fetchers)
        background_tasks = await stack.enter_async_context(_background(app, fetchers, learner))
        opened = _driver(app, fetchers, post, on_tick=background_tasks.on_tick)
        opened.on_idle = learner.finish
        yield opened


@asynccontextmanager
async def slice_driver(app: App, *, max_lanes: int) -> AsyncIterator[Driver]:
    """Open a driver of some lanes beside others; it opens no run and has no background tasks."""
    app = _retrying(app.without_due_runs())
    async with fetching(app) as fetchers, notifier(app) as post:
        opened = _driver(app, fetchers, post, on_tick=_nothing)
        opened.worker = replace(opened.worker, max_lanes=max_lanes)
        yield opened


@asynccontextmanager
async def background(app: App) -> AsyncIterator[Background]:
    """Open the background without a driver, and deliver messages meanwhile."""
    app = _retrying(app)
    async with (
        fetching(app) as fetchers,
        notifier(app) as post,
        running(post),
        _background(app, fetchers, _learner(app, fetchers)) as background_tasks,
    ):
        yield background_tasks


def _retrying(app: App) -> App:
    return replace(app, database=RetryingDatabase(app.database, app.clock))


async def _nothing() -> None:
    """The callback of a driver without background tasks."""


def _driver(
    app: App, fetchers: Fetchers, post: Notifier, *, on_tick: Callable[[], Awaitable[object]]
) -> Driver:
    return Driver(
        database=app.database,
        clock=app.clock,
        fetch_tasks=_fetch_tasks(app, fetchers),
        worker=_worker(app),
        dispatcher=app.dispatcher,
        runner=app.parse_runner,
        blobs=fetchers.blobs,
        spool=Spool(app.settings.data / "spool"),
        tick_every=app.settings.tick_every,
        batching=Batching(longest=MAX_WAIT),
        max_jobs=app.settings.at_once,
        on_disk_full=lambda: post.alert_full_disk("runs wait for disk space, reads continue"),
        sync_clock=app.sync_clock,
        on_tick=on_tick,
    )


@asynccontextmanager
async def _background(app: App, fetchers: Fetchers, learner: ProfileLearner) -> AsyncIterator[Background]:
    """Create the background tasks, and end them in reverse order."""
    night = NightlyMaintenance(
        database=app.database, clock=app.clock, work=lambda: maintain(app), tz=app.settings.timezone
    )
    healer = Healer(
        database=app.database,
        blobs=fetchers.blobs,
        clock=app.clock,
        adapters=app.dispatcher.adapters,
        runner=app.parse_runner,
    )
    async with AsyncExitStack() as stack:
        tasks: list[BackgroundTask] = [night, image_fetcher(app, fetchers), healer, learner, scout_task(app)]
        tasks += enrichment_tasks(app)
        tasks += await _mirrors(app, stack)
        for task in tasks:
            stack.push_async_callback(task.end)
        yield Background(app=app, tasks=tasks)


def _learner(app: App, fetchers: Fetchers) -> ProfileLearner:
    return ProfileLearner(
        database=app.database,
        blobs=fetchers.blobs,
        clock=app.clock,
        adapters=app.dispatcher.adapters,
        runner=app.parse_runner,
    )


def image_fetcher(app: App, fetchers: Fetchers) -> ImageFetcher:
    """The image fetcher, with its own blob writer."""
    return ImageFetcher(
        database=app.database,
        clock=app.clock,
        fetcher=fetchers.http,
        blobs=app.blobs(),
        identity=fetchers.identity,
    )


async def _mirrors(app: App, stack: AsyncExitStack) -> Sequence[Mirror]:
    """The Elasticsearch mirror, if one is configured."""
    if not app.settings.elasticsearch.get_secret_value():
        return ()
    client = await stack.enter_async_context(session())
    return (Mirror(database=app.database, clock=app.clock, elastic=elastic(app.settings, client)),)


def _fetch_tasks(app: App, fetchers: Fetchers) -> NetworkFetchTasks:
    return NetworkFetchTasks(
        fetcher=fetchers.fetcher,
        database=app.database,
        blobs=fetchers.blobs,
        clock=app.clock,
        identity=fetchers.identity,
        actors=actors(app),
    )


def _worker(app: App) -> Worker:
    return Worker(
        owner=f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}",
        chance=app.dispatcher.chance,
        lease=timedelta(seconds=app.settings.lease_seconds),
    )
