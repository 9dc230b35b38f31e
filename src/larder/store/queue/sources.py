"""Sites and sources: added by one row, adopted by the next dispatch."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, insert, select, update

from larder.core.model.source import FetcherName, Kind, Plan, Source, Tier
from larder.core.policy.trust.head_trust import HeadTrust
from larder.sdk.declarations.overlay import with_repairs
from larder.store.database.statement import Statement, fetch_as, fetch_one_as, json_value
from larder.store.queue import lanes
from larder.store.queue.source_rows import SourceRow, with_site
from larder.store.tables import schedules, sites, sources, targets
from larder.store.tables.columns import micros

_SITE = Statement(
    """
    INSERT INTO sites (domain, created_at, updated_at) SELECT domain, :now, :now FROM {rows} AS named
    WHERE NOT EXISTS (SELECT 1 FROM sites WHERE sites.domain = named.domain) ON CONFLICT DO NOTHING
    """,
    rows={"domain": "text"},
    args={"now": "int"},
)


class _LoadedSource(NamedTuple):
    id: int
    slug: str
    name: str | None
    kind: str
    site_id: int | None
    adapter: str
    url: str
    feed_url: str | None
    cadence_hours: float | None
    params: Any
    repaired: Any
    plan: str
    tier: str
    tz: str
    language: str
    currency: str | None
    max_items_per_run: int | None
    max_pages: int | None
    fetcher: str
    latitude: float | None
    longitude: float | None
    exempt_hosts: Any


_LOAD = Statement(
    """
    SELECT id, slug, name, kind, site_id, adapter, url, feed_url, cadence_hours, params, repaired, plan, tier,
           tz, language, currency, max_items_per_run, max_pages, fetcher, latitude, longitude,
           (SELECT exempt_hosts FROM sites WHERE sites.id = sources.site_id) AS exempt_hosts
    FROM sources WHERE id IN (SELECT id FROM {rows} AS asked)
    """,
    row=_LoadedSource,
    rows={"id": "int"},
)


class _HeadTrustRow(NamedTuple):
    head_checks: int
    head_compared: int
    head_agreed: int


_HEAD_TRUST = Statement(
    "SELECT head_checks, head_compared, head_agreed FROM sources WHERE id = :id",
    row=_HeadTrustRow,
    args={"id": "int"},
)
_SET_HEAD_TRUST = Statement(
    """
    UPDATE sources SET head_checks = :checks, head_compared = :compared, head_agreed = :agreed WHERE id = :id
    """,
    args={"id": "int", "checks": "int", "compared": "int", "agreed": "int"},
)


def add(conn: Connection, row: Mapping[str, Any], *, now: datetime) -> int:
    """Add a source; dispatch adopts it at its next tick."""
    values = {**row, "created_at": now, "updated_at": now}
    added: int = conn.scalar(insert(sources).values(values).returning(sources.c.id)) or 0
    return added


def update_source(conn: Connection, source_id: int, values: Mapping[str, Any], *, now: datetime) -> None:
    """Set fields of a source."""
    conn.execute(update(sources).where(sources.c.id == source_id).values({**values, "updated_at": now}))


def by_slug(conn: Connection, slug: str) -> SourceRow | None:
    """A source with its site; removed ones, too."""
    return fetch_one_as(conn, with_site().where(sources.c.slug == slug), SourceRow)


def list_sources(conn: Connection) -> list[SourceRow]:
    """All sources with their sites, by name, except removed ones."""
    return fetch_as(
        conn, with_site().where(sources.c.removed_at.is_(None)).order_by(sources.c.slug), SourceRow
    )


def claim_new(conn: Connection) -> list[SourceRow]:
    """Sources added since the last tick that no other process is adopting."""
    return fetch_as(conn, _added(), SourceRow)


@cache
def _added() -> Select[Any]:
    added = with_site().where(sources.c.adopted_at.is_(None)).order_by(sources.c.id).limit(500)
    return added.with_for_update(of=sources, skip_locked=True)


def adopt(
    conn: Connection, source_id: int, site_id: int, plan: Mapping[str, datetime], *, now: datetime
) -> None:
    """Set a source's site and the first run of each kind of its plan."""
    conn.execute(update(sources).where(sources.c.id == source_id).values(site_id=site_id, adopted_at=now))
    dropped = (schedules.c.source_id == source_id) & schedules.c.kind.not_in(list(plan))
    conn.execute(delete(schedules).where(dropped))
    planned = set(conn.scalars(select(schedules.c.kind).where(schedules.c.source_id == source_id)))
    rows = [
        {"source_id": source_id, "kind": kind, "next_at": at}
        for kind, at in plan.items()
        if kind not in planned
    ]
    if rows:
        conn.execute(insert(schedules), rows)


