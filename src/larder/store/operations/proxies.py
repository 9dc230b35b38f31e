"""The pool of proxies: which is next, when it may send to a site again, and which are disabled.

The least recently used goes first. Each proxy has its own lane on every site, with the site's limits; a slot
is reserved under the lock of the proxy's row. After more than ten failures in a row a proxy is disabled until
an operator enables it. Passwords are stored encrypted (`secrets`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from sqlalchemy import Connection, Row, Select, case, delete, func, insert, literal, select, update

from larder.core.errors import BadInput
from larder.core.model.job import Slot
from larder.core.policy.freshness import EPOCH
from larder.core.ports import Chance
from larder.store.database.statement import Statement, fetch_as
from larder.store.operations.access.secrets import Secret, SecretCipher
from larder.store.queue.site_limits import SITE_LIMIT_COLUMNS, SlotRow, politeness_of, slot, spacing
from larder.store.tables import lanes as site_lanes
from larder.store.tables import proxies, proxy_lanes
from larder.store.tables import sites as site_rows
from larder.store.tables.columns import Moment, micros

MAX_FAILURES = 10
"""Allowed failures in a row; one more disables a proxy."""
PORTS = {"http": 8080, "https": 443, "socks5": 1080}
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """One proxy; its password is never shown."""

    id: int
    scheme: str
    host: str
    port: int
    username: str = ""
    password: Secret | None = None

    @property
    def address(self) -> str:
        """Its URL without user and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Whether a request through a proxy was answered, and how long it took."""

    proxy_id: int
    answered: bool
    took: timedelta


# -- the pool ----------------------------------------------------------------------------------------------


def parse(url: str) -> Proxy:
    """A proxy from `scheme://user:password@host:port`; errors do not show the password."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        raise BadInput("not the address of a proxy", hint=_HINT) from None
    if parts.scheme not in PORTS or not parts.hostname or parts.path not in ("", "/"):
        raise BadInput(f"not a proxy: {parts.scheme}://{parts.hostname or ''}", hint=_HINT)
    return Proxy(
        id=0,
        scheme=parts.scheme,
        host=parts.hostname,
        port=port,
        username=unquote(parts.username or ""),
        password=Secret(unquote(parts.password)) if parts.password else None,
    )


_HINT = "write it as http://host:port, https://host:port or socks5://user:password@host:port"


def add(conn: Connection, proxy: Proxy, box: SecretCipher) -> int:
    """Add a proxy, or set the password of a known one; its id."""
    closed = None if proxy.password is None else box.close(_cipher_context(proxy), proxy.password)
    known = conn.scalar(select(proxies.c.id).where(*_same(proxy)))
    if known is not None:
        values = {"password": closed, "enabled": 1, "failures_in_a_row": 0}
        conn.execute(update(proxies).where(proxies.c.id == known).values(values))
        return int(known)
    row = {"scheme": proxy.scheme, "host": proxy.host, "port": proxy.port, "username": proxy.username}
    added = conn.scalar(insert(proxies).values(**row, password=closed).returning(proxies.c.id))
    return int(added or 0)


class ProxyRow(NamedTuple):
    """A proxy as an operator sees it, without its password."""

    id: int
    scheme: str
    host: str
    port: int
    username: str | None
    enabled: int
    successes: int
    failures: int
    failures_in_a_row: int
    average_ms: float | None
    last_used_at: datetime | None
    last_success_at: datetime | None
    last_failure_at: datetime | None
    out: bool


def list_proxies(conn: Connection) -> list[ProxyRow]:
    """All proxies, without passwords."""
    columns = [column for column in proxies.c if column.name != "password"]
    out = (proxies.c.failures_in_a_row > MAX_FAILURES).label("out")
    return fetch_as(conn, select(*columns, out).order_by(proxies.c.id), ProxyRow)


def set_enabled(conn: Connection, proxy_id: int, *, enabled: bool) -> bool:
    """Disable a proxy, or enable it with its failures reset; False where there is no such proxy."""
    values: dict[str, Any] = {"enabled": int(enabled)}
    if enabled:
        values["failures_in_a_row"] = 0
    return bool(conn.execute(update(proxies).where(proxies.c.id == proxy_id).values(values)).rowcount)


def remove(conn: Connection, proxy_id: int) -> bool:
    """Delete a proxy and its lanes."""
    conn.execute(delete(proxy_lanes).where(proxy_lanes.c.proxy_id == proxy_id))
    return bool(conn.execute(delete(proxies).where(proxies.c.id == proxy_id)).rowcount)


def _same(proxy: Proxy) -> tuple[Any, ...]:
    return (
        proxies.c.scheme == proxy.scheme,
        proxies.c.host == proxy.host,
        proxies.c.port == proxy.port,
        proxies.c.username == proxy.username,
    )


def _cipher_context(proxy: Proxy) -> str:
    return f"proxy {proxy.scheme} {proxy.host} {proxy.port} {proxy.username}"


# -- who is next -------------------------------------------------------------------------------------------

_NEVER = literal(EPOCH, Moment())
_USABLE = (proxies.c.enabled == 1, proxies.c.failures_in_a_row <= MAX_FAILURES)


