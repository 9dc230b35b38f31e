"""The health of adapters on each site, and the batches it is judged by."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, select, union_all, update

from larder.core.model.run import RunKind
from larder.core.policy.trust.drift import AdapterHealth, DisabledWhy
from larder.core.policy.trust.yields import PageYield
from larder.store.database.statement import Statement, fetch_as, table_columns
from larder.store.reads.rows import view_of
from larder.store.tables import adapter_states, drift_batches, runs, sites, sources

EVERYWHERE = 0
"""The site id of a state that holds for all sites."""


class DriftBatch(NamedTuple):
    """A batch that an adapter was judged by."""

    id: int
    adapter: str
    site_id: int
    run_id: int | None
    adapter_version: str | None
    attempted: int
    failed: int
    extracted: int
    dropped: int
    valid: int
    zero_prices: int
    index_pages: int
    listed: int
    compared: int
    agreed: int
    at: datetime


class _AdapterPlace(NamedTuple):
    adapter: str
    site_id: int


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
    """The health of an adapter on a site; healthy where it was never judged."""
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
    """Store it; `said`: an operator's reason."""
    condition = (adapter_states.c.adapter == adapter) & (adapter_states.c.site_id == site_id)
    conn.execute(delete(adapter_states).where(condition))
    values = {**_columns(health), "why": reason or health.why}
    conn.execute(insert(adapter_states).values(adapter=adapter, site_id=site_id, **values))


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
    """A probe is running; the next one is not due before then."""
    condition = (adapter_states.c.adapter == adapter) & (adapter_states.c.site_id == site_id)
    conn.execute(update(adapter_states).where(condition).values(probe_at=at))


def _columns(health: AdapterHealth) -> dict[str, Any]:
    return {
        "enabled": int(health.enabled),
        "since": health.since,
        "by": health.by or None,
        "probe_at": health.probe_at,
        "first_run_flagged": int(health.first_run_flagged),
        "last_rate": health.last_rate,
        "health": {
            "pending": asdict(health.pending),
            "failed_batches": health.failed_batches,
            "zero_runs": health.zero_runs,
            "zero_price_batches": health.zero_price_batches,
            "version": health.version,
            "says": health.says,
        },
    }


def _row(conn: Connection, adapter: str, site_id: int) -> Row[Any] | None:
    condition = (adapter_states.c.adapter == adapter) & (adapter_states.c.site_id == site_id)
    return conn.execute(select(adapter_states).where(condition)).one_or_none()


def add_batch(
    conn: Connection,
    batch: PageYield,
    *,
    adapter: str,
    site_id: int,
    run_id: int,
    version: str,
    now: datetime,
) -> None:
    """Store a batch that was judged, for the baseline and the chart."""
    keys = {"adapter": adapter, "site_id": site_id, "run_id": run_id, "adapter_version": version, "at": now}
    conn.execute(insert(drift_batches).values(**keys, **asdict(batch)))


def latest_batches(
    conn: Connection, adapter: str, *, limit: int, each: int
) -> Mapping[str, Sequence[DriftBatch]]:
    """By site, the latest batches, oldest first; disabled sites first, then those judged last.

    At most `each` batches of a site are read.
    """
    drawn = {row.id: row.domain for row in conn.execute(_judged(adapter, limit))}
    found: dict[str, list[DriftBatch]] = {domain: [] for domain in drawn.values()}
    if drawn:
        query = union_all(*(select(_newest(adapter, site_id, each).subquery()) for site_id in drawn))
        for row in fetch_as(conn, query.order_by("at", "id"), DriftBatch):
            found[drawn[row.site_id]].append(row)
    return found


def _judged(adapter: str, limit: int) -> Select[Any]:
    newest = _newest(adapter, adapter_states.c.site_id, 1).with_only_columns(drift_batches.c.at)
    last = newest.scalar_subquery()
    on = select(sites.c.id, sites.c.domain).join(adapter_states, adapter_states.c.site_id == sites.c.id)
    query = on.where(adapter_states.c.adapter == adapter, last.is_not(None))
    return query.order_by(adapter_states.c.enabled, last.desc(), sites.c.id).limit(limit)


def _newest(adapter: str, site_id: int | ColumnElement[int], limit: int) -> Select[Any]:
    condition = (drift_batches.c.adapter == adapter) & (drift_batches.c.site_id == site_id)
    columns = table_columns(drift_batches, DriftBatch)
    return select(*columns).where(condition).order_by(drift_batches.c.at.desc()).limit(limit)


def list_batches(
    conn: Connection, adapter: str, site_id: int, *, kind: RunKind, since: datetime
) -> Sequence[tuple[datetime, PageYield]]:
    """The batches of an adapter on a site since then, of runs of this kind."""
    condition = (drift_batches.c.adapter == adapter) & (drift_batches.c.site_id == site_id)
    of_kind = select(drift_batches).join(runs, runs.c.id == drift_batches.c.run_id)
    rows = conn.execute(of_kind.where(condition, drift_batches.c.at >= since, runs.c.kind == kind))
    names = PageYield.__dataclass_fields__
    return [(row.at, PageYield(**{name: getattr(row, name) for name in names})) for row in rows]


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
class Usage:
    """How many sources an adapter reads, and on how many sites."""

    sources: int
    sites: int


NO_USAGE = Usage(sources=0, sites=0)


def usage(conn: Connection) -> dict[str, Usage]:
    """Of each adapter that sources name."""
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
