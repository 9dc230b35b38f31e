"""Who changed what, and when: every operator's change leaves one line."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert

from larder.store.tables import audit


def note(
    conn: Connection,
    action: str,
    subject: str,
    details: Mapping[str, Any] | None = None,
    *,
    who: str,
    now: datetime,
) -> None:
    """Write the line, in the transaction of the change itself."""
    row = {
        "at": now,
        "who": who,
        "action": action,
        "subject": subject,
        "details": dict(details or {}) or None,
    }
    conn.execute(insert(audit).values(row))
