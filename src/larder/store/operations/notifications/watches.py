"""Watches: saved queries and rules to report, and the records that each already knows.

Records that match a watch when it is made are known, not news. A watch sees public records, unless an
operator made it for hidden sources as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, insert, literal, select, update

from larder.core.model.record import Availability
from larder.core.model.source import Kind, Visibility
from larder.core.policy.watches import NEW_MATCH, WatchOn, WatchRule, watch_rule
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
    INSERT INTO watch_matches (watch_id, record_id, price_minor, availability, told_at)
    SELECT watch_id, record_id, price_minor, availability, told_at FROM {rows} AS fresh WHERE true
    ON CONFLICT (watch_id, record_id) DO UPDATE SET price_minor = excluded.price_minor,
      availability = excluded.availability, told_at = coalesce(excluded.told_at, watch_matches.told_at)
    """,
    rows={
        "watch_id": "int", "record_id": "int", "price_minor": "int", "availability": "text", "told_at": "int",
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A saved query, or a price to wait for."""

    id: int = 0
    name: str
    query: Query
    record: int | None = None
    """The only record to watch."""
    rule: WatchRule = NEW_MATCH
    """What to report."""
    channel: str | None = None
    """The channel to send to; None: all channels."""
    enabled: bool = True
    hidden: bool = False
    """Whether hidden sources count as well."""
    created_by: str | None = None
    created_at: datetime
    feed_token: str | None = None
    """Part of the address of its private feed; None: it has none."""


def add(conn: Connection, watch: Watch, *, now: datetime) -> Watch:
    """Add a watch; records that match it now are stored as known."""
    check(watch.query)
    row = {**_stored(watch), "created_by": watch.created_by, "created_at": now}
    added = replace(watch, id=conn.execute(insert(watches).values(row).returning(watches.c.id)).scalar_one())
    _know_matches(conn, added, now=now)
    return added


def change(conn: Connection, watch: Watch, *, now: datetime) -> None:
    """Store a changed watch; records that match it now are known, with their values of now."""
    check(watch.query)
    conn.execute(update(watches).where(watches.c.id == watch.id).values(_stored(watch)))
    conn.execute(delete(watch_matches).where(watch_matches.c.watch_id == watch.id))
    _know_matches(conn, watch, now=now)


def _stored(watch: Watch) -> dict[str, Any]:
    hidden = int(watch.hidden)
    return {"name": watch.name, "query": _packed(watch), "channel": watch.channel, "hidden": hidden}


def _know_matches(conn: Connection, watch: Watch, *, now: datetime) -> None:
    query = matching_records(conn, watch, now=now).with_only_columns(
        literal(watch.id), records.c.id, records.c.price_minor, records.c.availability
    )
    columns = ["watch_id", "record_id", "price_minor", "availability"]
    conn.execute(insert(watch_matches).from_select(columns, query.limit(MAX_INITIAL_MATCHES)))


def matching_records(conn: Connection, watch: Watch, *, now: datetime) -> Select[Any]:
    """The records that match a watch now."""
    query = filters.narrow(_all() if watch.hidden else public.visible(now), watch.query, now=now)
    if watch.query.text:
        query = search.narrow(conn, query, search.parse_query(conn, watch.query.text))
    return query if watch.record is None else query.where(records.c.id == watch.record)


class WatchedRecord(NamedTuple):
    """A record that a watch may report."""

    id: int
    title: str
    url: str | None
    price_minor: int | None
    currency: str | None
    availability: str | None
    source: str


def list_matches(
    conn: Connection, watch: Watch, record_ids: Sequence[int], *, now: datetime
) -> list[WatchedRecord]:
    """The records among these that match a watch now; those with unknown stock are left out."""
    query = matching_records(conn, watch, now=now).where(
        records.c.availability.is_distinct_from(Availability.UNKNOWN)
    )
    return _watched(conn, query, record_ids)


def list_gone(conn: Connection, watch: Watch, record_ids: Sequence[int]) -> list[WatchedRecord]:
    """The records among these that a watch knows and that are gone."""
    query = (
        select(records.c.id)
        .join(sources, sources.c.id == records.c.source_id)
        .join(watch_matches, watch_matches.c.record_id == records.c.id)
        .where(records.c.active == 0, watch_matches.c.watch_id == watch.id)
    )
    if not watch.hidden:
        query = query.where(sources.c.visibility == Visibility.PUBLIC)
    return _watched(conn, query, record_ids)


def _watched(conn: Connection, query: Select[Any], record_ids: Sequence[int]) -> list[WatchedRecord]:
    columns = table_columns(records, WatchedRecord)
    shown = query.where(records.c.id.in_(record_ids)).order_by(records.c.id)
    return fetch_as(conn, shown.with_only_columns(*columns, sources.c.slug.label("source")), WatchedRecord)


def _all() -> Select[Any]:
    """All records, also of hidden sources, for operators."""
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
    return _one(conn, watches.c.id == watch_id)


def by_feed_token(conn: Connection, token: str) -> Watch | None:
    """The watch whose private feed has that token."""
    return _one(conn, watches.c.feed_token == token)


def _one(conn: Connection, condition: ColumnElement[bool]) -> Watch | None:
    row = conn.execute(select(watches).where(condition)).one_or_none()
    return None if row is None else _watch(row)


def set_feed_token(conn: Connection, watch_id: int, token: str | None) -> None:
    """Give a watch a private feed, or remove it."""
    conn.execute(update(watches).where(watches.c.id == watch_id).values(feed_token=token))


def set_enabled(conn: Connection, watch_id: int, *, enabled: bool) -> None:
    """Enable or pause a watch; changes during a pause are not reported later."""
    conn.execute(update(watches).where(watches.c.id == watch_id).values(enabled=int(enabled)))


def remove(conn: Connection, watch_id: int) -> None:
    """Delete a watch and the records it knows."""
    conn.execute(delete(watch_matches).where(watch_matches.c.watch_id == watch_id))
    conn.execute(delete(watches).where(watches.c.id == watch_id))


class MatchedRecord(NamedTuple):
    """The values of a record that a watch knows."""

    price_minor: int | None
    availability: str | None


def known_records(conn: Connection, watch_id: int, record_ids: Sequence[int]) -> dict[int, MatchedRecord]:
    """Which of these records a watch knows, each with its reference price and stock."""
    condition = (watch_matches.c.watch_id == watch_id) & watch_matches.c.record_id.in_(record_ids)
    columns = (watch_matches.c.record_id, watch_matches.c.price_minor, watch_matches.c.availability)
    return {row.record_id: MatchedRecord(*row[1:]) for row in conn.execute(select(*columns).where(condition))}


def store_known(
    conn: Connection, watch_id: int, known: Mapping[int, MatchedRecord], told_ids: set[int], *, now: datetime
) -> None:
    """Store the values of these records that a watch knows; `told`: those reported now."""
    at = micros(now)
    rows = [
        (watch_id, record_id, *state, at if record_id in told_ids else None)
        for record_id, state in known.items()
    ]
    _REMEMBER(conn, sorted(rows))


_ASKED = [field.name for field in fields(Query) if field.name not in ("sort", "after", "limit", "collapse")]


_RULE = [field.name for field in fields(WatchRule)]


def _packed(watch: Watch) -> dict[str, Any]:
    values = {name: getattr(watch.query, name) for name in _ASKED}
    values |= {name: getattr(watch.rule, name) for name in _RULE} | {"record": watch.record}
    return {name: _json(value) for name, value in values.items() if value is not None}


def _json(value: Any) -> Any:
    """Times and exact amounts as text."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def _watch(row: Row[Any]) -> Watch:
    values = dict(row.query)
    rule = {name: values.pop(name) for name in _RULE if name in values}
    record = values.pop("record", None)
    return Watch(
        id=row.id,
        name=row.name,
        query=_query(values),
        record=record,
        rule=_rule(rule),
        channel=row.channel,
        enabled=bool(row.enabled),
        hidden=bool(row.hidden),
        created_by=row.created_by,
        created_at=row.created_at,
        feed_token=row.feed_token,
    )


def _rule(values: dict[str, Any]) -> WatchRule:
    by, target, on = (values.get(name) for name in ("falls_by", "target_price", "on"))
    return watch_rule(
        on and WatchOn(on),
        falls_percent=values.get("falls_percent"),
        falls_by=by and Decimal(by),
        target_price=target and Decimal(target),
    )


def _query(values: dict[str, Any]) -> Query:
    for name in ("starts_after", "starts_before"):
        if name in values:
            values[name] = datetime.fromisoformat(values[name])
    for name in ("price_min", "price_max"):
        if name in values:
            values[name] = Decimal(values[name])
    if "kind" in values:
        values["kind"] = Kind(values["kind"])
    if "near" in values:
        values["near"] = tuple(values["near"])
    return Query(**values)
