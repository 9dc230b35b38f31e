"""Who changed what, and when: every operator's change leaves one line."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from larder.store.database.change_listener import announce_change
from larder.store.reads.rows import newest, only, read_all
from larder.store.tables import audit

PAGE_SIZE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change."""

    id: int
    at: datetime
    who: str
    action: str
    subject: str | None
    details: Mapping[str, Any] | None


def record(
    conn: Connection,
    action: str,
    subject: str,
    details: Mapping[str, Any] | None = None,
    *,
    who: str,
    now: datetime,
) -> None:
    """Write the line, in the transaction of the change itself."""
    stored = dict(details or {}) or None
    conn.execute(insert(audit).values(at=now, who=who, action=action, subject=subject, details=stored))
    announce_change(conn)


def list_entries(
    conn: Connection,
    *,
    who: str | None = None,
    subject: str | None = None,
    before: int | None = None,
    limit: int = PAGE_SIZE,
) -> list[AuditEntry]:
    """The latest changes; `before` continues from the number of the last line."""
    query = only(select(audit), (audit.c.who, who), (audit.c.subject, subject))
    return read_all(conn, newest(query, audit.c.id, before=before, limit=limit), AuditEntry)
