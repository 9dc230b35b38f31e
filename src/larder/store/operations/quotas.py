"""Usage of metered services by provider and period, for all workers together."""

from datetime import datetime

from sqlalchemy import Connection, select

from larder.core.policy.quota import Quota, period_of
from larder.store.database.statement import Statement
from larder.store.tables import quotas
from larder.store.tables.columns import micros

_SPEND = Statement(
    """
    INSERT INTO quotas (provider, period, used, allowed, updated_at)
    VALUES (:provider, :period, :cost, :allowed, :now)
    ON CONFLICT (provider, period) DO UPDATE SET used = quotas.used + excluded.used,
      allowed = COALESCE(excluded.allowed, quotas.allowed), updated_at = excluded.updated_at
    """,
    args={"provider": "text", "period": "text", "cost": "float", "allowed": "float", "now": "int"},
)

_EXHAUST = Statement(
    """
    UPDATE quotas SET allowed = used WHERE provider = :provider AND period = :period
    """,
    args={"provider": "text", "period": "text"},
)


def read(conn: Connection, provider: str, *, allowed: float | None, now: datetime) -> Quota:
    """This period's quota; `allowed` is the operator's limit, unless the provider's is lower."""
    found = conn.execute(
        select(quotas.c.used, quotas.c.allowed).where(
            quotas.c.provider == provider, quotas.c.period == period_of(now)
        )
    ).one_or_none()
    if found is None:
        return Quota(allowed=allowed)
    limits = [limit for limit in (allowed, found.allowed) if limit is not None]
    return Quota(used=found.used, allowed=min(limits, default=None))


def spend(
    conn: Connection, provider: str, cost: float, *, now: datetime, allowed: float | None = None
) -> None:
    """Add to the usage."""
    period = period_of(now)
    _SPEND(conn, provider=provider, period=period, cost=cost, allowed=allowed, now=micros(now))


def exhaust(conn: Connection, provider: str, *, now: datetime) -> None:
    """Mark the quota as spent, as the provider says so, whatever was counted."""
    spend(conn, provider, 0, now=now)
    _EXHAUST(conn, provider=provider, period=period_of(now))
