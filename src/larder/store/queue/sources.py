"""Sites and sources: added by one row, adopted by the next dispatch."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select, update

from larder.core.model.source import FetcherName, Kind, Plan, Source, Tier
from larder.core.policy.trust.head_trust import HeadTrust
from larder.sdk.overlay import overlaid
from larder.store.database.statement import AnyRow, Statement, loads
from larder.store.queue import lanes
from larder.store.tables import schedules, sites, sources
from larder.store.tables.columns import micros

_SITE = Statement(
    """
    INSERT INTO sites (domain, created_at, updated_at) SELECT domain, :now, :now FROM {rows} AS named
    WHERE NOT EXISTS (SELECT 1 FROM sites WHERE sites.domain = named.domain) ON CONFLICT DO NOTHING
    """,
    rows={"domain": "text"},
    args={"now": "int"},
)


_LOAD = Statement(
    """
    SELECT id, slug, name, kind, site_id, adapter, url, params, repaired, plan, tier, tz, language, currency,
           max_items_per_run, max_pages, fetcher, latitude, longitude
    FROM sources WHERE id IN (SELECT id FROM {rows} AS asked)
    """,
    rows={"id": "int"},
)


def add(conn: Connection, row: Mapping[str, Any], *, now: datetime) -> int:
    """One more source; dispatch adopts it at its next tick."""
    values = {**row, "created_at": now, "updated_at": now}
    added: int = conn.scalar(insert(sources).values(values).returning(sources.c.id)) or 0
    return added


def update_source(conn: Connection, source_id: int, values: Mapping[str, Any], *, now: datetime) -> None:
    """Set fields of a source."""
    conn.execute(update(sources).where(sources.c.id == source_id).values({**values, "updated_at": now}))


def by_slug(conn: Connection, slug: str) -> AnyRow | None:
    """A source with its site, as operators see it."""
    return conn.execute(_with_site().where(sources.c.slug == slug)).one_or_none()


def list_sources(conn: Connection) -> Sequence[AnyRow]:
    """All sources with their sites, by name."""
    return conn.execute(_with_site().order_by(sources.c.slug)).all()


def _with_site() -> Select[Any]:
    of_site = (
        sites.c.domain,
        sites.c.terms_reviewed_at,
        sites.c.terms_reviewed_by,
        sites.c.blocked.label("site_blocked"),
        sites.c.local.label("site_local"),
    )
    return select(sources, *of_site).outerjoin(sites, sites.c.id == sources.c.site_id)


def claim_new(conn: Connection) -> Sequence[AnyRow]:
    """Sources that somebody added since the last tick, and that nobody else is adopting."""
    added = select(sources).where(sources.c.adopted_at.is_(None)).order_by(sources.c.id).limit(500)
    return conn.execute(added.with_for_update(skip_locked=True)).all()


def adopt(
    conn: Connection, source_id: int, site_id: int, plan: Mapping[str, datetime], *, now: datetime
) -> None:
    """Give a source its site and the first moment of each run kind of its plan."""
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


def disable_invalid(conn: Connection, source_id: int, reason: str, *, now: datetime) -> None:
    """A source that cannot run: set aside for a person, with the reason."""
    conn.execute(
        update(sources)
        .where(sources.c.id == source_id)
        .values(adopted_at=now, needs_review=1, review_reason=reason)
    )


def ensure_site(
    conn: Connection, domain: str, values: Mapping[str, Any] | None = None, *, now: datetime
) -> int:
    """The site of a domain, made where it is new; `values` are set on it in both cases."""
    _SITE(conn, [(domain,)], now=micros(now))
    found: int = conn.scalars(select(sites.c.id).where(sites.c.domain == domain)).one()
    if values:
        conn.execute(update(sites).where(sites.c.id == found).values({**values, "updated_at": now}))
    lanes.ensure_lanes(conn, found)
    return found


def load(conn: Connection, ids: Sequence[int]) -> dict[int, Source]:
    """Sources as runs and stages see them."""
    return {row.id: source_from_row(row) for row in _LOAD(conn, [(i,) for i in ids])}


def effective_params(row: AnyRow) -> dict[str, Any]:
    """What a source declares, with the repairs that are laid over it."""
    repaired: dict[str, Any] = overlaid(loads(row.params) or {}, loads(row.repaired) or ())
    return repaired


def source_from_row(row: AnyRow) -> Source:
    """The noun from its row."""
    return Source(
        id=row.id,
        slug=row.slug,
        name=row.name or row.slug,
        kind=Kind(row.kind),
        site_id=row.site_id or 0,
        adapter=row.adapter,
        url=row.url,
        params=effective_params(row),
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
    )


def head_trust(conn: Connection, source_id: int) -> HeadTrust:
    """What is known of a source's HEAD."""
    columns = (sources.c.head_checks, sources.c.head_compared, sources.c.head_agreed)
    row = conn.execute(select(*columns).where(sources.c.id == source_id)).one()
    return HeadTrust(checks=row.head_checks, compared=row.head_compared, agreed_in_a_row=row.head_agreed)


def set_head_trust(conn: Connection, source_id: int, trust: HeadTrust) -> None:
    """Keep what a window of checks taught about it."""
    learnt = {
        "head_checks": trust.checks,
        "head_compared": trust.compared,
        "head_agreed": trust.agreed_in_a_row,
    }
    conn.execute(update(sources).where(sources.c.id == source_id).values(learnt))
