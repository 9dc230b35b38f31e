"""The only place that wires settings into a running Larder."""

import fcntl
import logging
import os
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import uuid4

from aiohttp import ClientSession
from aiohttp.abc import AbstractResolver
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from larder import adapters
from larder.core.errors import Unusable, not_installed
from larder.core.model.source import FetcherName
from larder.core.ports import Clock
from larder.engine import elastic
from larder.engine.claims import Claimant
from larder.engine.clock import DatabaseClock, SystemClock
from larder.engine.dispatch import Dispatcher
from larder.engine.driver import Driver
from larder.engine.gallery import Gallery, catch_up
from larder.engine.geocoding import Nominatim, place_events
from larder.engine.hands import NetworkHands
from larder.engine.heal import Healer
from larder.engine.identity import Identity
from larder.engine.letters import retry_due
from larder.engine.maintenance import Keeping, Maintained, Night, maintain
from larder.engine.manners import LaneSlots, StoredRobots
from larder.engine.outbox import Post, at_work
from larder.engine.recourse import StoredRecourse
from larder.engine.resolving import resolve_changes
from larder.engine.spool import Spool
from larder.engine.steady import SteadyDatabase
from larder.runs import FOLDS
from larder.settings import Settings
from larder.stages.fetch.actor import ActorFetcher
from larder.stages.fetch.actor_book import StoredCalls
from larder.stages.fetch.browser import BrowserFetcher, honest_browser_agent
from larder.stages.fetch.browser_process import BrowserLimits, BrowserProcess
from larder.stages.fetch.client import Client
from larder.stages.fetch.gate import Gate
from larder.stages.fetch.http import HttpFetcher, honest_agent
from larder.stages.fetch.ladder import Ladder
from larder.stages.fetch.permit import Tell
from larder.stages.fetch.proxies_pool import ProxyPool
from larder.stages.fetch.proxy_guard import ProxyGuard
from larder.stages.fetch.relay import RelayFetcher, RelayService
from larder.stages.fetch.request import Fetcher
from larder.stages.notify import post as posting
from larder.stages.notify.channels import ChannelKind, ChannelSpec, minimums, open_channels
from larder.stages.notify.summary import Morning
from larder.store import database as databases
from larder.store import lanes, public, retention, schema, secrets
from larder.store.blobs import Blobs, PackedBlobs
from larder.store.database import Database
from larder.store.paging import Found, Ranked
from larder.store.query import Query, Sort, check
from larder.store.retention import Keep, Swept
from larder.store.search import POOL
from larder.store.secrets import Strongbox

