"""Sites: review their terms, set their limits, block and unblock them."""

from collections.abc import Sequence
from datetime import datetime

from larder.actions.operations.runs import end_runs
from larder.actions.sources.spec import SiteSpec
from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.sdk.urls import registrable_domain
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.queue import dead_letters, exempt_hosts, schedules, sources
from larder.store.reads.lookup import domain_of, site_row
from larder.store.reads.operators.runs import open_runs_of_site
from larder.store.reads.operators.sites import RobotsFile, SiteView, get_site, list_sites, robots_files

__all__ = [
    "RobotsFile", "SiteView", "block", "change", "get_site", "list_sites", "review", "robots_files",
    "unblock",
]  # fmt: skip


def review(conn: Connection, domain: str, *, who: str, now: datetime) -> SiteView:
    """Record that the site's terms were read; an unknown site is created."""
    values = {"terms_reviewed_at": now, "terms_reviewed_by": who}
    site_id = sources.ensure_site(conn, domain_of(domain), values, now=now)
    schedules.wake_gated(conn, site_id=site_id, now=now)
    audit.record(conn, "site reviewed", domain_of(domain), who=who, now=now)
    return get_site(conn, domain)


def block(conn: Connection, domain: str, reason: str = "", *, who: str, now: datetime) -> SiteView:
    """Block a site: nothing is fetched any more, and its open runs are stopped."""
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
    """Allow requests to a blocked site again."""
    row = site_row(conn, domain)
    sources.ensure_site(conn, row.domain, {"blocked": 0, "blocked_reason": None}, now=now)
    schedules.wake_gated(conn, site_id=row.id, now=now)
    audit.record(conn, "site unblocked", row.domain, who=who, now=now)
    return get_site(conn, domain)


def change(conn: Connection, domain: str, spec: SiteSpec, *, who: str, now: datetime) -> SiteView:
    """Set limits of a site, or that it is local; None resets a limit to the preset."""
    site = domain_of(domain)
    schedules.wake_gated(conn, site_id=save_fields(conn, site, spec, now=now, resets=True), now=now)
    details = spec.model_dump(mode="json", exclude_unset=True)
    audit.record(conn, "site changed", site, details, who=who, now=now)
    return get_site(conn, domain)


def save_fields(conn: Connection, site: str, spec: SiteSpec, *, now: datetime, resets: bool = False) -> int:
    """Store the given fields of a site; returns its id."""
    site_id = sources.ensure_site(conn, site, spec.row(now=now, resets=resets) or None, now=now)
    if "exempt_hosts" in spec.model_fields_set:
        exempt_hosts.set_exempt_hosts(conn, site, _hosts_of(site, spec.exempt_hosts or ()), now=now)
    exempt_hosts.share_limits(conn, site)
    return site_id


def _hosts_of(site: str, given: Sequence[str]) -> list[str]:
    """The hosts in the form of addresses; `BadInput` for one that is not a host of the site."""
    hosts = [host.strip().lower().rstrip(".") for host in given]
    for host in hosts:
        if host == site or "/" in host or registrable_domain(host) != site:
            raise BadInput(
                f"exempt_hosts: {quoted(host)} is not a host of {site}", hint=f"such as images.{site}"
            )
    return hosts
