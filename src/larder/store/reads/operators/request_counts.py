"""How many requests a source made lately, and how many its site's limits allow."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from larder.core.policy.scheduling.spending import NOTHING_SPENT, Spent
from larder.store.queue import request_hours
from larder.store.queue.site_limits import SITE_LIMIT_COLUMNS, SiteLimits, politeness_of
from larder.store.tables import sites

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestCounts:
    """Requests of a source."""

    spent: Spent = NOTHING_SPENT
    """Within the last day."""
    allowed_per_day: float | None = None
    """By the spacing of its site; None where requests are not spaced."""


def request_counts(conn: Connection, source_id: int, site_id: int | None, *, now: datetime) -> RequestCounts:
    """What a source asked of its site within a day, and what it may ask."""
    spent = request_hours.spent(conn, source_id, now=now)
    return RequestCounts(spent=spent, allowed_per_day=_allowed(conn, site_id))


def _allowed(conn: Connection, site_id: int | None) -> float | None:
    row = conn.execute(select(*SITE_LIMIT_COLUMNS).where(sites.c.id == site_id)).first()
    if row is None:
        return None
    politeness = politeness_of(SiteLimits(*row))
    gap = (politeness.spacing + politeness.spacing_max) / 2
    return DAY / gap if gap else None