log = logging.getLogger("larder.app")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How pages come, where they go, and what we say about ourselves on the way."""

    fetcher: Fetcher
    http: Fetcher
    """The lowest rung alone."""
    gate: Gate
    blobs: Blobs
    identity: Identity


@dataclass(slots=True, kw_only=True)
class App:
    """An opened deployment."""

    settings: Settings
    database: Database
    clock: Clock
    dispatcher: Dispatcher
    resolver: AbstractResolver | None = None
    truth: Callable[[], Awaitable[Sequence[Any]]] | None = None
    """What is really there, site by site: known of made-up sites only."""

    async def do(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """One unit of work; what a driver says of a broken database becomes a line for a person."""
        try:
            return await self.database.run(work, *args, **kwargs)
        except (DBAPIError, OSError) as error:
            raise databases.explain(error) from error

    async def look(
        self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The same for work that only reads: it waits for no writer."""
        try:
            return await self.database.read(work, *args, **kwargs)
        except (DBAPIError, OSError) as error:
            raise databases.explain(error) from error

    async def find(self, query: Query, *, now: datetime) -> Found:
        """What the public may see of what is asked for, ranked by whichever index this deployment has."""
        ranked = await self._ranked(query)
        return await self.look(public.find, query, ranked=ranked, now=now)

    async def _ranked(self, query: Query) -> Ranked | None:
        """What Elasticsearch says; None where there is none, or where it does not answer."""
        if not self.settings.elasticsearch.get_secret_value() or query.order is not Sort.RELEVANCE:
            return None
        check(query)
        try:
            async with posting.session() as session:
                hits = await self._elastic(session).search(elastic.question(query, most=POOL))
        except elastic.ElasticError as error:
            log.warning("the database searches instead of Elasticsearch (%s)", error)
            return None
        return [(hit.score, hit.id) for hit in hits]

    def _elastic(self, session: ClientSession) -> elastic.Elastic:
        return elastic.Elastic(elastic.parse(self.settings.elasticsearch.get_secret_value()), session)

    def driver(self) -> AbstractAsyncContextManager[Driver]:
        """A driver over the network, patient with its database; on the embedded default the only one."""
        return replace(self, database=SteadyDatabase(self.database, self.clock)).driving()

    @asynccontextmanager
    async def driving(self) -> AsyncIterator[Driver]:
        """The same over this very database, patient or not."""
        async with AsyncExitStack() as stack:
            if self.settings.embedded:
                stack.enter_context(only_driver(self.settings.data))
                await self.do(lanes.release_all)
            ways = await stack.enter_async_context(self.fetching())
            blobs = ways.blobs
            await stack.enter_async_context(at_work(await stack.enter_async_context(self.post())))
            night = Night(
                database=self.database, clock=self.clock, work=self.maintain, tz=self.settings.timezone
            )
            stack.push_async_callback(night.end)
            gallery = self.gallery(ways)
            stack.push_async_callback(gallery.end)
            healer = Healer(
                database=self.database, blobs=blobs, clock=self.clock, adapters=self.dispatcher.adapters
            )
            stack.push_async_callback(healer.end)
            mirror = await self._mirror(stack)
            hands = NetworkHands(
                fetcher=ways.fetcher,
                database=self.database,
                blobs=blobs,
                clock=self.clock,
                identity=ways.identity,
                actors=self._actors(),
            )
            yield Driver(
                database=self.database,
                clock=self.clock,
                hands=hands,
                who=Claimant(
                    owner=_name(),
                    chance=self.dispatcher.chance,
                    lease=timedelta(seconds=self.settings.lease_seconds),
                ),
                dispatcher=self.dispatcher,
                blobs=blobs,
                spool=Spool(self.settings.data / "spool"),
                tick_every=self.settings.tick_every,
                room=self.settings.at_once,
                keep_time=self.keep_time,
                beat=lambda: self._beat(night, gallery, healer, mirror),
            )

    def gallery(self, ways: Ways) -> Gallery:
        """What fetches images, with bodies of its own to write."""
        return Gallery(
            database=self.database,
            clock=self.clock,
            fetcher=ways.http,
            blobs=self.blobs(),
            identity=ways.identity,
        )

    async def _mirror(self, stack: AsyncExitStack) -> elastic.Mirror | None:
        """What feeds Elasticsearch, where there is one."""
        if not self.settings.elasticsearch.get_secret_value():
            return None
        session = await stack.enter_async_context(posting.session())
        mirror = elastic.Mirror(database=self.database, clock=self.clock, elastic=self._elastic(session))
        stack.push_async_callback(mirror.end)
        return mirror

    async def _beat(
        self, night: Night, gallery: Gallery, healer: Healer, mirror: elastic.Mirror | None
    ) -> None:
        """What is done at each tick besides opening runs."""
        await self.database.run(retry_due, self.dispatcher, now=self.clock.now())
        await night.beat()
        await gallery.beat()
        await healer.beat()
        if mirror is not None:
            await mirror.beat()
        await resolve_changes(self.database, now=self.clock.now())

    async def maintain(self) -> Maintained:
        """What is done once a day, now."""
        settings = self.settings
        keeping = Keeping(
            jobs=timedelta(days=settings.jobs_keep_days),
            errors=timedelta(days=settings.errors_keep_days),
            changes=timedelta(days=settings.changes_keep_days),
        )
        await catch_up(self.database, now=self.clock.now())
        place = self._place_events if settings.geocoder else None
        return await maintain(
            self.database, self.clock, keeping, sweep_pages=self.sweep_pages, place_events=place
        )

    async def _place_events(self) -> int:
        agent = honest_agent(self.settings.contact)
        async with posting.session() as session:
            geocoder = Nominatim(self.settings.geocoder, session, self.clock, agent=agent)
            return (await place_events(self.database, geocoder, self.clock)).placed

    @property
    def morning(self) -> Morning:
        """When the summary is due here."""
        return Morning(at=self.settings.summary_at, tz=self.settings.timezone)

    @asynccontextmanager
    async def post(self) -> AsyncIterator[Post]:
        """What carries alerts and summaries to the channels that the settings name."""
        specs = [
            ChannelSpec(
                name=each.name,
                url=each.url.get_secret_value(),
                kind=None if each.kind is None else ChannelKind(each.kind),
                minimum=each.minimum,
            )
            for each in self.settings.channels
        ]
        async with posting.session() as client:
            channels = open_channels(specs, client)
            yield Post(
                database=self.database,
                clock=self.clock,
                minimums=minimums(specs),
                send=lambda parcel: channels[parcel.channel].send(parcel),
                morning=self.morning,
            )

    @asynccontextmanager
    async def fetching(self, tell: Tell | None = None) -> AsyncIterator[Ways]:
        """All the ways to a page that this deployment has; `tell` hears of each step."""
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(
                Client(self.clock, user_agent=honest_agent(self.settings.contact), resolver=self.resolver)
            )
            gate = Gate(
                client,
                slots=LaneSlots(self.database, self.clock, self.dispatcher.chance),
                robots=StoredRobots(self.database, agent=self.settings.agent),
                clock=self.clock,
                agent=self.settings.agent,
                strict=self.settings.strict,
                tell=tell,
            )
            box = Strongbox(self.settings.secret_key.get_secret_value())
            pool = ProxyPool(self.database, self.clock, self.dispatcher.chance, box)
            stack.push_async_callback(pool.flush)
            http = HttpFetcher(client, gate, self.clock, routes=pool)
            rungs: dict[FetcherName, Fetcher] = {FetcherName.HTTP: http}
            if self.settings.browser is not None:
                rungs[FetcherName.BROWSER] = await self._browser(stack, gate)
            if self.settings.relay_key:
                rungs[FetcherName.RELAY] = RelayFetcher(client, gate, self.clock, service=self._relay())
            blobs = self.blobs()
            stack.push_async_callback(blobs.close)
            ladder = Ladder(
                rungs,
                recourse=StoredRecourse(
                    self.database, blobs, self.clock, credits_a_month=self.settings.relay_credits or None
                ),
                clock=self.clock,
                javascript={
                    name for name, each in self.dispatcher.adapters.items() if each.manifest.javascript
                },
                tell=tell,
            )
            identity = Identity(
                user_agents=self.settings.user_agents, reveal=lambda name: self._reveal(name, box)
            )
            yield Ways(fetcher=ladder, http=http, gate=gate, blobs=blobs, identity=identity)

    async def _browser(self, stack: AsyncExitStack, gate: Gate) -> BrowserFetcher:
        proxy = await stack.enter_async_context(ProxyGuard(resolver=self.resolver))
        memory = self.settings.browser_memory_mb * 1024 * 1024
        limits = BrowserLimits(
            pages=self.settings.browser_pages, recycle_memory=memory // 2, most_memory=memory
        )
        process = BrowserProcess(self.settings.browser, limits=limits)
        stack.push_async_callback(process.close)
        agent = honest_browser_agent(self.settings.contact)
        return BrowserFetcher(process, proxy, gate, self.clock, user_agent=agent)

    def blobs(self) -> Blobs:
        """Where bodies lie: in a bucket if one is named, else in the data folder."""
        settings = self.settings
        if not settings.pages:
            return PackedBlobs(settings.data / "pages", sync=settings.pages_sync)
        try:
            from larder.store.blobs_s3 import open_bucket  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise not_installed("keeping pages in a bucket", "s3") from error
        return open_bucket(
            settings.pages,
            endpoint=settings.pages_endpoint,
            key=settings.pages_access_key,
            secret=settings.pages_secret.get_secret_value(),
            region=settings.pages_region,
        )

    async def sweep_pages(self) -> Swept:
        """Let go of pages and bodies that are too old or too much; for maintenance."""
        settings, blobs = self.settings, self.blobs()
        keep = Keep(age=timedelta(days=settings.pages_keep_days), room=settings.pages_keep_bytes or None)
        try:
            return await retention.sweep(self.database, blobs, keep, now=self.clock.now())
        finally:
            await blobs.close()

    def _actors(self) -> ActorFetcher | None:
        settings = self.settings
        if not settings.apify_token:
            return None
        try:
            from larder.stages.fetch.actor_apify import Apify  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise not_installed("an actor source", "actors") from error

        return ActorFetcher(
            Apify(settings.apify_token.get_secret_value(), url=settings.apify_url),
            StoredCalls(self.database, self.clock, budget=settings.apify_budget_usd or None),
            self.clock,
            actors=settings.actors,
            poll=timedelta(seconds=settings.actor_poll_seconds),
        )

    async def _reveal(self, name: str, box: Strongbox) -> str | None:
        found = await self.do(secrets.get, name, box)
        return None if found is None else found.reveal()

    def _relay(self) -> RelayService:
        return RelayService(url=self.settings.relay_url, key=self.settings.relay_key.get_secret_value())

    async def keep_time(self) -> None:
        """Set our clock by the database's, so that all workers live in one time."""
        if isinstance(self.clock, DatabaseClock):
            self.clock.was(*await self.database.run(databases.time_of))


