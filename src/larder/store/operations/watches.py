"""Watches: saved queries and price falls to report, and the records that each already knows.

Records that match a watch when it is made are known, not news. A watch sees what the public sees, unless an
operator made it for hidden sources as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, delete, insert, literal, select, update

from larder.core.model.source import Kind
from larder.store import search
from larder.store.database.statement import Statement, fetch_as, table_columns
from larder.store.reads import filters, public
from larder.store.reads.query import Query, check
from larder.store.tables import records, sources, watch_matches, watches
from larder.store.tables.columns import micros

MAX_INITIAL_MATCHES = 100_000
"""The most matches that a new watch stores as known."""

_REMEMBER = Statement(
    """
    INSERT INTO watch_matches (watch_id, record_id, price_minor, told_at)
    SELECT watch_id, record_id, price_minor, told_at FROM {rows} AS fresh WHERE true
    ON CONFLICT (watch_id, record_id) DO UPDATE SET price_minor = excluded.price_minor,
      told_at = coalesce(excluded.told_at, watch_matches.told_at)
    """,
    rows={"watch_id": "int", "record_id": "int", "price_minor": "int", "told_at": "int"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A saved query, or a price to wait for."""

    id: int = 0
    name: str
    query: Query
    record: int | None = None
    """Only this record."""
    falls_percent: float | None = None
    """Report a price that fell by so much; None: report each matching record once."""
    channel: str | None = None
    """The channel to send to; None: all channels."""
    enabled: bool = True
    hidden: bool = False
    """Whether hidden sources count as well."""
    created_by: str | None = None
    created_at: datetime


def add(conn: Connection, watch: Watch, *, now: datetime) -> Watch:
    """Add a watch; records that match it now are stored as known."""
    check(watch.query)
    row = {
        "name": watch.name,
        "query": _packed(watch),
        "channel": watch.channel,
        "hidden": int(watch.hidden),
        "created_by": watch.created_by,
        "created_at": now,
    }
    added = replace(watch, id=conn.execute(insert(watches).values(row).returning(watches.c.id)).scalar_one())
    known = matching_records(conn, added, now=now).with_only_columns(
        literal(added.id), records.c.id, records.c.price_minor
    )
    columns = ["watch_id", "record_id", "price_minor"]
    conn.execute(insert(watch_matches).from_select(columns, known.limit(MAX_INITIAL_MATCHES)))
    return added


def matching_records(conn: Connection, watch: Watch, *, now: datetime) -> Select[Any]:
    """The records that match a watch now."""
    asked = filters.narrow(_all() if watch.hidden else public.visible(now), watch.query, now=now)
    if watch.query.text:
        asked = search.narrow(conn, asked, search.parse_query(conn, watch.query.text))
    return asked if watch.record is None else asked.where(records.c.id == watch.record)


class WatchedRecord(NamedTuple):
    """A record that a watch may report."""

    id: int
    title: str
    url: str | None
    price_minor: int | None
    currency: str | None
    source: str


def list_matches(
    conn: Connection, watch: Watch, record_ids: Sequence[int], *, now: datetime
) -> list[WatchedRecord]:
    """Those of these records that match a watch now."""
    columns = table_columns(records, WatchedRecord)
    asked = matching_records(conn, watch, now=now).where(records.c.id.in_(record_ids)).order_by(records.c.id)
    return fetch_as(conn, asked.with_only_columns(*columns, sources.c.slug.label("source")), WatchedRecord)


def _all() -> Select[Any]:
    """For operators: hidden sources, too."""
    return (
        select(records, sources.c.slug.label("source"))
        .join(sources, sources.c.id == records.c.source_id)
        .where(records.c.active == 1)
    )


def list_watches(conn: Connection, *, enabled: bool | None = None) -> list[Watch]:
    """All watches, oldest first."""
    query = select(watches).order_by(watches.c.id)
    if enabled is not None:
        query = query.where(watches.c.enabled == int(enabled))
    return [_watch(row) for row in conn.execute(query)]


def by_id(conn: Connection, watch_id: int) -> Watch | None:
    """The watch of that id."""
    row = conn.execute(select(watches).where(watches.c.id == watch_id)).one_or_none()
    return None if row is None else _watch(row)


def set_enabled(conn: Connection, watch_id: int, *, enabled: bool) -> None:
    """Enable or pause a watch; changes during a pause are not reported later."""
    conn.execute(update(watches).where(watches.c.id == watch_id).values(enabled=int(enabled)))


def remove(conn: Connection, watch_id: int) -> None:
    """Delete a watch and the records it knows."""
    conn.execute(delete(watch_matches).where(watch_matches.c.watch_id == watch_id))
    conn.execute(delete(watches).where(watches.c.id == watch_id))


def known_prices(conn: Connection, watch_id: int, record_ids: Sequence[int]) -> dict[int, int | None]:
    """Which of these records a watch knows, each with its reference price."""
    mine = (watch_matches.c.watch_id == watch_id) & watch_matches.c.record_id.in_(record_ids)
    rows = conn.execute(select(watch_matches.c.record_id, watch_matches.c.price_minor).where(mine))
    return {row.record_id: row.price_minor for row in rows}


def store_prices(
    conn: Connection, watch_id: int, prices: Mapping[int, int | None], told: set[int], *, now: datetime
) -> None:
    """Store the reference prices of these records; `told`: those that are reported now."""
    at = micros(now)
    rows = [
        (watch_id, record_id, price, at if record_id in told else None) for record_id, price in prices.items()
    ]
    _REMEMBER(conn, sorted(rows))


_ASKED = [field.name for field in fields(Query) if field.name not in ("sort", "after", "limit")]


def _packed(watch: Watch) -> dict[str, Any]:
    said = {name: getattr(watch.query, name) for name in _ASKED}
    said |= {"record": watch.record, "falls_percent": watch.falls_percent}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in said.items()
        if value is not None
    }


def _watch(row: Row[Any]) -> Watch:
    said = dict(row.query)
    record, falls = said.pop("record", None), said.pop("falls_percent", None)
    return Watch(
        id=row.id,
        name=row.name,
        query=_query(said),
        record=record,
        falls_percent=falls,
        channel=row.channel,
        enabled=bool(row.enabled),
        hidden=bool(row.hidden),
        created_by=row.created_by,
        created_at=row.created_at,
    )


def _query(said: dict[str, Any]) -> Query:
    for name in ("starts_after", "starts_before"):
        if name in said:
            said[name] = datetime.fromisoformat(said[name])
    if "kind" in said:
        said["kind"] = Kind(said["kind"])
    if "near" in said:
        said["near"] = tuple(said["near"])
    return Query(**said)
