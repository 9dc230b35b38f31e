"""Sites: their terms, their limits, and whether anything of them is fetched at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select

from larder.actions.operations.runs import end_runs
from larder.actions.sources.spec import SiteSpec
from larder.core.model.run import RunStatus
from larder.sdk.urls import registrable_domain
from larder.store.database import Connection
from larder.store.database.statement import AnyRow
from larder.store.operations import audit
from larder.store.queue import dead_letters, sources
from larder.store.queue.site_limits import SiteLimits, politeness_of
from larder.store.reads.lookup import domain_of, site_row
from larder.store.reads.rows import view_of
from larder.store.tables import lanes, robots, runs, sites
from larder.store.tables import sources as sources_table


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOverrides:
    """What an operator set in place of what the preset gives; None: nothing."""

    spacing: float | None
    spacing_max: float | None
    at_once: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteView:
    """A site with its manners and its terms."""

    domain: str
    sources: Sequence[str]
    preset: str
    spacing: float
    """Seconds between two requests, crawl-delay included."""
    spacing_max: float
    at_once: int
    chosen: LimitOverrides
    crawl_delay: float | None
    local: bool
    blocked: bool
    blocked_reason: str | None
    terms_reviewed_at: datetime | None
    terms_reviewed_by: str | None
    cooling_until: datetime | None
    robots: str | None
    """What its robots.txt turned out to be; None: not fetched yet."""
    notes: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsFile:
    """A robots.txt as it was fetched last."""

    origin: str
    state: str
    status: int | None
    fetched_at: datetime
    body: str | None


def list_sites(conn: Connection) -> list[SiteView]:
    """All sites, by domain; three queries, however many."""
    slugs: dict[int, list[str]] = {}
    named = select(sources_table.c.site_id, sources_table.c.slug).order_by(sources_table.c.slug)
    for site_id, slug in conn.execute(named):
        slugs.setdefault(site_id, []).append(slug)
    states = _robots(conn)
    return [
        _view(row, slugs.get(row.id, ()), states.get(row.domain))
        for row in conn.execute(_sites().order_by(sites.c.domain))
    ]


def show(conn: Connection, domain: str) -> SiteView:
    """One site."""
    row = conn.execute(_sites().where(sites.c.id == site_row(conn, domain).id)).one()
    slugs = select(sources_table.c.slug).where(sources_table.c.site_id == row.id)
    named = list(conn.scalars(slugs.order_by(sources_table.c.slug)))
    return _view(row, named, _robots(conn).get(row.domain))


def robots_files(conn: Connection, domain: str) -> list[RobotsFile]:
    """What the origins of a site told robots, as it was fetched last."""
    told = select(robots).where(robots.c.origin.contains(domain, autoescape=True)).order_by(robots.c.origin)
    return [
        view_of(RobotsFile, row)
        for row in conn.execute(told)
        if (registrable_domain(row.origin) or row.origin) == domain
    ]


def review(conn: Connection, domain: str, *, who: str, now: datetime) -> SiteView:
    """Somebody read the site's terms; a site that is not known yet is remembered for its first source."""
    sources.ensure_site(
        conn, domain_of(domain), {"terms_reviewed_at": now, "terms_reviewed_by": who}, now=now
    )
    audit.record(conn, "site reviewed", domain_of(domain), who=who, now=now)
    return show(conn, domain)


def block(conn: Connection, domain: str, reason: str = "", *, who: str, now: datetime) -> SiteView:
    """Nothing of it is fetched from now on; what was under way is stopped."""
    site_id = sources.ensure_site(
        conn, domain_of(domain), {"blocked": 1, "blocked_reason": reason or None}, now=now
    )
    under_way = (
        select(runs.c.id)
        .join(sources_table, sources_table.c.id == runs.c.source_id)
        .where(sources_table.c.site_id == site_id, runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED)))
    )
    stopped = list(conn.scalars(under_way))
    end_runs(conn, stopped, why="its site was blocked", now=now)
    dead_letters.reset_interrupted(conn, site_id=site_id)
    audit.record(
        conn, "site blocked", domain_of(domain), {"reason": reason, "stopped": stopped}, who=who, now=now
    )
    return show(conn, domain)


def unblock(conn: Connection, domain: str, *, who: str, now: datetime) -> SiteView:
    """It may be fetched again."""
    row = site_row(conn, domain)
    sources.ensure_site(conn, row.domain, {"blocked": 0, "blocked_reason": None}, now=now)
    audit.record(conn, "site unblocked", row.domain, who=who, now=now)
    return show(conn, domain)


def change(conn: Connection, domain: str, spec: SiteSpec, *, who: str, now: datetime) -> SiteView:
    """Set its limits, or that it is local; a limit that is said to be none is its preset's again."""
    sources.ensure_site(conn, domain_of(domain), spec.row(now=now, resets=True), now=now)
    details = spec.model_dump(mode="json", exclude_unset=True)
    audit.record(conn, "site changed", domain_of(domain), details, who=who, now=now)
    return show(conn, domain)


def _sites() -> Select[Any]:
    return select(sites, lanes.c.cooling_until).outerjoin(lanes, lanes.c.site_id == sites.c.id)


def _view(row: AnyRow, slugs: Sequence[str], robots_state: str | None) -> SiteView:
    manners = politeness_of(
        SiteLimits(row.preset, row.spacing_ms, row.spacing_max_ms, row.at_once, row.crawl_delay_ms)
    )
    return view_of(
        SiteView,
        row,
        sources=slugs,
        spacing=manners.spacing.total_seconds(),
        spacing_max=manners.spacing_max.total_seconds(),
        at_once=manners.at_once,
        chosen=LimitOverrides(
            spacing=_seconds(row.spacing_ms),
            spacing_max=_seconds(row.spacing_max_ms),
            at_once=row.at_once,
        ),
        crawl_delay=_seconds(row.crawl_delay_ms),
        local=bool(row.local),
        blocked=bool(row.blocked),
        robots=robots_state,
    )


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _robots(conn: Connection) -> dict[str, str]:
    """By site, of its origins the latest that was fetched."""
    told = conn.execute(select(robots.c.origin, robots.c.state).order_by(robots.c.fetched_at))
    return {registrable_domain(origin) or origin: state for origin, state in told}
