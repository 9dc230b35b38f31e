"""Hosts that an operator exempted from their site's shared limit.

Each has a lane of its own: a row in `sites` under the host's name, with the limits of its site. Terms, blocks
and robots.txt stay the site's. A site's `exempt_hosts` maps each host to the id of that row.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from larder.core.model.source import Source
from larder.sdk.urls import host_of, registrable_domain
from larder.store.queue import sources
from larder.store.tables import sites

_SHARED = ("preset", "spacing_ms", "spacing_max_ms", "at_once", "local")


def set_exempt_hosts(conn: Connection, domain: str, hosts: Iterable[str], *, now: datetime) -> None:
    """Give exactly these hosts of a site a lane of their own."""
    lanes = {host: sources.ensure_site(conn, host, now=now) for host in sorted(set(hosts))}
    conn.execute(update(sites).where(sites.c.domain == domain).values(exempt_hosts=lanes or None))


def share_limits(conn: Connection, domain: str) -> None:
    """Copy the site's present limits to its exempt hosts."""
    columns = [sites.c[name] for name in _SHARED]
    row = conn.execute(select(sites.c.exempt_hosts, *columns).where(sites.c.domain == domain)).one()
    if row.exempt_hosts:
        limits: dict[str, Any] = {name: getattr(row, name) for name in _SHARED}
        conn.execute(update(sites).where(sites.c.id.in_(row.exempt_hosts.values())).values(limits))


def lane_domain(conn: Connection, url: str) -> str:
    """The name of the lane for requests to this URL: its host if that is exempt, else its site."""
    host = host_of(url)
    domain = registrable_domain(url) or host
    if host == domain:
        return domain
    exempt = conn.scalar(select(sites.c.exempt_hosts).where(sites.c.domain == domain))
    return host if host in (exempt or ()) else domain


def lane_of(source: Source, url: str) -> int:
    """The lane of a source's page: its site's, unless its host is exempt."""
    if not source.exempt_hosts:
        return source.site_id
    return source.exempt_hosts.get(host_of(url), source.site_id)


def is_exempt_host(domain: str) -> bool:
    """Whether a row of `sites` is the lane of an exempt host, not a site."""
    return registrable_domain(domain) not in (None, domain)
