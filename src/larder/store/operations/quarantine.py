"""Items in quarantine: list them, read one with its page and job, store decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, select, update

from larder.core.model.outcome import QuarantineReason
from larder.store.database.statement import Statement
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import newest, only, read_all
from larder.store.tables import jobs, pages, quarantine, runs, sources


class QuarantineStatus(StrEnum):
    """The status of a quarantined item."""

    PENDING = "pending"
    RELEASED = "released"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """One item in quarantine, as its page showed it."""

    id: int
    source: str | None
    reason: str
    details: str | None
    status: str
    item: Mapping[str, Any]
    """Raw values: text, not parsed."""
    url: str | None
    """The page it was on."""
    page_id: int | None
    run_id: int | None
    observed_at: datetime
    created_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantinedItem:
    """An item with the data for storing it after all."""

    id: int
    source_id: int
    item: Mapping[str, Any]
    observed_at: datetime
    job_id: int | None
    run_id: int | None
    page_id: int | None
    url: str | None
    final_url: str | None
    purpose: str | None
    number: int | None
    context: Mapping[str, Any] | None
    adapter_version: str | None


def list_items(
    conn: Connection,
    *,
    source: str | None = None,
    status: QuarantineStatus | None = QuarantineStatus.PENDING,
    reason: QuarantineReason | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[ItemView]:
    """Newest first; `status` None: decided ones, too; `before`: of those with a smaller number."""
    source_id = None if source is None else source_row(conn, source).id
    query = only(
        _rows(),
        (quarantine.c.source_id, source_id),
        (quarantine.c.status, status),
        (quarantine.c.reason, reason),
    )
    return read_all(conn, newest(query, quarantine.c.id, before=before, limit=limit), ItemView)


def view_by_id(conn: Connection, item_id: int) -> ItemView | None:
    """One item as its page showed it."""
    return next(iter(read_all(conn, _rows().where(quarantine.c.id == item_id), ItemView)), None)


def by_id(conn: Connection, item_id: int) -> QuarantinedItem | None:
    """One item with its page and its job."""
    return next(iter(read_all(conn, _rows().where(quarantine.c.id == item_id), QuarantinedItem)), None)


class HeldPrice(NamedTuple):
    """A pending item whose price waits for a second reading."""

    id: int
    source_id: int
    identity_key: str
    price_minor: int


_HELD = Statement(
    """
    SELECT quarantine.id, quarantine.source_id, quarantine.identity_key, quarantine.price_minor
    FROM {rows} AS asked JOIN quarantine
      ON quarantine.source_id = asked.source_id AND quarantine.identity_key = asked.identity_key
    WHERE quarantine.status = 'pending' AND quarantine.identity_key IS NOT NULL
    """,
    row=HeldPrice,
    rows={"source_id": "int", "identity_key": "text"},
)


def list_held_prices(conn: Connection, places: Sequence[tuple[int, str]]) -> list[HeldPrice]:
    """Prices of these records (source and identity key) that wait for a second reading."""
    return _HELD(conn, sorted(set(places)))


def decide(
    conn: Connection, item_id: int, status: QuarantineStatus, note: str, *, who: str, now: datetime
) -> bool:
    """Store a decision; False if the item was decided before."""
    waits = (quarantine.c.id == item_id) & (quarantine.c.status == QuarantineStatus.PENDING)
    values = {"status": status, "decided_at": now, "decided_by": who, "note": note or None}
    return bool(conn.execute(update(quarantine).where(waits).values(values)).rowcount)


def _rows() -> Select[Any]:
    return (
        select(
            quarantine,
            sources.c.slug.label("source"),
            pages.c.url,
            pages.c.final_url,
            jobs.c.purpose,
            jobs.c.number,
            jobs.c.context,
            runs.c.adapter_version,
        )
        .outerjoin(sources, sources.c.id == quarantine.c.source_id)
        .outerjoin(pages, pages.c.id == quarantine.c.page_id)
        .outerjoin(jobs, jobs.c.id == quarantine.c.job_id)
        .outerjoin(runs, runs.c.id == quarantine.c.run_id)
    )
