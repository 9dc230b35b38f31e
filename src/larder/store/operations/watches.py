"""What people wait for: a query, or a price that falls; and which records each watch knows already.

What answers a watch when it is made is known to it, not news. A watch sees what the public sees, unless an
operator made it for hidden sources, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, literal, select, update

from larder.core.model.source import Kind
from larder.store import search
from larder.store.database.statement import AnyRow, Statement
from larder.store.reads import filters, public
from larder.store.reads.query import Query, check
from larder.store.tables import records, sources, watch_matches, watches
from larder.store.tables.columns import micros

MAX_INITIAL_MATCHES = 100_000
"""Records that a new watch is told to be no news; a wider question than this is no watch."""

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
    """What somebody waits for."""

    id: int = 0
    name: str
    query: Query
    record: int | None = None
    """Only this one."""
    falls_percent: float | None = None
    """Tell when a price has fallen by so much; None: tell of each record that answers, once."""
    channel: str | None = None
    """Where to tell it; None: wherever everything is told."""
    enabled: bool = True
    hidden: bool = False
    """Whether it is told of hidden sources, too."""
    created_by: str | None = None
    created_at: datetime


def add(conn: Connection, watch: Watch, *, now: datetime) -> Watch:
    """A new watch; it knows what answers it already."""
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
    """The records that answer a watch now."""
    asked = filters.narrow(_all() if watch.hidden else public.visible(now), watch.query, now=now)
    if watch.query.text:
        asked = search.narrow(conn, asked, search.parse_query(conn, watch.query.text))
    return asked if watch.record is None else asked.where(records.c.id == watch.record)


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
    """The watch of that number."""
    row = conn.execute(select(watches).where(watches.c.id == watch_id)).one_or_none()
    return None if row is None else _watch(row)


def set_enabled(conn: Connection, watch_id: int, *, enabled: bool) -> None:
    """Go on with it, or pause it: what happens meanwhile is not told later."""
    conn.execute(update(watches).where(watches.c.id == watch_id).values(enabled=int(enabled)))


def remove(conn: Connection, watch_id: int) -> None:
    """Forget it, and what it knew."""
    conn.execute(delete(watch_matches).where(watch_matches.c.watch_id == watch_id))
    conn.execute(delete(watches).where(watches.c.id == watch_id))


def known_prices(conn: Connection, watch_id: int, record_ids: Sequence[int]) -> dict[int, int | None]:
    """Which of these records a watch knows, each with the price it measures by."""
    mine = (watch_matches.c.watch_id == watch_id) & watch_matches.c.record_id.in_(record_ids)
    rows = conn.execute(select(watch_matches.c.record_id, watch_matches.c.price_minor).where(mine))
    return {row.record_id: row.price_minor for row in rows}


def store_prices(
    conn: Connection, watch_id: int, prices: Mapping[int, int | None], told: set[int], *, now: datetime
) -> None:
    """What a watch knows of these records from now on."""
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


def _watch(row: AnyRow) -> Watch:
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
