"""Evaluates watches (saved searches) on changed records.

The change feed is read from a cursor. A match, the state of the watch and the cursor commit together, so that
each match is notified once. Records of a source that becomes public are no matches: they count as known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from larder.core.model.money import format_minor
from larder.core.model.record import Verification
from larder.core.policy.alerting import Severity
from larder.core.policy.watches import WatchedState, WatchOn, watch_decision
from larder.store.database import Connection, moment
from larder.store.dataset import changes
from larder.store.dataset.changes import Change, Cursor
from larder.store.operations import key_values
from larder.store.operations.notifications import outbox, watches
from larder.store.operations.notifications.watches import MatchedRecord, Watch, WatchedRecord

BATCH = 500
STATE_KEY = "watches"
"""The key under which the cursor is stored."""


def evaluate_watches(conn: Connection, *, now: datetime, limit: int = BATCH) -> int:
    """Evaluate the next changes; returns how many there were. One process at a time."""
    if not outbox.try_lock(conn, STATE_KEY):
        return 0
    state = key_values.read(conn, STATE_KEY) or {}
    waiting = watches.list_watches(conn, enabled=True)
    if not state or not waiting:
        return _skip(conn, state, now=now)
    happened = changes.list_since(conn, Cursor(**state), limit=limit)
    for watch in waiting:
        _evaluate(conn, watch, [row for row in happened if moment(row.at) >= watch.created_at], now=now)
    if happened:
        key_values.write(conn, STATE_KEY, asdict(changes.cursor_of(happened[-1])), now=now)
    return len(happened)


def _skip(conn: Connection, state: Mapping[str, int], *, now: datetime) -> int:
    """Move the cursor to the end of the feed, as there are no watches."""
    end = asdict(changes.latest_cursor(conn))
    if end != state:
        key_values.write(conn, STATE_KEY, end, now=now)
    return 0


def _evaluate(conn: Connection, watch: Watch, happened: Sequence[Change], *, now: datetime) -> None:
    ids = sorted({change.record_id for change in happened})
    if not ids:
        return
    if watch.rule.on is WatchOn.GONE:
        _report_gone(conn, watch, happened, now=now)
    news = {change.record_id for change in happened if change.change != changes.PUBLISHED}
    rows = watches.list_matches(conn, watch, ids, now=now)
    known = watches.known_records(conn, watch.id, [row.id for row in rows])
    matches: dict[int, MatchedRecord] = {}
    notified: set[int] = set()
    for row in rows:
        before = known.get(row.id)
        decision = watch_decision(watch.rule, _known_state(row, before), _state(row))
        matches[row.id] = MatchedRecord(decision.price, decision.availability)
        if decision.notify and row.id in news:
            notified.add(row.id)
            _notify(conn, watch, row, before.price_minor if before else None, now=now)
    watches.store_known(conn, watch.id, matches, notified, now=now)


def _report_gone(conn: Connection, watch: Watch, happened: Sequence[Change], *, now: datetime) -> None:
    ids = sorted({change.record_id for change in happened if change.change == Verification.GONE})
    rows = watches.list_gone(conn, watch, ids) if ids else []
    for row in rows:
        _notify(conn, watch, row, None, now=now)
    removed = {row.id: MatchedRecord(row.price_minor, row.availability) for row in rows}
    watches.store_known(conn, watch.id, removed, set(removed), now=now)


def _state(row: WatchedRecord) -> WatchedState:
    return WatchedState(price=row.price_minor, currency=row.currency, availability=row.availability)


def _known_state(row: WatchedRecord, record: MatchedRecord | None) -> WatchedState | None:
    if record is None:
        return None
    return WatchedState(price=record.price_minor, currency=row.currency, availability=record.availability)


def _notify(conn: Connection, watch: Watch, row: WatchedRecord, before: int | None, *, now: datetime) -> None:
    was = before if watch.rule.on in (WatchOn.PRICE_DROP, WatchOn.TARGET_PRICE) else None
    payload = {
        "name": watch.name,
        "subject": row.title,
        "message": _message(watch, row, was),
        "watch": watch.id,
        "on": watch.rule.on,
        "record": row.id,
        "source": row.source,
        "url": row.url,
        "price_minor": row.price_minor,
        "currency": row.currency,
        "was_minor": was,
    }
    outbox.add(
        conn,
        topic="watch",
        channel=watch.channel,
        payload=payload,
        dedupe_key=None,
        severity=Severity.INFO,
        now=now,
    )


_SAID = {WatchOn.BACK_IN_STOCK: "back in stock", WatchOn.GONE: "gone"}


def _message(watch: Watch, row: WatchedRecord, was: int | None) -> str:
    price = "" if row.price_minor is None else format_minor(row.price_minor, row.currency)
    if was is not None:
        price = f"{format_minor(was, row.currency)} → {price}"
    return " ".join(filter(None, (_SAID.get(watch.rule.on), price, row.url)))
