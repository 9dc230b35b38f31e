"""Parcels for tests."""

from datetime import UTC, datetime
from typing import Any

from larder.core.policy.alerting import Severity
from larder.store.operations.outbox import Note, Parcel

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
) -> Note:
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
    return Note(id=number, topic="alert", severity=Severity(severity), payload=payload, written_at=NOW)


def parcel(*notes: Note, channel: str = "ops", attempt: int = 1) -> Parcel:
    return Parcel(channel=channel, notes=notes, attempt=attempt, key="0123456789abcdef0123456789abcdef")
