"""Watches: saved searches that notify of new records, and alerts for falling prices."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from larder.core.errors import BadInput, NotFound
from larder.core.model.hint import Hint
from larder.store.database import Connection
from larder.store.operations import audit, watches
from larder.store.operations.watches import Watch
from larder.store.reads.lookup import any_hidden, record_row, source_row
from larder.store.reads.query import Query
from larder.store.reads.rows import view_of

MAX_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLine:
    """A watch."""

    id: int
    name: str
    asks: Mapping[str, Any]
    """The parts of its query that narrow."""
    record: int | None
    falls_percent: float | None
    channel: str | None
    enabled: bool
    hidden: bool
    created_by: str | None
    created_at: datetime


def add(
    conn: Connection,
    name: str,
    query: Query,
    *,
    record: int | None = None,
    falls_percent: float | None = None,
    channel: str | None = None,
    hidden: bool = False,
    channels: Collection[str] | None = None,
    who: str,
    now: datetime,
) -> WatchLine:
    """Add a watch; one that names a hidden source or record reads hidden ones. `channels`: known ones."""
    _check(name, query, record=record, falls_percent=falls_percent)
    if channels is not None and channel not in (None, *channels):
        raise BadInput(f"there is no channel {channel!r}", hint=f"channels: {', '.join(channels) or 'none'}")
    watch = Watch(
        name=name,
        query=query,
        record=record,
        falls_percent=falls_percent,
        channel=channel,
        hidden=hidden or _names_hidden(conn, query, record),
        created_by=who,
        created_at=now,
    )
    line = _line(watches.add(conn, watch, now=now))
    audit.record(conn, "watch add", name, {"id": line.id, "asks": dict(line.asks)}, who=who, now=now)
    return line


def list_watches(conn: Connection) -> list[WatchLine]:
    """All watches, oldest first."""
    return [_line(watch) for watch in watches.list_watches(conn)]


def pause(conn: Connection, watch_id: int, *, who: str, now: datetime) -> WatchLine:
    """Send nothing until it is resumed; what happens meanwhile is not sent later."""
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
    """Is it about a source, or a record of one, that is there but not public?"""
    named = [] if record is None else [record_row(conn, record).source_id]
    if query.source is not None:
        named.append(source_row(conn, query.source).id)
    return any_hidden(conn, named)


def _check(name: str, query: Query, *, record: int | None, falls_percent: float | None) -> None:
    if not 0 < len(name.strip()) <= MAX_NAME_LENGTH:
        raise BadInput("the name is empty or too long", hint=f"use 1 to {MAX_NAME_LENGTH} characters")
    if falls_percent is not None and not 0 < falls_percent < 100:
        raise BadInput(f"falls_percent is {falls_percent}", hint="set it to more than 0 and less than 100")
    if falls_percent is None and record is None and query == Query():
        raise BadInput("the watch has no filter", hint="give a text, a price, a record or another filter")
    if record is not None and falls_percent is None:
        raise BadInput(
            "falls_percent is missing", hint="give the percentage by which the record's price must fall"
        )


def _line(watch: Watch) -> WatchLine:
    standing = asdict(Query())
    asks = {name: value for name, value in asdict(watch.query).items() if value != standing[name]}
    return view_of(WatchLine, watch, asks=asks)
