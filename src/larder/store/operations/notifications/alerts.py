"""Alerts: one row per name and subject while open, with a count.

Raising an alert queues its notification in the same transaction, unless the same alert was sent within the
last six hours, by this row or an earlier one. An alert that was raised again in that time and is still open
afterwards is sent then (`send_reminders`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select, update

from larder.core.policy.alerting import REPEAT_AFTER, should_notify
from larder.store.database.statement import Statement, json_value
from larder.store.operations.notifications import outbox
from larder.store.reads.rows import newest, read_all, view_of
from larder.store.tables import alerts
from larder.store.tables.columns import micros, moment, moment_or_none

MAX_MESSAGE_LENGTH = 2_000


class _OpenAlert(NamedTuple):
    id: int
    name: str
    severity: str
    subject: str
    message: str
    details: Any
    times: int
    first_at: int
    last_at: int
    sent_at: int | None


_COLUMNS = ", ".join(_OpenAlert._fields)
_RAISE = Statement(
    f"""
    INSERT INTO alerts (name, severity, subject, message, details, times, first_at, last_at, sent_at)
    SELECT name, severity, subject, message, details, 1, :now, :now,
      (SELECT max(before.sent_at) FROM alerts AS before
       WHERE before.name = raised.name AND before.subject = raised.subject)
    FROM {{rows}} AS raised WHERE true
    ON CONFLICT (name, subject) WHERE resolved_at IS NULL DO UPDATE SET
      times = alerts.times + 1, last_at = excluded.last_at, severity = excluded.severity,
      message = excluded.message, details = excluded.details
    RETURNING {_COLUMNS}
    """,
    row=_OpenAlert,
    rows={"name": "text", "severity": "text", "subject": "text", "message": "text", "details": "json"},
    args={"now": "int"},
)

_RESOLVE = Statement(
    """
    UPDATE alerts SET resolved_at = :now
    WHERE resolved_at IS NULL AND subject = :subject AND name IN (SELECT name FROM {rows} AS passed)
    RETURNING id
    """,
    scalar=int,
    rows={"name": "text"},
    args={"subject": "text", "now": "int"},
)

_OPEN = Statement(
    "SELECT id FROM alerts WHERE resolved_at IS NULL AND name = :name AND subject = :subject",
    scalar=int,
    args={"name": "text", "subject": "text"},
)

_QUIET = Statement(
    f"""
    SELECT {_COLUMNS} FROM alerts WHERE resolved_at IS NULL AND last_at > sent_at AND sent_at <= :sent_before
    """,
    row=_OpenAlert,
    args={"sent_before": "int"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertView:
    """An alert; while it is open, further occurrences are counted in it."""

    id: int
    name: str
    severity: str
    subject: str
    message: str
    details: Mapping[str, Any] | None
    times: int
    first_at: datetime
    last_at: datetime
    sent_at: datetime | None
    resolved_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertGroup:
    """The latest open alert of a name, and the number of others with that name."""

    latest: AlertView
    others: int


def raise_alert(
    conn: Connection,
    name: str,
    severity: str,
    subject: str,
    message: str,
    *,
    now: datetime,
    details: Mapping[str, Any] | None = None,
) -> bool:
    """Open an alert, or count it again if it is open; True if it is new."""
    row = (name, severity, subject, message[:MAX_MESSAGE_LENGTH], dict(details) if details else None)
    alert = _RAISE(conn, [row], now=micros(now))[0]
    if _needs_reminder(alert, now):
        _tell(conn, alert, now=now)
    return alert.times == 1


def resolve(conn: Connection, name: str, subject: str, *, now: datetime) -> bool:
    """Resolve an alert; True if it was open."""
    return bool(resolve_all(conn, [name], subject, now=now))


def resolve_all(conn: Connection, names: Sequence[str], subject: str, *, now: datetime) -> int:
    """Resolve several alerts of one subject; how many were open."""
    return len(_RESOLVE(conn, [(name,) for name in names], subject=subject, now=micros(now)))


def resolve_unseen(conn: Connection, name: str, *, since: datetime, now: datetime) -> int:
    """Resolve alerts of this name that were not raised since then; how many."""
    open_ = (alerts.c.resolved_at.is_(None)) & (alerts.c.name == name)
    unseen = update(alerts).where(open_, alerts.c.last_at < since).values(resolved_at=now)
    return conn.execute(unseen).rowcount


def is_open(conn: Connection, name: str, subject: str) -> bool:
    """Whether this alert is open."""
    return bool(_OPEN(conn, name=name, subject=subject))


def send_reminders(conn: Connection, *, now: datetime) -> int:
    """Send open alerts that were raised again within the quiet time; how many."""
    quiet = _QUIET(conn, sent_before=micros(now - REPEAT_AFTER))
    due = sorted((row for row in quiet if _needs_reminder(row, now)), key=lambda row: row.id)
    for row in due:
        _tell(conn, row, now=now)
    return len(due)


def _needs_reminder(row: _OpenAlert, now: datetime) -> bool:
    return should_notify(moment(row.first_at), moment_or_none(row.sent_at), now)


def _tell(conn: Connection, row: _OpenAlert, *, now: datetime) -> None:
    conn.execute(update(alerts).where(alerts.c.id == row.id).values(sent_at=now))
    payload = {
        "alert": row.id,
        "name": row.name,
        "subject": row.subject,
        "message": row.message,
        "details": json_value(row.details) or {},
        "times": row.times,
        "since": moment(row.first_at).isoformat(),
        "at": moment(row.last_at).isoformat(),
    }
    key = f"alert:{row.id}:{micros(now)}"
    outbox.add(
        conn, topic="alert", channel=None, payload=payload, dedupe_key=key, severity=row.severity, now=now
    )


def list_alerts(
    conn: Connection, *, open_only: bool = True, before: int | None = None, limit: int = 100
) -> list[AlertView]:
    """Newest first; `before`: of those with a smaller number."""
    query = select(alerts).where(alerts.c.resolved_at.is_(None)) if open_only else select(alerts)
    return read_all(conn, newest(query, alerts.c.id, before=before, limit=limit), AlertView)


def list_open_or_raised(conn: Connection, name: str, *, since: datetime) -> list[AlertView]:
    """Alerts that are open, and those of that name raised since then."""
    condition = (alerts.c.name == name) & (alerts.c.last_at > since)
    query = select(alerts).where(alerts.c.resolved_at.is_(None) | condition)
    return read_all(conn, query.order_by(alerts.c.id), AlertView)


def by_id(conn: Connection, alert_id: int) -> AlertView | None:
    """The alert of that id."""
    return next(iter(read_all(conn, select(alerts).where(alerts.c.id == alert_id), AlertView)), None)


def close(conn: Connection, alert_id: int, *, now: datetime) -> None:
    """Mark an alert as resolved."""
    conn.execute(update(alerts).where(alerts.c.id == alert_id).values(resolved_at=now))


def list_open_groups(conn: Connection) -> list[AlertGroup]:
    """Open alerts, the most urgent first; only the latest of each name, with the number of others."""
    urgent = alerts.c.severity, alerts.c.id.desc()
    subquery = (
        select(
            alerts,
            func.row_number().over(partition_by=alerts.c.name, order_by=urgent).label("rank"),
            func.count().over(partition_by=alerts.c.name).label("many"),
        )
        .where(alerts.c.resolved_at.is_(None))
        .subquery()
    )
    first = select(subquery).where(subquery.c.rank == 1).order_by(subquery.c.severity, subquery.c.id.desc())
    return [AlertGroup(latest=view_of(AlertView, row), others=row.many - 1) for row in conn.execute(first)]
