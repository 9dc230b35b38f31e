"""Evaluates watches (saved searches) on what changed.

The change feed is read from a cursor. A match, what the watch knows and the cursor commit together, so that
each match is notified once. Records of a source that is made public are no matches: they are known from then
on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from larder.core.model.money import exponent, from_minor
from larder.core.policy.alerting import Severity
from larder.core.policy.watches import watch_decision
from larder.store.database import Connection, moment
from larder.store.dataset import changes
from larder.store.dataset.changes import Change, Cursor
from larder.store.operations import key_values, outbox, watches
from larder.store.operations.watches import Watch, WatchedRecord

BATCH = 500
STATE_KEY = "watches"
"""The key under which the cursor is stored."""


def evaluate_watches(conn: Connection, *, now: datetime, most: int = BATCH) -> int:
    """Evaluate the next changes; returns how many there were. One process at a time."""
    if not outbox.try_lock(conn, STATE_KEY):
        return 0
    kept = key_values.read(conn, STATE_KEY) or {}
    waiting = watches.list_watches(conn, enabled=True)
    if not kept or not waiting:
        return _skip(conn, kept, now=now)
    happened = changes.list_since(conn, Cursor(**kept), most=most)
    for watch in waiting:
        _evaluate(conn, watch, [row for row in happened if moment(row.at) >= watch.created_at], now=now)
    if happened:
        key_values.write(conn, STATE_KEY, asdict(changes.cursor_of(happened[-1])), now=now)
    return len(happened)


def _skip(conn: Connection, kept: Mapping[str, int], *, now: datetime) -> int:
    """There are no watches: move the cursor to the end of the feed."""
    end = asdict(changes.latest_cursor(conn))
    if end != kept:
        key_values.write(conn, STATE_KEY, end, now=now)
    return 0


def _evaluate(conn: Connection, watch: Watch, happened: Sequence[Change], *, now: datetime) -> None:
    ids = sorted({change.record_id for change in happened})
    if not ids:
        return
    news = {change.record_id for change in happened if change.change != changes.PUBLISHED}
    rows = watches.list_matches(conn, watch, ids, now=now)
    known = watches.known_prices(conn, watch.id, [row.id for row in rows])
    prices: dict[int, int | None] = {}
    told: set[int] = set()
    for row in rows:
        decision = watch_decision(
            falls_percent=watch.falls_percent,
            known=row.id in known,
            reference=known.get(row.id),
            price=row.price_minor,
        )
        prices[row.id] = decision.price
        if decision.tell and row.id in news:
            told.add(row.id)
            _notify(conn, watch, row, known, now=now)
    watches.store_prices(conn, watch.id, prices, told, now=now)


def _notify(
    conn: Connection, watch: Watch, row: WatchedRecord, known: Mapping[int, int | None], *, now: datetime
) -> None:
    was = known.get(row.id) if watch.falls_percent is not None else None
    payload = {
        "name": watch.name,
        "subject": row.title,
        "message": _message(row, was),
        "watch": watch.id,
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


def _message(row: WatchedRecord, was: int | None) -> str:
    price = _amount(row.price_minor, row.currency)
    if was is not None:
        price = f"{_amount(was, row.currency)} → {price}"
    return " ".join(filter(None, (price, row.url)))


def _amount(minor: int | None, currency: str | None) -> str:
    if minor is None:
        return ""
    return f"{currency or ''} {from_minor(minor, currency):,.{exponent(currency)}f}".strip()
