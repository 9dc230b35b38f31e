"""Watches: saved searches that notify of new records, prices, stock and records that are gone."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal
from secrets import token_urlsafe
from typing import Any

from larder.core.errors import BadInput, NotFound
from larder.core.model.hint import Hint
from larder.core.model.money import format_amount
from larder.core.policy.alerting import Severity
from larder.core.policy.watches import NEW_MATCH, WatchOn, watch_rule
from larder.core.quoting import quoted
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.operations.notifications import outbox, watches
from larder.store.operations.notifications.watches import Watch
from larder.store.reads.lookup import any_hidden, record_row, source_row
from larder.store.reads.query import Query
from larder.store.reads.rows import view_of

MAX_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLine:
    """A watch as the interfaces show it."""

    id: int
    name: str
    asks: Mapping[str, Any]
    """The parts of its query that narrow the search."""
    record: int | None
    on: WatchOn
    """What it waits for."""
    falls_percent: float | None
    falls_by: Decimal | None
    target_price: Decimal | None
    channel: str | None
    enabled: bool
    hidden: bool
    created_by: str | None
    created_at: datetime
    feed: str | None
    """The path of its private feed, without `.atom`, `.rss` or `.ics`."""


def add(
    conn: Connection,
    name: str,
    query: Query,
    *,
    record: int | None = None,
    on: WatchOn | None = None,
    falls_percent: float | None = None,
    falls_by: Decimal | None = None,
    target_price: Decimal | None = None,
    channel: str | None = None,
    hidden: bool = False,
    channels: Collection[str] | None = None,
    who: str,
    now: datetime,
) -> WatchLine:
    """Add a watch; one that names a hidden source or record reads hidden ones. `channels`: known ones."""
    rule = watch_rule(on, falls_percent=falls_percent, falls_by=falls_by, target_price=target_price)
    watch = Watch(
        name=name, query=query, record=record, rule=rule, channel=channel, hidden=hidden, created_by=who,
        created_at=now,
    )  # fmt: skip
    _check(watch, channels)
    watch = replace(watch, hidden=hidden or _names_hidden(conn, query, record))
    line = _line(watches.add(conn, watch, now=now))
    audit.record(conn, "watch add", name, {"id": line.id, "asks": _json_safe(line.asks)}, who=who, now=now)
    return line


RULE_FIELDS = ("on", "falls_percent", "falls_by", "target_price")


def change(
    conn: Connection,
    watch_id: int,
    changes: Mapping[str, Any],
    *,
    channels: Collection[str] | None = None,
    who: str,
    now: datetime,
) -> WatchLine:
    """Change the given fields of a watch; its condition is replaced as a whole.

    Records that match now are known.
    """
    watch = _named(conn, watch_id)
    values = {name: value for name, value in changes.items() if name not in RULE_FIELDS}
    rule_fields = {name: value for name, value in changes.items() if name in RULE_FIELDS}
    rule = watch_rule(**rule_fields) if rule_fields else watch.rule
    changed = replace(watch, **values, rule=rule)
    _check(changed, channels)
    hidden = changed.hidden or _names_hidden(conn, changed.query, changed.record)
    watches.change(conn, replace(changed, hidden=hidden), now=now)
    audit.record(
        conn, "watch change", changed.name, {"id": watch_id, "fields": sorted(changes)}, who=who, now=now
    )
    return _line(_named(conn, watch_id))


def send_test(conn: Connection, watch_id: int, *, who: str, now: datetime) -> WatchLine:
    """Send a test message as this watch would."""
    watch = _named(conn, watch_id)
    payload = {
        "name": watch.name,
        "subject": "test message",
        "message": "This watch can reach you. Nothing has matched.",
        "watch": watch_id,
        "test": True,
    }
    outbox.add(
        conn, topic="watch", channel=watch.channel, payload=payload, dedupe_key=None, severity=Severity.INFO,
        now=now,
    )  # fmt: skip
    audit.record(conn, "watch test", watch.name, {"id": watch_id}, who=who, now=now)
    return _line(watch)


def list_watches(conn: Connection) -> list[WatchLine]:
    """All watches, oldest first."""
    return [_line(watch) for watch in watches.list_watches(conn)]


def find(conn: Connection, watch_id: int) -> WatchLine:
    """Show one watch."""
    return _line(_named(conn, watch_id))


def pause(conn: Connection, watch_id: int, *, who: str, now: datetime) -> WatchLine:
    """Send nothing until it is resumed; matches in the meantime are not sent later."""
    return _enable(conn, watch_id, enabled=False, who=who, now=now)


def resume(conn: Connection, watch_id: int, *, who: str, now: datetime) -> WatchLine:
    """Send notifications again."""
    return _enable(conn, watch_id, enabled=True, who=who, now=now)


def remove(conn: Connection, watch_id: int, *, who: str, now: datetime) -> WatchLine:
    """Delete a watch."""
    watch = _named(conn, watch_id)
    watches.remove(conn, watch_id)
    audit.record(conn, "watch remove", watch.name, {"id": watch_id}, who=who, now=now)
    return _line(watch)


def make_feed(conn: Connection, watch_id: int, *, who: str, now: datetime) -> WatchLine:
    """Give a watch a private feed with an address that cannot be guessed; an earlier address ends."""
    return _set_feed(conn, watch_id, token_urlsafe(32), who=who, now=now)


def remove_feed(conn: Connection, watch_id: int, *, who: str, now: datetime) -> WatchLine:
    """Remove the private feed of a watch: its address no longer works."""
    return _set_feed(conn, watch_id, None, who=who, now=now)


def _set_feed(conn: Connection, watch_id: int, token: str | None, *, who: str, now: datetime) -> WatchLine:
    watch = _named(conn, watch_id)
    watches.set_feed_token(conn, watch_id, token)
    action = "watch feed made" if token else "watch feed removed"
    audit.record(conn, action, watch.name, {"id": watch_id}, who=who, now=now)
    return _line(replace(watch, feed_token=token))


_WAITS = {WatchOn.NEW_MATCH: "", WatchOn.BACK_IN_STOCK: "back in stock", WatchOn.GONE: "gone"}


def describe_rule(line: WatchLine) -> str:
    """What a watch waits for, for people; empty for new matches."""
    currency = line.asks.get("currency")
    if line.falls_percent is not None:
        return f"price falls by {line.falls_percent:g} %"
    if line.falls_by is not None:
        return f"price falls by {format_amount(line.falls_by, currency)}"
    if line.target_price is not None:
        return f"price is at most {format_amount(line.target_price, currency)}"
    return _WAITS[line.on]


def _enable(conn: Connection, watch_id: int, *, enabled: bool, who: str, now: datetime) -> WatchLine:
    watch = _named(conn, watch_id)
    watches.set_enabled(conn, watch_id, enabled=enabled)
    action = "watch resume" if enabled else "watch pause"
    audit.record(conn, action, watch.name, {"id": watch_id}, who=who, now=now)
    return _line(_named(conn, watch_id))


def _named(conn: Connection, watch_id: int) -> Watch:
    watch = watches.by_id(conn, watch_id)
    if watch is None:
        raise NotFound(f"there is no watch {watch_id}", hint=Hint(action="watch.list"))
    return watch


def _names_hidden(conn: Connection, query: Query, record: int | None) -> bool:
    """Whether it names a source, or a record of one, that is not public."""
    source_ids = [] if record is None else [record_row(conn, record).source_id]
    if query.source is not None:
        source_ids.append(source_row(conn, query.source).id)
    return any_hidden(conn, source_ids)


def _check(watch: Watch, channels: Collection[str] | None) -> None:
    length = len(watch.name.strip())
    if not 0 < length <= MAX_NAME_LENGTH:
        wrong = f"name has {length} characters" if length else "name is empty"
        raise BadInput(wrong, hint=f"use 1 to {MAX_NAME_LENGTH} characters")
    if channels is not None and watch.channel not in (None, *channels):
        known = f"channels: {', '.join(channels) or 'none'}"
        raise BadInput(f"there is no channel {quoted(watch.channel)}", hint=known)
    if watch.rule == NEW_MATCH and watch.record is None and watch.query == Query():
        raise BadInput("the watch has no filter", hint="give a text, a price, a record or another filter")
    if watch.rule == NEW_MATCH and watch.record is not None:
        hint = "give falls_percent, falls_by, target_price, or on: back_in_stock or gone"
        raise BadInput(f"the watch of record {watch.record} has no condition", hint=hint)


def _line(watch: Watch) -> WatchLine:
    standing = asdict(Query())
    filters = {name: value for name, value in asdict(watch.query).items() if value != standing[name]}
    feed = None if watch.feed_token is None else f"/feeds/{watch.feed_token}"
    return view_of(WatchLine, watch, asks=filters, feed=feed, **asdict(watch.rule))


def _json_safe(filters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(each) if isinstance(each, Decimal) else each for name, each in filters.items()}
