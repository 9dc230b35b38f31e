"""Adapters: which there are, and which are switched off."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select, update

from larder import adapters
from larder.actions import audit
from larder.store.tables import adapter_states, sites, sources

EVERYWHERE = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Off:
    """Where and why an adapter does not run."""

    site: str | None
    """None: everywhere."""
    since: datetime | None
    by: str | None
    why: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterView:
    """An adapter."""

    id: str
    version: str
    kind: str
    domain: str | None
    sources: int
    off: Sequence[Off]

    @property
    def enabled(self) -> bool:
        """Runs on every site."""
        return not self.off


def every(conn: Connection) -> list[AdapterView]:
    """All registered adapters."""
    counted = select(sources.c.adapter, func.count()).group_by(sources.c.adapter)
    used: dict[str, int] = {row[0]: row[1] for row in conn.execute(counted)}
    off = _off(conn)
    return [
        AdapterView(
            id=adapter.id,
            version=adapter.version,
            kind=adapter.kind,
            domain=adapter.domain,
            sources=used.get(adapter.id, 0),
            off=off.get(adapter.id, ()),
        )
        for adapter in adapters.known()
    ]


def show(conn: Connection, adapter_id: str) -> AdapterView:
    """One adapter."""
    known = adapters.find(adapter_id)
    return next(view for view in every(conn) if view.id == known.id)


def disable(conn: Connection, adapter_id: str, reason: str = "", *, who: str, now: datetime) -> AdapterView:
    """Start no more runs with it, on any site."""
    adapter = adapters.find(adapter_id)
    everywhere = (adapter_states.c.adapter == adapter.id) & (adapter_states.c.site_id == EVERYWHERE)
    conn.execute(delete(adapter_states).where(everywhere))
    row = {"adapter": adapter.id, "site_id": EVERYWHERE, "enabled": 0, "since": now, "by": who}
    conn.execute(insert(adapter_states).values({**row, "why": reason or "manual"}))
    audit.note(conn, "adapter disabled", adapter.id, {"reason": reason}, who=who, now=now)
    return show(conn, adapter_id)


def enable(conn: Connection, adapter_id: str, *, who: str, now: datetime) -> AdapterView:
    """A person checked what it reads: it runs again everywhere, and its first run is flagged."""
    adapter = adapters.find(adapter_id)
    off = (adapter_states.c.adapter == adapter.id) & (adapter_states.c.enabled == 0)
    values = {"enabled": 1, "since": now, "by": who, "why": None, "first_run_flagged": 1}
    conn.execute(update(adapter_states).where(off).values(values))
    audit.note(conn, "adapter enabled", adapter.id, who=who, now=now)
    return show(conn, adapter_id)


def _off(conn: Connection) -> dict[str, list[Off]]:
    query = (
        select(adapter_states, sites.c.domain)
        .outerjoin(sites, sites.c.id == adapter_states.c.site_id)
        .where(adapter_states.c.enabled == 0)
    )
    found: dict[str, list[Off]] = {}
    for row in conn.execute(query):
        off = Off(site=row.domain, since=row.since, by=row.by, why=row.why)
        found.setdefault(row.adapter, []).append(off)
    return found
