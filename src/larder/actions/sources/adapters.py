"""Adapters: list, show, enable, disable."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from larder import adapters
from larder.adapters.loading import BrokenAdapter
from larder.core.errors import Conflict
from larder.core.model.hint import Hint
from larder.core.policy.trust.drift import DisabledWhy
from larder.store.database import Connection
from larder.store.operations import adapter_health as states
from larder.store.operations import audit
from larder.store.operations.adapter_health import DisabledOn
from larder.store.queue import schedules
from larder.store.reads.lookup import site_row

__all__ = ["AdapterView", "DisabledOn", "disable", "enable", "list_adapters", "show"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterView:
    """An adapter as the interfaces show it."""

    id: str
    version: str
    kind: str
    domain: str | None
    sources: int
    sites: int
    """The sites of its sources."""
    off: Sequence[DisabledOn]
    origin: str = "built in"
    """`built in`, `package NAME VERSION` or `folder PATH`."""
    error: str = ""
    """Why it could not be loaded; empty if it was."""

    @property
    def enabled(self) -> bool:
        """Whether it is enabled on every site."""
        return not self.off and not self.error


def list_adapters(conn: Connection) -> list[AdapterView]:
    """All adapters, and those that could not be loaded."""
    used, off = states.usage(conn), states.list_disabled(conn)
    return [
        AdapterView(
            id=adapter.id,
            version=adapter.version,
            kind=adapter.kind,
            domain=adapter.domain,
            sources=used.get(adapter.id, states.NO_USAGE).sources,
            sites=used.get(adapter.id, states.NO_USAGE).sites,
            off=off.get(adapter.id, ()),
            origin=adapters.origin_of(adapter.id),
        )
        for adapter in adapters.known()
    ] + [_broken(adapter, used.get(adapter.name, states.NO_USAGE)) for adapter in adapters.broken()]


def _broken(adapter: BrokenAdapter, used: states.Usage) -> AdapterView:
    return AdapterView(
        id=adapter.name,
        version="",
        kind="",
        domain=None,
        sources=used.sources,
        sites=used.sites,
        off=(),
        origin=adapter.origin,
        error=adapter.error,
    )


def show(conn: Connection, adapter_id: str) -> AdapterView:
    """Show one adapter."""
    adapter = adapters.find(adapter_id)
    return next(view for view in list_adapters(conn) if view.id == adapter.id)


def disable(
    conn: Connection,
    adapter_id: str,
    reason: str = "",
    *,
    site: str | None = None,
    terms: bool = False,
    who: str,
    now: datetime,
) -> AdapterView:
    """Start no more runs with an adapter, on one site or on all; `terms`: the site's terms forbid them."""
    adapter = adapters.find(adapter_id)
    site_id = site_row(conn, site).id if site else states.EVERYWHERE
    why = DisabledWhy.TERMS if terms else DisabledWhy.MANUAL
    off = states.read(conn, adapter.id, site_id).disabled(now, by=who, why=why, message=reason)
    states.write(conn, adapter.id, site_id, off, reason="" if terms else reason)
    details = {"reason": reason, "why": why, **({"site": site} if site else {})}
    audit.record(conn, "adapter disabled", adapter.id, details, who=who, now=now)
    return show(conn, adapter_id)


def enable(
    conn: Connection, adapter_id: str, *, site: str | None = None, who: str, now: datetime
) -> AdapterView:
    """Enable an adapter on one site, or wherever it is off; the first run on each site is flagged."""
    adapter = adapters.find(adapter_id)
    site_id = site_row(conn, site).id if site else None
    off = [each for each in states.disabled_sites(conn, adapter.id) if site_id in (None, each)]
    if site and not off:
        raise Conflict(f"{adapter_id} is not disabled on {site}", hint=Hint(action="adapter.list"))
    for each in off:
        states.write(conn, adapter.id, each, states.read(conn, adapter.id, each).enabled_again(now, by=who))
    schedules.wake_gated(conn, site_id=site_id, adapter=adapter.id, now=now)
    details = {"site": site} if site else None
    audit.record(conn, "adapter enabled", adapter.id, details, who=who, now=now)
    return show(conn, adapter_id)
