"""Which adapter version reads each source, and which candidate waits for its canary.

A source without a row has never run: its first version is active at once, because there is nothing to compare
it with.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, select, update

from larder.core.policy.trust.canary import CanaryState
from larder.store.database.statement import Statement, fetch_as, fetch_one_as, table_columns
from larder.store.tables import canaries, sites, sources
from larder.store.tables.columns import micros


class CanaryRow(NamedTuple):
    """The version that reads a source, and the state of the candidate."""

    source_id: int
    active: str
    active_since: datetime
    candidate: str | None
    status: str
    comparison: Any
    judged_at: datetime | None
    accepted_by: str | None
    accepted_at: datetime | None
    slug: str
    adapter: str
    params: Any
    repaired: Any
    domain: str | None


def setup_of(conn: Connection, source_id: int) -> tuple[datetime | None, str]:
    """When a source was added, and its active version."""
    query = select(sources.c.created_at, canaries.c.active).join(canaries).where(sources.c.id == source_id)
    row = conn.execute(query).one_or_none()
    return (None, "") if row is None else (row.created_at, row.active)


class _ActiveVersion(NamedTuple):
    source_id: int
    active: str


_RUNS = Statement(
    """
    INSERT INTO canaries (source_id, active, active_since)
    SELECT source_id, version, :now FROM {rows} AS opened WHERE true
    ON CONFLICT (source_id) DO UPDATE SET candidate = NULL, status = 'proven', comparison = NULL
    WHERE canaries.candidate IS NOT NULL
    """,
    rows={"source_id": "int", "version": "text"},
    args={"now": "int"},
)

_ACTIVE = Statement(
    """
    SELECT canaries.source_id, canaries.active FROM {rows} AS asked
    JOIN canaries ON canaries.source_id = asked.id
    """,
    row=_ActiveVersion,
    rows={"id": "int"},
)

_WAITING = Statement(
    "SELECT source_id FROM canaries WHERE status = :status ORDER BY source_id LIMIT :limit",
    scalar=int,
    args={"status": "text", "limit": "int"},
)


def record_run(conn: Connection, source_id: int, version: str, *, now: datetime) -> None:
    """Record a run's version as active: it is the source's first one, or one that was reverted to."""
    _RUNS(conn, [(source_id, version)], now=micros(now))


def active_versions(conn: Connection, source_ids: Sequence[int]) -> dict[int, str]:
    """The active version, by source."""
    return dict(_ACTIVE(conn, [(i,) for i in source_ids]))


def set_candidate(conn: Connection, source_id: int, version: str) -> None:
    """Set a candidate version; it waits for its canary."""
    condition = (canaries.c.source_id == source_id) & canaries.c.candidate.is_distinct_from(version)
    conn.execute(update(canaries).where(condition).values(candidate=version, status=CanaryState.WAITING))


def promote(
    conn: Connection,
    source_id: int,
    version: str,
    comparison: Mapping[str, Any] | None,
    *,
    now: datetime,
    accepted_by: str | None = None,
) -> None:
    """Make a version the active one; if a person accepted it, older values are not compared with it."""
    values: dict[str, Any] = {"active": version, "active_since": now, "candidate": None}
    values |= {"status": CanaryState.PROVEN, "comparison": comparison, "judged_at": now}
    if accepted_by is not None:
        values |= {"accepted_by": accepted_by, "accepted_at": now}
    conn.execute(update(canaries).where(canaries.c.source_id == source_id).values(values))


def reject(
    conn: Connection, source_id: int, version: str, comparison: Mapping[str, Any], *, now: datetime
) -> None:
    """Mark the candidate as rejected: none of its items are stored until a person decides."""
    values = {"candidate": version, "status": CanaryState.REFUSED, "comparison": comparison, "judged_at": now}
    conn.execute(update(canaries).where(canaries.c.source_id == source_id).values(values))


def list_waiting(conn: Connection, *, limit: int) -> list[int]:
    """Sources whose candidate waits for its canary."""
    return _WAITING(conn, status=CanaryState.WAITING.value, limit=limit)


def by_source(conn: Connection, source_id: int) -> CanaryRow | None:
    """The canary state of a source."""
    return fetch_one_as(conn, _rows().where(canaries.c.source_id == source_id), CanaryRow)


def list_by_adapter(conn: Connection, adapter: str | None, domain: str | None) -> list[CanaryRow]:
    """The same for all sources of an adapter, on one site or on all."""
    query = _rows().order_by(sources.c.slug)
    if adapter is not None:
        query = query.where(sources.c.adapter == adapter)
    if domain is not None:
        query = query.where(sites.c.domain == domain)
    return fetch_as(conn, query, CanaryRow)


def _rows() -> Select[Any]:
    columns = (sources.c.slug, sources.c.adapter, sources.c.params, sources.c.repaired, sites.c.domain)
    return (
        select(*table_columns(canaries, CanaryRow), *columns)
        .join(sources, sources.c.id == canaries.c.source_id)
        .outerjoin(sites, sites.c.id == sources.c.site_id)
    )
