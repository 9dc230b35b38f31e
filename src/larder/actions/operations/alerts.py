"""Alerts as an operator sees them: what is open, what was, and closing one by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, update

from larder.core.errors import Conflict, NotFound
from larder.store.database import Connection
from larder.store.database.statement import AnyRow
from larder.store.operations import audit
from larder.store.tables import alerts


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertView:
    """One alert; while it is open, the same one is counted, not repeated."""

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


def list_alerts(
    conn: Connection, *, open_only: bool = True, before: int | None = None, limit: int = 100
) -> list[AlertView]:
    """Newest first; `before`: of those with a smaller number."""
    query = select(alerts).order_by(alerts.c.id.desc()).limit(limit)
    if open_only:
        query = query.where(alerts.c.resolved_at.is_(None))
    if before is not None:
        query = query.where(alerts.c.id < before)
    return [_view(row) for row in conn.execute(query)]


def resolve(conn: Connection, alert_id: int, *, who: str, now: datetime) -> AlertView:
    """It is dealt with; if it comes again, it is a new one."""
    if _one(conn, alert_id).resolved_at is not None:
        raise Conflict(f"alert {alert_id} is resolved already", hint="it opens again by itself if it must")
    conn.execute(update(alerts).where(alerts.c.id == alert_id).values(resolved_at=now))
    audit.record(conn, "alert resolved", str(alert_id), who=who, now=now)
    return _view(_one(conn, alert_id))


def _one(conn: Connection, alert_id: int) -> AnyRow:
    row = conn.execute(select(alerts).where(alerts.c.id == alert_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no alert {alert_id}", hint="look at the list of alerts")
    return row


def _view(row: AnyRow) -> AlertView:
    return AlertView(**row._asdict())