@asynccontextmanager
async def open_app(
    settings: Settings, *, resolver: AbstractResolver | None = None, upgrade: bool = False
) -> AsyncIterator[App]:
    """Open a deployment; `upgrade` brings its schema up to date, else an outdated one is refused."""
    if settings.embedded:
        make_folder(settings.data)
    database = databases.open_database(settings.database_url)
    chance = random.SystemRandom()
    app = App(
        settings=settings,
        database=database,
        clock=SystemClock() if settings.embedded else DatabaseClock(),
        dispatcher=Dispatcher(
            adapters={adapter.id: adapter for adapter in adapters.known()},
            chance=chance,
            kinds=frozenset(FOLDS),
            strict=settings.strict,
            stagger=timedelta(seconds=settings.stagger_seconds),
        ),
        resolver=resolver,
    )
    try:
        await app.do(schema.upgrade if upgrade else schema.check)
        await app.keep_time()
        yield app
    finally:
        await database.close()


def make_folder(folder: Path) -> None:
    """The data folder, writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(folder, None)


def _unwritable(folder: Path, error: OSError | None) -> Unusable:
    said = f" ({error.strerror})" if error else ""
    return Unusable(
        f"the folder {folder} cannot be written{said}",
        hint="choose another with LARDER_DATA, or change its owner",
    )


class only_driver:  # noqa: N801 - reads as a statement: with only_driver(folder)
    """Holds the data folder's lock: one process drives an embedded Larder, and it knows that it does."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "driver.lock"

    def __enter__(self) -> None:
        """Take the lock, or say who has it."""
        self._file = self._path.open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            raise Unusable(
                f"another Larder drives this data folder (process {holder})",
                hint="stop it first, or leave the work to it: what you add is picked up at its next tick",
            ) from error
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def __exit__(self, *_: object) -> None:
        """Let go."""
        self._file.close()


def _name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
