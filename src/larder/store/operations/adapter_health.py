"""The health of adapters on each site, and the batches from which it is derived."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, bindparam, func, select, update

from larder.core.policy.trust.drift import AdapterHealth, DisabledWhy
from larder.core.policy.trust.yields import PageYield
from larder.store.database.statement import Statement
from larder.store.reads.rows import view_of
from larder.store.tables import adapter_states, runs, sites, sources
from larder.store.tables.columns import micros_or_none

EVERYWHERE = 0
"""The site id of a state that holds for all sites."""


class _AdapterPlace(NamedTuple):
    adapter: str
    site_id: int


_WRITE = Statement(
    """
    INSERT INTO adapter_states
      (adapter, site_id, enabled, since, by, why, health, last_rate, first_run_flagged, probe_at)
    SELECT adapter, site_id, enabled, since, by, why, health, last_rate, first_run_flagged, probe_at
    FROM {rows} AS told WHERE true
    ON CONFLICT (adapter, site_id) DO UPDATE SET enabled = excluded.enabled, since = excluded.since,
      by = excluded.by, why = excluded.why, health = excluded.health, last_rate = excluded.last_rate,
      first_run_flagged = excluded.first_run_flagged, probe_at = excluded.probe_at
    """,
    rows={
        "adapter": "text",
        "site_id": "int",
        "enabled": "int",
        "since": "int",
        "by": "text",
        "why": "text",
        "health": "json",
        "last_rate": "float",
        "first_run_flagged": "int",
        "probe_at": "int",
    },
)
_OFF_BY_DRIFT = Statement(
    """
    SELECT states.adapter, states.site_id FROM {rows} AS asked
    JOIN adapter_states AS states ON states.adapter = asked.adapter
    WHERE states.enabled = 0 AND states.why = :why
    """,
    row=_AdapterPlace,
    rows={"adapter": "text"},
    args={"why": "text"},
)


def read(conn: Connection, adapter: str, site_id: int) -> AdapterHealth:
    """The health of an adapter on a site; healthy if it was never judged."""
    row = _row(conn, adapter, site_id)
    if row is None:
        return AdapterHealth()
    counted = row.health or {}
    return AdapterHealth(
        enabled=bool(row.enabled),
        since=row.since,
        by=row.by or "",
        why=DisabledWhy(row.why) if row.why in set(DisabledWhy) else None,
        probe_at=row.probe_at,
        first_run_flagged=bool(row.first_run_flagged),
        pending=PageYield(**counted.get("pending", {})),
        failed_batches=counted.get("failed_batches", 0),
        zero_runs=counted.get("zero_runs", 0),
        zero_price_batches=counted.get("zero_price_batches", 0),
        last_rate=row.last_rate,
        version=counted.get("version", ""),
        says=counted.get("says", ""),
    )


def write(conn: Connection, adapter: str, site_id: int, health: AdapterHealth, *, reason: str = "") -> None:
    """Store the health; `said`: an operator's reason."""
    _WRITE(conn, [(adapter, site_id, *_columns(health, why=reason or health.why or None))])


def flag_next_run(conn: Connection, adapter: str, site_id: int) -> None:
    """Flag the next run for review."""
    write(conn, adapter, site_id, replace(read(conn, adapter, site_id), first_run_flagged=True))


def disabled_sites(conn: Connection, adapter: str) -> list[int]:
    """The sites on which it is disabled; may include `EVERYWHERE`."""
    off = (adapter_states.c.adapter == adapter) & (adapter_states.c.enabled == 0)
    return list(conn.scalars(select(adapter_states.c.site_id).where(off)))


def disabled_by_drift(conn: Connection, adapters: Collection[str]) -> set[tuple[str, int]]:
    """(adapter, site) of these adapters that drift disabled."""
    names = [(adapter,) for adapter in sorted(adapters)]
    off = _OFF_BY_DRIFT(conn, names, why=DisabledWhy.DRIFT_DETECTED.value)
    return {(row.adapter, row.site_id) for row in off}


def postpone_probe(conn: Connection, adapter: str, site_id: int, at: datetime) -> None:
    """Postpone the next probe until then, as one is running."""
    condition = (adapter_states.c.adapter == adapter) & (adapter_states.c.site_id == site_id)
    conn.execute(update(adapter_states).where(condition).values(probe_at=at))


def _columns(health: AdapterHealth, *, why: str | None) -> tuple[Any, ...]:
    counted = {
        "pending": asdict(health.pending),
        "failed_batches": health.failed_batches,
        "zero_runs": health.zero_runs,
        "zero_price_batches": health.zero_price_batches,
        "version": health.version,
        "says": health.says,
    }
    return (
        int(health.enabled),
        micros_or_none(health.since),
        health.by or None,
        why,
        counted,
        health.last_rate,
        int(health.first_run_flagged),
        micros_or_none(health.probe_at),
    )


def _row(conn: Connection, adapter: str, site_id: int) -> Row[Any] | None:
    return conn.execute(_of_place(), {"named": adapter, "at_site": site_id}).one_or_none()


@cache
def _of_place() -> Select[Any]:
    states = adapter_states.c
    return select(adapter_states).where(
        states.adapter == bindparam("named"), states.site_id == bindparam("at_site")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DisabledOn:
    """Where and why an adapter is disabled."""

    site: str | None
    """None: everywhere."""
    since: datetime | None
    by: str | None
    why: str | None
    says: str
    """Why drift disabled it, as text; empty: a person disabled it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How many sources an adapter reads, and on how many sites."""

    sources: int
    sites: int


NO_USAGE = Usage(sources=0, sites=0)


def usage(conn: Connection) -> dict[str, Usage]:
    """The usage of each adapter that sources name."""
    many, spread = func.count().label("sources"), func.count(sources.c.site_id.distinct()).label("sites")
    query = select(sources.c.adapter, many, spread).group_by(sources.c.adapter)
    return {row.adapter: Usage(sources=row.sources, sites=row.sites) for row in conn.execute(query)}


def list_disabled(conn: Connection) -> dict[str, list[DisabledOn]]:
    """Where each adapter is disabled."""
    query = (
        select(adapter_states, sites.c.domain)
        .outerjoin(sites, sites.c.id == adapter_states.c.site_id)
        .where(adapter_states.c.enabled == 0)
    )
    found: dict[str, list[DisabledOn]] = {}
    for row in conn.execute(query):
        off = view_of(DisabledOn, row, site=row.domain, says=(row.health or {}).get("says", ""))
        found.setdefault(row.adapter, []).append(off)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class RunYield:
    """What one run read."""

    id: int
    kind: str
    started_at: datetime
    items: int
    pages: int


def latest_yields(
    conn: Connection, adapter: str, domain: str, *, kinds: Collection[str], limit: int
) -> list[RunYield]:
    """What the latest runs of an adapter read on a site, oldest first."""
    its = select(sources.c.id).join(sites, sites.c.id == sources.c.site_id)
    here = its.where(sites.c.domain == domain, sources.c.adapter == adapter)
    query = (
        select(runs)
        .where(runs.c.source_id.in_(here), runs.c.kind.in_(kinds), runs.c.yield_rate.is_not(None))
        .order_by(runs.c.id.desc())
        .limit(limit)
    )
    found = [(row, row.drift or {}) for row in reversed(conn.execute(query).all())]
    return [
        view_of(RunYield, row, items=drift.get("extracted", 0), pages=drift.get("attempted", 0))
        for row, drift in found
    ]
