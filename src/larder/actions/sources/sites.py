"""Sites: review their terms, set their limits, block and unblock them."""

from datetime import datetime

from larder.actions.operations.runs import end_runs
from larder.actions.sources.spec import SiteSpec
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.queue import dead_letters, sources
from larder.store.reads.lookup import domain_of, site_row
from larder.store.reads.runs import open_runs_of_site
from larder.store.reads.sites import RobotsFile, SiteView, get_site, list_sites, robots_files

__all__ = [
    "RobotsFile", "SiteView", "block", "change", "get_site", "list_sites", "review", "robots_files",
    "unblock",
]  # fmt: skip


def review(conn: Connection, domain: str, *, who: str, now: datetime) -> SiteView:
    """Record that the site's terms were read; an unknown site is created."""
    sources.ensure_site(
        conn, domain_of(domain), {"terms_reviewed_at": now, "terms_reviewed_by": who}, now=now
    )
    audit.record(conn, "site reviewed", domain_of(domain), who=who, now=now)
    return get_site(conn, domain)


def block(conn: Connection, domain: str, reason: str = "", *, who: str, now: datetime) -> SiteView:
    """Fetch nothing of a site any more; its open runs are stopped."""
    site_id = sources.ensure_site(
        conn, domain_of(domain), {"blocked": 1, "blocked_reason": reason or None}, now=now
    )
    stopped = open_runs_of_site(conn, site_id)
    end_runs(conn, stopped, why="its site was blocked", now=now)
    dead_letters.reset_interrupted(conn, site_id=site_id)
    audit.record(
        conn, "site blocked", domain_of(domain), {"reason": reason, "stopped": stopped}, who=who, now=now
    )
    return get_site(conn, domain)


def unblock(conn: Connection, domain: str, *, who: str, now: datetime) -> SiteView:
    """Fetch a site again."""
    row = site_row(conn, domain)
    sources.ensure_site(conn, row.domain, {"blocked": 0, "blocked_reason": None}, now=now)
    audit.record(conn, "site unblocked", row.domain, who=who, now=now)
    return get_site(conn, domain)


def change(conn: Connection, domain: str, spec: SiteSpec, *, who: str, now: datetime) -> SiteView:
    """Set limits of a site, or that it is local; a limit of None resets it to the preset's."""
    sources.ensure_site(conn, domain_of(domain), spec.row(now=now, resets=True), now=now)
    details = spec.model_dump(mode="json", exclude_unset=True)
    audit.record(conn, "site changed", domain_of(domain), details, who=who, now=now)
    return get_site(conn, domain)
