"""Alerts: list them, and resolve one by hand."""

from dataclasses import replace
from datetime import datetime

from larder.core.errors import Conflict, NotFound
from larder.core.model.hint import Hint
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.operations.notifications import alerts
from larder.store.operations.notifications.alerts import AlertView, list_alerts

__all__ = ["AlertView", "list_alerts", "resolve"]


def resolve(conn: Connection, alert_id: int, *, who: str, now: datetime) -> AlertView:
    """Close an alert; if its cause persists, a new one opens."""
    alert = alerts.by_id(conn, alert_id)
    if alert is None:
        raise NotFound(f"there is no alert {alert_id}", hint=Hint(action="alert.list"))
    if alert.resolved_at is not None:
        raise Conflict(f"alert {alert_id} is resolved already", hint="it opens again if its cause persists")
    alerts.close(conn, alert_id, now=now)
    audit.record(conn, "alert resolved", str(alert_id), who=who, now=now)
    return replace(alert, resolved_at=now)
