"""Sites: their terms, their limits, and whether anything of them is fetched at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from larder.actions import audit
from larder.actions.find import domain_of, site_row
from larder.actions.runs import end_runs
from larder.actions.spec import SiteSpec
from larder.core.model.run import RunStatus
from larder.store import letters, sources
from larder.store.lanes import politeness_of
from larder.store.statement import AnyRow
from larder.store.tables import lanes, robots, runs, sites
from larder.store.tables import sources as sources_table


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


def every(conn: Connection) -> list[SiteView]:
    """All sites, by domain."""
    return [_view(conn, row) for row in conn.execute(select(sites).order_by(sites.c.domain))]


def show(conn: Connection, domain: str) -> SiteView:
    """One site."""
    return _view(conn, site_row(conn, domain))


def review(conn: Connection, domain: str, *, who: str, now: datetime) -> SiteView:
    """Somebody read the site's terms; a site that is not known yet is remembered for its first source."""
    sources.ensure_site(
        conn, domain_of(domain), {"terms_reviewed_at": now, "terms_reviewed_by": who}, now=now
    )
    audit.note(conn, "site reviewed", domain_of(domain), who=who, now=now)
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
    letters.wait_again(conn, site_id=site_id)
    audit.note(
        conn, "site blocked", domain_of(domain), {"reason": reason, "stopped": stopped}, who=who, now=now
    )
    return show(conn, domain)


def unblock(conn: Connection, domain: str, *, who: str, now: datetime) -> SiteView:
    """It may be fetched again."""
    row = site_row(conn, domain)
    sources.ensure_site(conn, row.domain, {"blocked": 0, "blocked_reason": None}, now=now)
    audit.note(conn, "site unblocked", row.domain, who=who, now=now)
    return show(conn, domain)


def change(conn: Connection, domain: str, spec: SiteSpec, *, who: str, now: datetime) -> SiteView:
    """Set its limits, or that it is local."""
    sources.ensure_site(conn, domain_of(domain), spec.row(now=now), now=now)
    details = spec.model_dump(mode="json", exclude_none=True)
    audit.note(conn, "site changed", domain_of(domain), details, who=who, now=now)
    return show(conn, domain)


def _view(conn: Connection, row: AnyRow) -> SiteView:
    manners = politeness_of(row)
    slugs = select(sources_table.c.slug).where(sources_table.c.site_id == row.id)
    return SiteView(
        domain=row.domain,
        sources=list(conn.scalars(slugs.order_by(sources_table.c.slug))),
        preset=row.preset,
        spacing=manners.spacing.total_seconds(),
        spacing_max=manners.spacing_max.total_seconds(),
        at_once=manners.at_once,
        crawl_delay=None if row.crawl_delay_ms is None else row.crawl_delay_ms / 1000,
        local=bool(row.local),
        blocked=bool(row.blocked),
        blocked_reason=row.blocked_reason,
        terms_reviewed_at=row.terms_reviewed_at,
        terms_reviewed_by=row.terms_reviewed_by,
        cooling_until=conn.scalar(select(lanes.c.cooling_until).where(lanes.c.site_id == row.id)),
        robots=_robots(conn, row.domain),
        notes=row.notes,
    )


def _robots(conn: Connection, domain: str) -> str | None:
    """Of its origins the latest that was fetched."""
    host = func.replace(func.replace(robots.c.origin, "https://", ""), "http://", "")
    ours = (host == domain) | host.like(f"%.{domain}") | host.like(f"{domain}:%") | host.like(f"%.{domain}:%")
    latest = select(robots.c.state).where(ours).order_by(robots.c.fetched_at.desc()).limit(1)
    return conn.scalar(latest)
