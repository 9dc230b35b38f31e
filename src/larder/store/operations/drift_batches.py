"""The batches of pages that adapters are judged by, for the baseline and the chart."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, insert, select, union_all

from larder.core.model.run import RunKind
from larder.core.policy.trust.yields import PageYield
from larder.store.database.statement import Statement, fetch_as, table_columns
from larder.store.tables import adapter_states, drift_batches, sites
from larder.store.tables.columns import micros, moment


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


class _Batch(NamedTuple):
    """When it was judged, and the fields of a `PageYield`."""

    at: int
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


_BATCHES = Statement(
    f"""
    SELECT {", ".join(f"drift_batches.{name}" for name in _Batch._fields)}
    FROM drift_batches JOIN runs ON runs.id = drift_batches.run_id
    WHERE drift_batches.adapter = :adapter AND drift_batches.site_id = :site_id
      AND drift_batches.at >= :since AND runs.kind = :kind
    """,
    row=_Batch,
    args={"adapter": "text", "site_id": "int", "since": "int", "kind": "text"},
)


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
    counts = {name: getattr(batch, name) for name in _Batch._fields[1:]}
    conn.execute(insert(drift_batches).values(**keys, **counts))


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
    rows = _BATCHES(conn, adapter=adapter, site_id=site_id, kind=kind.value, since=micros(since))
    return [
        (moment(row.at), PageYield(**dict(zip(_Batch._fields[1:], row[1:], strict=True)))) for row in rows
    ]
