"""Adapters: which there are, and which are switched off."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from larder import adapters
from larder.core.errors import Conflict
from larder.core.model.hint import Hint
from larder.core.policy.trust.drift import DisabledWhy
from larder.store.database import Connection
from larder.store.operations import adapter_health as states
from larder.store.operations import audit
from larder.store.reads.lookup import site_row
from larder.store.tables import adapter_states, sites, sources


@dataclass(frozen=True, slots=True, kw_only=True)
class DisabledOn:
    """Where and why an adapter does not run."""

    site: str | None
    """None: everywhere."""
    since: datetime | None
    by: str | None
    why: str | None
    says: str
    """What drift held against it, in words; empty: a person switched it off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterView:
    """An adapter."""

    id: str
    version: str
    kind: str
    domain: str | None
    sources: int
    sites: int
    """That its sources are on."""
    off: Sequence[DisabledOn]
    origin: str = "built in"
    """`built in`, `package NAME VERSION` or `folder PATH`."""
    error: str = ""
    """Why it could not be loaded; empty: it was."""

    @property
    def enabled(self) -> bool:
        """Runs on every site."""
        return not self.off and not self.error


def list_adapters(conn: Connection) -> list[AdapterView]:
    """All adapters, and those that could not be loaded."""
    counted = select(sources.c.adapter, func.count(), func.count(sources.c.site_id.distinct()))
    used: dict[str, tuple[int, int]] = {
        row[0]: (row[1], row[2]) for row in conn.execute(counted.group_by(sources.c.adapter))
    }
    off = _off(conn)
    return [
        AdapterView(
            id=adapter.id,
            version=adapter.version,
            kind=adapter.kind,
            domain=adapter.domain,
            sources=used.get(adapter.id, (0, 0))[0],
            sites=used.get(adapter.id, (0, 0))[1],
            off=off.get(adapter.id, ()),
            origin=adapters.origin(adapter.id),
        )
        for adapter in adapters.known()
    ] + [_broken(each, used.get(each.name, (0, 0))) for each in adapters.broken()]


def _broken(adapter: adapters.BrokenAdapter, used: tuple[int, int]) -> AdapterView:
    return AdapterView(
        id=adapter.name,
        version="",
        kind="",
        domain=None,
        sources=used[0],
        sites=used[1],
        off=(),
        origin=adapter.origin,
        error=adapter.error,
    )


def show(conn: Connection, adapter_id: str) -> AdapterView:
    """One adapter."""
    known = adapters.find(adapter_id)
    return next(view for view in list_adapters(conn) if view.id == known.id)


def disable(
    conn: Connection,
    adapter_id: str,
    reason: str = "",
    *,
    site: str | None = None,
    who: str,
    now: datetime,
) -> AdapterView:
    """Start no more runs with it, on one site or on all."""
    adapter = adapters.find(adapter_id)
    site_id = site_row(conn, site).id if site else states.EVERYWHERE
    off = states.read(conn, adapter.id, site_id).disabled(now, by=who, why=DisabledWhy.MANUAL)
    states.write(conn, adapter.id, site_id, off, said=reason)
    details = {"reason": reason, "site": site} if site else {"reason": reason}
    audit.record(conn, "adapter disabled", adapter.id, details, who=who, now=now)
    return show(conn, adapter_id)


def enable(
    conn: Connection, adapter_id: str, *, site: str | None = None, who: str, now: datetime
) -> AdapterView:
    """A person checked what it reads: it runs again, on one site or wherever it was off.

    The first run on each of these sites is flagged.
    """
    adapter = adapters.find(adapter_id)
    site_id = site_row(conn, site).id if site else None
    off = [each for each in states.disabled_sites(conn, adapter.id) if site_id in (None, each)]
    if site and not off:
        raise Conflict(f"{adapter_id} is not switched off on {site}", hint=Hint(action="adapter.list"))
    for each in off:
        states.write(conn, adapter.id, each, states.read(conn, adapter.id, each).enabled_again(now, by=who))
    details = {"site": site} if site else None
    audit.record(conn, "adapter enabled", adapter.id, details, who=who, now=now)
    return show(conn, adapter_id)


def _off(conn: Connection) -> dict[str, list[DisabledOn]]:
    query = (
        select(adapter_states, sites.c.domain)
        .outerjoin(sites, sites.c.id == adapter_states.c.site_id)
        .where(adapter_states.c.enabled == 0)
    )
    found: dict[str, list[DisabledOn]] = {}
    for row in conn.execute(query):
        says = (row.health or {}).get("says", "")
        off = DisabledOn(site=row.domain, since=row.since, by=row.by, why=row.why, says=says)
        found.setdefault(row.adapter, []).append(off)
    return found
