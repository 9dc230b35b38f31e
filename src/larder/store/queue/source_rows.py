"""The rows in which sources are read: with their site, and with their schedules."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, select

from larder.store.database.statement import table_columns
from larder.store.tables import sites, sources


class SourceRow(NamedTuple):
    """A source with its site; the site is empty until the source is adopted."""

    id: int
    slug: str
    name: str | None
    kind: str
    url: str
    feed_url: str | None
    site_id: int | None
    adapter: str
    params: Any
    repaired: Any
    plan: str
    tier: str
    cadence_hours: float | None
    enabled: int
    needs_review: int
    review_reason: str | None
    max_items_per_run: int | None
    max_pages: int | None
    fetcher: str
    suggested_fetcher: str | None
    policy: Any
    latitude: float | None
    longitude: float | None
    tz: str
    language: str
    currency: str | None
    visibility: str
    upc_trusted: int
    reenables_itself: int
    adopted_at: datetime | None
    removed_at: datetime | None
    broken_reason: str | None
    last_run_at: datetime | None
    last_run_status: str | None
    consecutive_failures: int
    reliability: float
    fetch_days: Any
    items_seen: int
    head_checks: int
    head_compared: int
    head_agreed: int
    created_at: datetime | None
    updated_at: datetime | None
    domain: str | None
    terms_reviewed_at: datetime | None
    terms_reviewed_by: str | None
    site_blocked: int | None
    site_local: int | None
    exempt_hosts: Any


SOURCE_COLUMNS = (
    *table_columns(sources, SourceRow),
    sites.c.domain,
    sites.c.terms_reviewed_at,
    sites.c.terms_reviewed_by,
    sites.c.blocked.label("site_blocked"),
    sites.c.local.label("site_local"),
    sites.c.exempt_hosts,
)


def with_site() -> Select[Any]:
    """Sources in the columns of `SourceRow`."""
    return select(*SOURCE_COLUMNS).outerjoin(sites, sites.c.id == sources.c.site_id)


class ScheduleRow(NamedTuple):
    """A schedule with everything that its gates judge."""

    source: SourceRow
    run_kind: str
    next_at: datetime
    memory: Any
    gates: Any
    cooling_until: datetime | None
    circuit_state: str | None
    circuit_until: datetime | None
    adapter_off: str | None
    """Why the adapter is disabled; None if it is enabled."""
    probe_at: datetime | None
    active_version: str | None
    candidate_version: str | None
    canary: str | None
    comparison: Any
    refused_beside: str | None
    """An adapter version that another source of the same site and adapter refused."""
    open_run: int | None
    open_run_status: str | None
    open_run_error: str | None


_WIDTH = len(SourceRow._fields)
_COLUMNS = (*SourceRow._fields, *ScheduleRow._fields[1:])


def fetch_schedules(
    conn: Connection, query: Select[Any], values: Mapping[str, Any] | None = None
) -> list[ScheduleRow]:
    """The rows of a select of a source's columns followed by a schedule's."""
    result = conn.execute(query, values)
    if (found := tuple(result.keys())) != _COLUMNS:
        raise TypeError(f"ScheduleRow has the columns {_COLUMNS}, the result has {found}")
    return [ScheduleRow(SourceRow._make(row[:_WIDTH]), *row[_WIDTH:]) for row in result]
