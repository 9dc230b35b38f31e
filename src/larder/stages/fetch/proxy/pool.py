"""The deployment's proxies, for the fetch stage: one pool for all workers, stored in the database.

Results are collected and written with the next choice, in the same unit of work: a choice considers all
earlier results, and reporting needs no transaction of its own.
"""

from datetime import datetime, timedelta
from functools import partial

from larder.core.model.job import Slot
from larder.core.ports import Chance, Clock
from larder.sdk.urls import host_of, registrable_domain
from larder.stages.fetch.permit import Refusal, Route
from larder.store.database import Connection, Database
from larder.store.operations import proxies
from larder.store.operations.access.secrets import SecretCipher
from larder.store.operations.proxies import Proxy, Report
from larder.store.queue import sources

LOOK_AGAIN = timedelta(minutes=5)
"""How long a job waits if the pool is empty."""


class ProxyPool:
    """Chooses a proxy, reserves its slot and counts the result."""

    def __init__(self, database: Database, clock: Clock, chance: Chance, box: SecretCipher) -> None:
        self._database = database
        self._clock = clock
        self._chance = chance
        self._box = box
        self._reports: list[Report] = []

    async def choose(self, url: str) -> Route | Refusal:
        """The next proxy for this URL's site."""
        now, reports = self._clock.now(), self._take_reports()
        chosen = await self._database.run(_choose, _site(url), reports, self._box, self._chance, now=now)
        if chosen is None:
            return Refusal.wait("no proxy is left in the pool", until=now + LOOK_AGAIN)
        proxy, slot = chosen
        slots = _ProxySlots(self, proxy)
        return Route(proxy=proxy, slot=slot, slots=slots, report=partial(self._report, proxy))

    async def reserve(self, proxy: Proxy, url: str) -> Slot:
        """A further slot for the same proxy."""
        now = self._clock.now()
        return await self._database.run(_reserve, _site(url), proxy.id, self._chance, now=now)

    async def flush(self) -> None:
        """Write the results reported since the last choice."""
        await self._database.run(proxies.record_results, self._take_reports(), now=self._clock.now())

    def _report(self, proxy: Proxy, answered: bool, took: timedelta) -> None:
        self._reports.append(Report(proxy_id=proxy.id, answered=answered, took=took))

    def _take_reports(self) -> list[Report]:
        reports, self._reports = self._reports, []
        return reports


class _ProxySlots:
    """Slots on one proxy's lanes."""

    def __init__(self, pool: ProxyPool, proxy: Proxy) -> None:
        self._pool = pool
        self._proxy = proxy

    async def reserve(self, url: str) -> Slot | Refusal:
        """A slot on the lane of this proxy and this URL's site."""
        return await self._pool.reserve(self._proxy, url)


def _choose(
    conn: Connection, domain: str, reports: list[Report], box: SecretCipher, rng: Chance, *, now: datetime
) -> tuple[Proxy, Slot] | None:
    proxies.record_results(conn, reports, now=now)
    site_id = sources.ensure_site(conn, domain, now=now)
    return proxies.pick(conn, site_id, box, now=now, rng=rng)


def _reserve(conn: Connection, domain: str, proxy_id: int, rng: Chance, *, now: datetime) -> Slot:
    site_id = sources.ensure_site(conn, domain, now=now)
    return proxies.reserve(conn, site_id, proxy_id, now=now, rng=rng)


def _site(url: str) -> str:
    return registrable_domain(url) or host_of(url)
