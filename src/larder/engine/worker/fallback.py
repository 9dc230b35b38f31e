"""Storage for fetcher escalation: the relay's quota, stored pages, suggestions and alerts."""

from datetime import datetime, timedelta

from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName, Source
from larder.core.policy.alerting import AlertName
from larder.core.policy.quota import Allowance, Quota
from larder.core.ports import Clock
from larder.engine.processing.stored_page import load_stored_page
from larder.store.database import Connection, Database
from larder.store.operations import quotas
from larder.store.operations.notifications import alerts
from larder.store.pages import last_good_page
from larder.store.pages.blobs import Blobs
from larder.store.queue import source_health

RELAY = "relay"


class StoredFallback:
    """Fallbacks kept in the database and the blob store."""

    def __init__(
        self, database: Database, blobs: Blobs, clock: Clock, *, credits_a_month: float | None = None
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._clock = clock
        self._allowed = credits_a_month

    async def suggest(self, source: Source, fetcher: FetcherName) -> None:
        """Suggest another fetcher for the source."""
        await self._database.run(_suggest, source, fetcher)

    async def host_lost(self, source: Source, fetched: Fetched) -> None:
        """Mark the source as unreachable and alert."""
        await self._database.run(
            _host_lost, source, f"{fetched.outcome}: {fetched.error}"[:500], now=self._clock.now()
        )

    async def host_found(self, source: Source) -> None:
        """Clear the mark and resolve the alert."""
        await self._database.run(_host_found, source, now=self._clock.now())

    async def quota(self) -> Quota:
        """This month's quota, shared by all workers."""
        return await self._database.run(quotas.read, RELAY, allowed=self._allowed, now=self._clock.now())

    async def spend(self, cost: float) -> None:
        """Count the cost, and resolve the relay's alert: a relay that is paid has answered."""
        await self._database.run(_spend, cost, allowed=self._allowed, now=self._clock.now())

    async def quota_spent(self, source: Source | None, message: str | None) -> None:
        """Alert; if the relay itself says so, the quota is spent for this month."""
        await self._database.run(_quota_spent, source, message, now=self._clock.now())

    async def relay_down(self, source: Source, message: str) -> None:
        """Mark the source for review and alert."""
        await self._database.run(_relay_down, source, message, now=self._clock.now())

    async def stored_page(self, source: Source, url: str, *, younger_than: timedelta) -> Fetched | None:
        """The last good page, with its fetch time."""
        since = self._clock.now() - younger_than
        page = await self._database.run(last_good_page.last_good, source.id, url, since=since)
        return None if page is None else await load_stored_page(self._blobs, page)


def _suggest(conn: Connection, source: Source, fetcher: FetcherName) -> None:
    source_health.suggest_fetcher(conn, source.id, str(fetcher))


def _host_lost(conn: Connection, source: Source, cause: str, *, now: datetime) -> None:
    source_health.set_broken_reason(conn, source.id, cause)
    message = f"{source.name} cannot be reached ({cause}): has the domain moved?"
    _alert(conn, AlertName.DOMAIN_MOVED, source.slug, message, now=now)


def _host_found(conn: Connection, source: Source, *, now: datetime) -> None:
    source_health.set_broken_reason(conn, source.id, None)
    alerts.resolve(conn, AlertName.DOMAIN_MOVED, source.slug, now=now)


def _spend(conn: Connection, cost: float, *, allowed: float | None, now: datetime) -> None:
    quotas.spend(conn, RELAY, cost, now=now, allowed=allowed)
    left = quotas.read(conn, RELAY, allowed=allowed, now=now).state is not Allowance.SPENT
    over = (AlertName.RELAY_DOWN, AlertName.QUOTA_SPENT) if left else (AlertName.RELAY_DOWN,)
    alerts.resolve_all(conn, over, RELAY, now=now)


def _quota_spent(conn: Connection, source: Source | None, cause: str | None, *, now: datetime) -> None:
    if cause is not None:
        quotas.exhaust(conn, RELAY, now=now)
    suffix = f" ({cause})" if cause else ""
    message = f"the relay's quota of this month is spent{suffix}; stored pages are used instead"
    _alert(conn, AlertName.QUOTA_SPENT, RELAY, message, now=now, source=source)


def _relay_down(conn: Connection, source: Source, cause: str, *, now: datetime) -> None:
    source_health.request_review(conn, source.id, f"the relay is down: {cause}")
    message = f"the relay does not answer ({cause}); its sources need review"
    _alert(conn, AlertName.RELAY_DOWN, RELAY, message, now=now, source=source)


def _alert(
    conn: Connection,
    name: AlertName,
    subject: str,
    message: str,
    *,
    now: datetime,
    source: Source | None = None,
) -> None:
    details = {"source": source.slug} if source else None
    alerts.raise_alert(conn, name, name.severity, subject, message, now=now, details=details)