def remove(conn: Connection, source_id: int, *, now: datetime) -> None:
    """Remove a source and its targets from every list and schedule; records and runs still name it."""
    values = {"removed_at": now, "enabled": 0, "adopted_at": now, "updated_at": now}
    conn.execute(update(sources).where(sources.c.id == source_id).values(values))
    for table in (schedules, targets):
        conn.execute(delete(table).where(table.c.source_id == source_id))


def disable_invalid(conn: Connection, source_id: int, reason: str, *, now: datetime) -> None:
    """Disable a source that cannot run and mark it for review, with the reason."""
    conn.execute(
        update(sources)
        .where(sources.c.id == source_id)
        .values(adopted_at=now, needs_review=1, review_reason=reason)
    )


def ensure_site(
    conn: Connection, domain: str, values: Mapping[str, Any] | None = None, *, now: datetime
) -> int:
    """The id of a domain's site, created if it is new; `values` are set in both cases."""
    _SITE(conn, [(domain,)], now=micros(now))
    found: int = conn.scalars(select(sites.c.id).where(sites.c.domain == domain)).one()
    if values:
        conn.execute(update(sites).where(sites.c.id == found).values({**values, "updated_at": now}))
    lanes.ensure_lanes(conn, found)
    return found


def load(conn: Connection, ids: Sequence[int]) -> dict[int, Source]:
    """Sources as runs and stages see them."""
    return {row.id: source_from_row(row) for row in _LOAD(conn, [(i,) for i in ids])}


def declared_params(conn: Connection, source_id: int) -> dict[str, Any]:
    """A source's parameters as declared, without repairs."""
    return dict(conn.execute(select(sources.c.params).where(sources.c.id == source_id)).scalar_one() or {})


def effective_params(params: Any, repaired: Any) -> dict[str, Any]:
    """A source's declared parameters with its applied repairs."""
    effective: dict[str, Any] = with_repairs(json_value(params) or {}, json_value(repaired) or ())
    return effective


def source_from_row(row: SourceRow | _LoadedSource) -> Source:
    """The source from its row."""
    return Source(
        id=row.id,
        slug=row.slug,
        name=row.name or row.slug,
        kind=Kind(row.kind),
        site_id=row.site_id or 0,
        adapter=row.adapter,
        url=row.url,
        feed_url=row.feed_url,
        cadence_hours=row.cadence_hours,
        params=effective_params(row.params, row.repaired),
        plan=Plan(row.plan),
        tier=Tier(row.tier),
        tz=row.tz,
        language=row.language,
        currency=row.currency,
        max_items_per_run=row.max_items_per_run,
        max_pages=row.max_pages,
        fetcher=FetcherName(row.fetcher),
        latitude=row.latitude,
        longitude=row.longitude,
        exempt_hosts=json_value(row.exempt_hosts) or {},
    )


def head_trust(conn: Connection, source_id: int) -> HeadTrust:
    """How far a source's answers to HEAD can be trusted."""
    (row,) = _HEAD_TRUST(conn, id=source_id)
    return HeadTrust(checks=row.head_checks, compared=row.head_compared, agreed_in_a_row=row.head_agreed)


def set_head_trust(conn: Connection, source_id: int, trust: HeadTrust) -> None:
    """Store what a window of checks showed about HEAD."""
    checks, agreed = trust.checks, trust.agreed_in_a_row
    _SET_HEAD_TRUST(conn, id=source_id, checks=checks, compared=trust.compared, agreed=agreed)
