"""The checks that verification made, the latest first: the evidence behind every `gone`."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from larder.store.reads.rows import newest, only, read_all
from larder.store.tables import records, sources, verifications

PAGE_SIZE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """One check."""

    id: int
    at: datetime
    record_id: int
    title: str | None
    source: str | None
    run_id: int
    method: str
    status: int | None
    outcome: str
    reason: str | None
    control: bool
    settled: bool


def list_checks(
    conn: Connection,
    *,
    run: int | None = None,
    record: int | None = None,
    outcome: str | None = None,
    before: int | None = None,
    limit: int = PAGE_SIZE,
) -> list[CheckLine]:
    """By number, which is by time."""
    query = (
        select(verifications, records.c.title, sources.c.slug.label("source"))
        .outerjoin(records, records.c.id == verifications.c.record_id)
        .outerjoin(sources, sources.c.id == records.c.source_id)
    )
    narrowed = only(
        query,
        (verifications.c.run_id, run),
        (verifications.c.record_id, record),
        (verifications.c.outcome, outcome),
    )
    return read_all(conn, newest(narrowed, verifications.c.id, before=before, limit=limit), CheckLine)
