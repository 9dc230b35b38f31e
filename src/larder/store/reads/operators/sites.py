"""Sites as operators see them: limits, terms, robots.txt."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, select

from larder.core.model.site import SiteTerms
from larder.sdk.urls import registrable_domain
from larder.store.database.statement import Statement
from larder.store.queue.exempt_hosts import is_exempt_host
from larder.store.queue.site_limits import SiteLimits, politeness_of
from larder.store.reads.lookup import site_row
from larder.store.reads.rows import read_all, view_of
from larder.store.tables import lanes, robots, sites, sources


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOverrides:
    """What an operator set in place of what the preset gives; None: nothing."""

    spacing: float | None
    spacing_max: float | None
    at_once: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteView:
    """A site with its politeness and its terms."""

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
    exempt_hosts: Sequence[str]
    """Hosts of it with a lane of their own, each at the site's limits."""
    blocked: bool
    blocked_reason: str | None
    terms_reviewed_at: datetime | None
    terms_reviewed_by: str | None
    cooling_until: datetime | None
    cooling_reason: str | None
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


class _Terms(NamedTuple):
    domain: str
    blocked: int
    reviewed: int


_TERMS = Statement(
    """
    SELECT sites.domain, blocked, CASE WHEN terms_reviewed_at IS NULL THEN 0 ELSE 1 END AS reviewed
    FROM {rows} AS asked JOIN sites ON sites.domain = asked.domain
    """,
    row=_Terms,
    rows={"domain": "text"},
)


def list_sites(conn: Connection) -> list[SiteView]:
    """All sites, by domain; three queries, however many."""
    slugs: dict[int, list[str]] = {}
    query = select(sources.c.site_id, sources.c.slug).order_by(sources.c.slug)
    for site_id, slug in conn.execute(query):
        slugs.setdefault(site_id, []).append(slug)
    states = _robots(conn)
    return [
        _view(row, slugs.get(row.id, ()), states.get(row.domain))
        for row in conn.execute(_sites().order_by(sites.c.domain))
        if not is_exempt_host(row.domain)
    ]


def get_site(conn: Connection, domain: str) -> SiteView:
    """One site."""
    row = conn.execute(_sites().where(sites.c.id == site_row(conn, domain).id)).one()
    slugs = select(sources.c.slug).where(sources.c.site_id == row.id)
    source_slugs = list(conn.scalars(slugs.order_by(sources.c.slug)))
    return _view(row, source_slugs, _robots(conn).get(row.domain))


def robots_files(conn: Connection, domain: str) -> list[RobotsFile]:
    """The robots.txt of each origin of a site, as last fetched."""
    query = select(robots).where(robots.c.origin.contains(domain, autoescape=True)).order_by(robots.c.origin)
    files = read_all(conn, query, RobotsFile)
    return [file for file in files if (registrable_domain(file.origin) or file.origin) == domain]


def is_local(conn: Connection, domain: str) -> bool:
    """Did an operator say that a site is at a private address?"""
    return bool(conn.scalar(select(sites.c.local).where(sites.c.domain == domain)))


def terms_of(conn: Connection, domain: str) -> SiteTerms:
    """What was decided about a site; nothing, where there is no such site yet."""
    return terms_of_all(conn, [domain])[domain]


def terms_of_all(conn: Connection, domains: Sequence[str]) -> dict[str, SiteTerms]:
    """The same of several sites, in one query."""
    found = {row.domain: row for row in _TERMS(conn, [(domain,) for domain in domains])}
    return {
        domain: SiteTerms(domain=domain, blocked=bool(row.blocked), reviewed=bool(row.reviewed))
        if (row := found.get(domain))
        else SiteTerms(domain=domain)
        for domain in domains
    }


def _sites() -> Select[Any]:
    return select(sites, lanes.c.cooling_until, lanes.c.cooling_reason).outerjoin(
        lanes, lanes.c.site_id == sites.c.id
    )


def _view(row: Row[Any], slugs: Sequence[str], robots_state: str | None) -> SiteView:
    politeness = politeness_of(
        SiteLimits(row.preset, row.spacing_ms, row.spacing_max_ms, row.at_once, row.crawl_delay_ms)
    )
    return view_of(
        SiteView,
        row,
        sources=slugs,
        spacing=politeness.spacing.total_seconds(),
        spacing_max=politeness.spacing_max.total_seconds(),
        at_once=politeness.at_once,
        chosen=LimitOverrides(
            spacing=_seconds(row.spacing_ms),
            spacing_max=_seconds(row.spacing_max_ms),
            at_once=row.at_once,
        ),
        crawl_delay=_seconds(row.crawl_delay_ms),
        robots=robots_state,
        exempt_hosts=sorted(row.exempt_hosts or ()),
    )


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _robots(conn: Connection) -> dict[str, str]:
    """By site, of its origins the latest that was fetched."""
    query = conn.execute(select(robots.c.origin, robots.c.state).order_by(robots.c.fetched_at))
    return {registrable_domain(origin) or origin: state for origin, state in query}
