"""Parcels for tests."""

from datetime import UTC, datetime
from typing import Any

from larder.core.policy.alerting import Severity
from larder.store.operations.notifications.outbox import Message, Notification

NOW = datetime(2026, 3, 2, 7, tzinfo=UTC)


def alert(
    number: int = 1,
    *,
    name: str = "circuit_tripped",
    subject: str = "homes",
    message: str = "5 fetches in a row failed",
    severity: str = "P3",
    times: int = 1,
    **details: Any,
) -> Notification:
    payload = {
        "alert": number,
        "name": name,
        "subject": subject,
        "message": message,
        "details": details,
        "times": times,
        "since": NOW.isoformat(),
        "at": NOW.isoformat(),
    }
    return Notification(
        id=number, topic="alert", severity=Severity(severity), payload=payload, written_at=NOW
    )


def message(*notes: Notification, channel: str = "ops", attempt: int = 1) -> Message:
    return Message(channel=channel, notes=notes, attempt=attempt, key="0123456789abcdef0123456789abcdef")
