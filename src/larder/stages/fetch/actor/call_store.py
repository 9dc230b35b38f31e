"""Stores calls of actors and their cost in the database."""

from datetime import datetime

from larder.core.model.source import Source
from larder.core.policy.quota import Allowance, Quota
from larder.core.ports import Clock
from larder.stages.fetch.actor.call import ActorCall, ActorJob
from larder.store.database import Connection, Database
from larder.store.operations import quotas
from larder.store.operations.notifications import alerts
from larder.store.queue import actor_calls

PROVIDER = "apify"
QUOTA_SPENT = "quota_spent"


class DatabaseCallStore:
    """Stores a call and its cost in one unit of work, so that a cost is counted once."""

    def __init__(self, database: Database, clock: Clock, *, budget: float | None) -> None:
        self._database = database
        self._clock = clock
        self._budget = budget

    async def keep(self, job: ActorJob, call: ActorCall, *, cost: float = 0) -> bool:
        """Store a call with its job; False if another driver has the job now."""
        return await self._database.run(_keep, job, call, cost, budget=self._budget, now=self._clock.now())

    async def quota(self) -> Quota:
        """This month's quota over all workers."""
        return await self._database.run(quotas.read, PROVIDER, allowed=self._budget, now=self._clock.now())

    async def quota_spent(self, source: Source, message: str) -> None:
        """Open an alert."""
        details = {"source": source.slug}
        await self._database.run(
            alerts.raise_alert, QUOTA_SPENT, "P2", PROVIDER, message, now=self._clock.now(), details=details
        )


def _keep(
    conn: Connection, job: ActorJob, call: ActorCall, cost: float, *, budget: float | None, now: datetime
) -> bool:
    stored = actor_calls.store_call(
        conn, job.job_id, job.context, call.stored(), run_id=job.run_id, token=job.token, now=now
    )
    if stored and cost:
        quotas.spend(conn, PROVIDER, cost, now=now)
        if quotas.read(conn, PROVIDER, allowed=budget, now=now).state is not Allowance.SPENT:
            alerts.resolve(conn, QUOTA_SPENT, PROVIDER, now=now)
    return stored
