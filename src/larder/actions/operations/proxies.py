"""The pool of proxies: list, add, enable, disable, remove. Passwords are never shown."""

from dataclasses import dataclass
from datetime import datetime

from larder.core.errors import NotFound
from larder.core.model.hint import Hint
from larder.store.database import Connection
from larder.store.operations import audit, proxies
from larder.store.operations.access.secrets import SecretCipher
from larder.store.reads.rows import view_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyView:
    """A proxy and its recent results."""

    id: int
    address: str
    username: str | None
    enabled: bool
    out: bool
    """Disabled after too many failures until a person enables it."""
    successes: int
    failures: int
    failures_in_a_row: int
    average_ms: float | None
    last_used_at: datetime | None
    last_success_at: datetime | None
    last_failure_at: datetime | None


def list_proxies(conn: Connection) -> list[ProxyView]:
    """List all proxies of the pool."""
    return [_view(row) for row in proxies.list_proxies(conn)]


def add(conn: Connection, url: str, box: SecretCipher, *, who: str, now: datetime) -> ProxyView:
    """Add a proxy, or set a new password for a known one."""
    proxy = proxies.parse(url)
    added = proxies.add(conn, proxy, box)
    audit.record(conn, "proxy added", proxy.address, {"proxy": added}, who=who, now=now)
    return _one(conn, added)


def enable(conn: Connection, proxy_id: int, *, who: str, now: datetime) -> ProxyView:
    """Use a proxy again, with its failures cleared."""
    return _switch(conn, proxy_id, enabled=True, who=who, now=now)


def disable(conn: Connection, proxy_id: int, *, who: str, now: datetime) -> ProxyView:
    """Disable a proxy."""
    return _switch(conn, proxy_id, enabled=False, who=who, now=now)


def remove(conn: Connection, proxy_id: int, *, who: str, now: datetime) -> ProxyView:
    """Delete a proxy; returns it."""
    view = _one(conn, proxy_id)
    proxies.remove(conn, proxy_id)
    audit.record(conn, "proxy removed", view.address, {"proxy": proxy_id}, who=who, now=now)
    return view


def _switch(conn: Connection, proxy_id: int, *, enabled: bool, who: str, now: datetime) -> ProxyView:
    _one(conn, proxy_id)
    proxies.set_enabled(conn, proxy_id, enabled=enabled)
    view = _one(conn, proxy_id)
    action = "proxy enabled" if enabled else "proxy disabled"
    audit.record(conn, action, view.address, {"proxy": proxy_id}, who=who, now=now)
    return view


def _one(conn: Connection, proxy_id: int) -> ProxyView:
    proxy = next((view for view in list_proxies(conn) if view.id == proxy_id), None)
    if proxy is None:
        raise NotFound(f"there is no proxy {proxy_id}", hint=Hint(action="proxy.list"))
    return proxy


def _view(row: proxies.ProxyRow) -> ProxyView:
    proxy = proxies.Proxy(id=row.id, scheme=row.scheme, host=row.host, port=row.port)
    return view_of(
        ProxyView,
        row,
        address=proxy.address,
        username=row.username or None,
        enabled=bool(row.enabled),
        out=bool(row.out),
    )