def pick(
    conn: Connection, site_id: int, box: SecretCipher, *, now: datetime, rng: Chance
) -> tuple[Proxy, Slot] | None:
    """The next proxy for a site with its slot; None if the pool is empty."""
    row = _next(conn, site_id, now)
    if row is None:
        return None
    _serve(conn, site_id)
    conn.execute(update(proxies).where(proxies.c.id == row.id).values(last_used_at=now))
    return _proxy(row, box), _reserved(conn, site_id, row.id, now=now, rng=rng)


def reserve(conn: Connection, site_id: int, proxy_id: int, *, now: datetime, rng: Chance) -> Slot:
    """Reserve another slot for a proxy on a site, for robots.txt or the next hop of a redirect."""
    conn.execute(select(proxies.c.id).where(proxies.c.id == proxy_id).with_for_update()).all()
    _serve(conn, site_id)
    return _reserved(conn, site_id, proxy_id, now=now, rng=rng)


def _next(conn: Connection, site_id: int, now: datetime) -> Row[Any] | None:
    """The least recently used proxy that may send now, else the first that may."""
    on_site = (proxy_lanes.c.proxy_id == proxies.c.id) & (proxy_lanes.c.site_id == site_id)
    opens = func.coalesce(proxy_lanes.c.open_at, _NEVER)
    waits = case((opens <= literal(now, Moment()), _NEVER), else_=opens)
    order = (waits, func.coalesce(proxies.c.last_used_at, _NEVER), proxies.c.id)
    query: Select[Any] = (
        select(proxies).outerjoin(proxy_lanes, on_site).where(*_USABLE).order_by(*order).limit(1)
    )
    free = conn.execute(query.with_for_update(of=proxies, skip_locked=True)).first()
    return free or conn.execute(query.with_for_update(of=proxies)).first()


_SERVE = Statement(
    f"""
    INSERT INTO proxy_lanes (site_id, proxy_id)
    SELECT :site_id, id FROM proxies
    WHERE enabled = 1 AND failures_in_a_row <= {MAX_FAILURES}
      AND id NOT IN (SELECT proxy_id FROM proxy_lanes WHERE site_id = :site_id)
    ON CONFLICT DO NOTHING
    """,
    args={"site_id": "int"},
)


def _serve(conn: Connection, site_id: int) -> None:
    """Give every usable proxy a lane on the site, so that the site's lane has their number."""
    _SERVE(conn, site_id=site_id)


def _reserved(conn: Connection, site_id: int, proxy_id: int, *, now: datetime, rng: Chance) -> Slot:
    condition = (proxy_lanes.c.site_id == site_id) & (proxy_lanes.c.proxy_id == proxy_id)
    query = select(proxy_lanes.c.open_at, site_lanes.c.cooling_until, *SITE_LIMIT_COLUMNS)
    of_site = query.join(site_rows, site_rows.c.id == proxy_lanes.c.site_id)
    on_lane = of_site.join(site_lanes, site_lanes.c.site_id == site_rows.c.id)
    (row,) = fetch_as(conn, on_lane.where(condition), SlotRow)
    politeness = politeness_of(row.limits)
    opens = max(row.open_at, now, row.cooling_until or now)
    after = opens + spacing(politeness, rng)
    conn.execute(update(proxy_lanes).where(condition).values(open_at=after))
    return slot(opens, politeness)


def _proxy(row: Row[Any], box: SecretCipher) -> Proxy:
    proxy = Proxy(id=row.id, scheme=row.scheme, host=row.host, port=row.port, username=row.username or "")
    if row.password is None:
        return proxy
    return Proxy(
        id=proxy.id,
        scheme=proxy.scheme,
        host=proxy.host,
        port=proxy.port,
        username=proxy.username,
        password=box.open(_cipher_context(proxy), row.password),
    )


# -- how they do -------------------------------------------------------------------------------------------

_TOLD = Statement(
    """
    UPDATE proxies SET
      successes = proxies.successes + told.successes,
      failures = proxies.failures + told.failures,
      failures_in_a_row = told.since_success
        + CASE WHEN told.successes > 0 THEN 0 ELSE proxies.failures_in_a_row END,
      average_ms = CASE WHEN told.successes = 0 THEN proxies.average_ms ELSE
        (coalesce(proxies.average_ms, 0) * proxies.successes + told.ms) / (proxies.successes + told.successes)
      END,
      last_success_at = CASE WHEN told.successes > 0 THEN :now ELSE proxies.last_success_at END,
      last_failure_at = CASE WHEN told.failures > 0 THEN :now ELSE proxies.last_failure_at END
    FROM {rows} AS told WHERE proxies.id = told.id
    """,
    args={"now": "int"},
    rows={"id": "int", "successes": "int", "failures": "int", "since_success": "int", "ms": "float"},
)


def record_results(conn: Connection, reports: Sequence[Report], *, now: datetime) -> None:
    """Add the results of requests, in the order in which they ended."""
    rows = [_summed([r for r in reports if r.proxy_id == i]) for i in {r.proxy_id for r in reports}]
    _TOLD(conn, rows, now=micros(now))


def _summed(reports: Sequence[Report]) -> tuple[int, int, int, int, float]:
    good = [report for report in reports if report.answered]
    last_good = max((i for i, report in enumerate(reports) if report.answered), default=-1)
    took = sum((report.took for report in good), timedelta(0)) / _MILLISECOND
    return reports[0].proxy_id, len(good), len(reports) - len(good), len(reports) - 1 - last_good, took
