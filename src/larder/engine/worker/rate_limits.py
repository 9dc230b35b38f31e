"""Limits that all workers share.

Stored terms and robots.txt, slots on a site's lane, and spacing of requests.
"""

import asyncio
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import cast

from larder.core.model.job import Slot
from larder.core.model.site import SiteTerms
from larder.core.ports import Chance, Clock
from larder.sdk.urls import host_of, registrable_domain
from larder.stages.fetch.permit import Refusal
from larder.stages.fetch.robots.policy import Robots
from larder.stages.fetch.robots.response import RobotsEntry, RobotsState
from larder.store.database import Connection, Database
from larder.store.operations import robots
from larder.store.queue import lanes, sources
from larder.store.queue.exempt_hosts import lane_domain
from larder.store.reads.operators import sites

ONE_MS = timedelta(milliseconds=1)
MIN_GAP = 0.95
TERMS_AGE = timedelta(seconds=1)
LONG_AGO = datetime.min.replace(tzinfo=UTC)


class StoredRobots:
    """robots.txt in the database; its crawl-delay slows the site's lane for all workers."""

    def __init__(self, database: Database, *, agent: str) -> None:
        self._database = database
        self._agent = agent

    async def get(self, origin: str) -> RobotsEntry | None:
        """The latest entry stored by any worker."""
        row = await self._database.run(robots.read, origin)
        if row is None:
            return None
        return RobotsEntry(
            state=RobotsState(row.state),
            status=row.status,
            body=row.body or "",
            tries=row.tries,
            fetched_at=row.fetched_at,
            expires_at=row.expires_at,
        )

    async def put(self, origin: str, entry: RobotsEntry) -> None:
        """Store it for all workers."""
        stated = Robots.parse(entry.body).crawl_delay(self._agent)
        delay = None if stated is None else entry.crawl_delay
        await self._database.run(_store_robots, origin, entry, delay)


def _store_robots(conn: Connection, origin: str, entry: RobotsEntry, delay: timedelta | None) -> None:
    robots.write(
        conn,
        origin,
        state=entry.state,
        status=entry.status,
        body=entry.body,
        tries=entry.tries,
        fetched_at=entry.fetched_at,
        expires_at=entry.expires_at,
    )
    if entry.state is RobotsState.RULES and registrable_domain(origin) is not None:
        robots.set_crawl_delay(conn, lane_domain(conn, origin), None if delay is None else delay // ONE_MS)


class StoredTerms:
    """Operators' decisions about sites, at most a second old: a block applies to the next requests.

    One query reads the terms of all sites in use, however many requests they get.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._read_at = LONG_AGO
        self._known: dict[str, SiteTerms] = {}
        self._asked: set[str] = set()
        """Sites used since the terms were read; the next query forgets the others."""
        self._reading = asyncio.Lock()

    async def terms_of(self, url: str) -> SiteTerms:
        """The terms decision for the site of this URL."""
        domain = registrable_domain(url) or host_of(url)
        self._asked.add(domain)
        if not self._is_known(domain):
            async with self._reading:
                if not self._is_known(domain):
                    await self._read(domain)
        return self._known[domain]

    def _is_known(self, domain: str) -> bool:
        age = self._clock.now() - self._read_at
        return domain in self._known and timedelta(0) <= age < TERMS_AGE

    async def _read(self, domain: str) -> None:
        now = self._clock.now()
        if timedelta(0) <= now - self._read_at < TERMS_AGE:
            self._known |= await self._database.read(sites.terms_of_all, [domain])
            return
        domains, self._asked = self._asked | {domain}, {domain}
        self._known = await self._database.read(sites.terms_of_all, sorted(domains))
        self._read_at = now


class LaneSlots:
    """Slots for requests without a job: robots.txt, and redirects."""

    def __init__(self, database: Database, clock: Clock, chance: Chance) -> None:
        self._database = database
        self._clock = clock
        self._chance = chance

    async def reserve(self, url: str) -> Slot | Refusal:
        """The next slot of this URL's site or exempt host, also where another worker drives its lane."""
        return await self._database.run(_reserve, url, self._clock.now(), self._chance)


def _reserve(conn: Connection, url: str, now: datetime, rng: Chance) -> Slot:
    site_id = sources.ensure_site(conn, lane_domain(conn, url), now=now)
    return lanes.reserve(conn, site_id, now=now, rng=rng)


class Pacer:
    """Keeps this process's requests to one site apart on the wire.

    Slots are reserved in advance. After a stall several may be due at once; each waits until the one before
    it was sent, or lets its slot expire. A small part of each gap may be caught up, so that delays do not
    add up.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_turns: dict[int, datetime] = {}
        self._queues: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._asleep: set[asyncio.Task[object]] = set()
        self._stopped = False

    def stop(self) -> None:
        """Admit no more requests; waiting requests give up their slots."""
        self._stopped = True
        for task in self._asleep:
            task.cancel()

    async def turn(self, lane: lanes.Lane, slot: Slot) -> bool:
        """Wait for this slot; False where it is missed."""
        async with self._queues[lane.site_id]:
            opens_at = max(slot.opens_at, self._free_at(lane))
            missed = self._stopped or max(opens_at, self._clock.now()) > slot.closes_at
            if missed or not await self._sleep_until(opens_at):
                return False
            self._last_turns[lane.site_id] = last = self._clock.now()
            return last <= slot.closes_at

    async def _sleep_until(self, moment: datetime) -> bool:
        """Sleep; False where `stop` ended it."""
        me = cast("asyncio.Task[object]", asyncio.current_task())
        self._asleep.add(me)
        try:
            await self._clock.sleep_until(moment)
        except asyncio.CancelledError:
            if not self._stopped:
                raise
            me.uncancel()
            return False
        finally:
            self._asleep.discard(me)
        return True

    def _free_at(self, lane: lanes.Lane) -> datetime:
        last = self._last_turns.get(lane.site_id)
        if last is None or last > self._clock.now():  # a clock that went back
            return LONG_AGO
        return last + lane.politeness.spacing * MIN_GAP
