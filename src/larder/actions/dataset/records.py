"""Records as an operator sees them: hidden ones too, with every value's origin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from larder.actions.formatting import local_time
from larder.store.database import Connection
from larder.store.reads import evidence, public, record_history
from larder.store.reads.evidence import RecordEvidence
from larder.store.reads.lookup import source_row
from larder.store.reads.query import Query
from larder.store.reads.record_history import Origin, PricePoint, ValuePoint, VersionLine
from larder.store.reads.records import PriceChange, StateFilter, find_row, price_changes, search
from larder.store.reads.rows import RecordRow, badge_of, view_of

__all__ = [
    "PriceChange", "RecordLine", "RecordList", "RecordView", "build_view", "find_row", "list_page",
    "list_records", "price_changes", "search", "show",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLine:
    """A record in a list."""

    id: int
    source: str
    kind: str
    title: str
    price_minor: int | None
    currency: str | None
    url: str | None
    active: bool
    confidence: int
    badge: str | None
    """The colour; None: not shown to the public."""
    badge_text: str | None
    first_seen_at: datetime
    last_seen_at: datetime
    starts_at: datetime | None
    """The start of an event in its venue's time zone."""
    time_known: bool
    """Whether the time of day is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordList:
    """A page of a list of records."""

    lines: Sequence[RecordLine]
    next: str | None
    """The cursor of the next page; None: this was the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView:
    """A record with its history and its evidence."""

    record: RecordLine
    fields: Mapping[str, Any]
    evidence: Mapping[str, Any]
    prices: Sequence[PricePoint]
    words: Sequence[ValuePoint]
    versions: Sequence[VersionLine]
    origins: Sequence[Origin]
    proof: RecordEvidence


EVIDENCE_COLUMNS = (
    "first_seen_at",
    "last_seen_at",
    "last_scraped_at",
    "verified_at",
    "deactivated_at",
    "archived_at",
    "missing_at",
    "missing_status",
    "times_seen",
    "strikes",
    "verification",
    "anchored_at",
    "base",
    "rate",
    "shown_until",
    "dead_at",
)


def list_records(
    conn: Connection,
    query: Query,
    *,
    public_only: bool = False,
    state: StateFilter | None = None,
    limit: int = 20,
    now: datetime,
) -> list[RecordLine]:
    """The first `limit` records of a query; `public_only`: of those that a visitor would see."""
    lines: list[RecordLine] = []
    while len(lines) < limit:
        page_query = replace(query, limit=limit - len(lines))
        records = list_page(conn, page_query, public_only=public_only, state=state, now=now)
        lines += records.lines
        if records.next is None:
            break
        query = replace(query, after=records.next)
    return lines


def list_page(
    conn: Connection,
    query: Query,
    *,
    public_only: bool = False,
    state: StateFilter | None = None,
    now: datetime,
) -> RecordList:
    """One page of a query's records; `state`: of those in this state."""
    if query.source is not None:
        source_row(conn, query.source, removed=True)
    if public_only:
        page = public.find_records(conn, query, now=now)
    else:
        page = search(conn, query, state=state, now=now)
    return RecordList(lines=[_line(row, now) for row in page.rows], next=page.next)


def show(conn: Connection, record_id: int, *, now: datetime) -> RecordView:
    """One record with its history, the origin of each value and its evidence."""
    return build_view(conn, find_row(conn, record_id, now=now), now=now)


def build_view(conn: Connection, row: RecordRow, *, now: datetime) -> RecordView:
    """The view of a record row."""
    lines, proof = record_history.list_versions(conn, row.id), evidence.load_evidence(conn, row)
    fixed = {pin.field: pin.by or "somebody" for pin in proof.pins}
    prices, words = record_history.list_observations(conn, row.id)
    return RecordView(
        record=_line(row, now),
        fields=row.content,
        evidence={name: getattr(row, name) for name in EVIDENCE_COLUMNS},
        prices=prices,
        words=words,
        versions=lines,
        origins=[
            record_history.find_origin(name, value, lines, fixed)
            for name, value in sorted(row.content.items())
        ],
        proof=proof,
    )


def _line(row: RecordRow, now: datetime) -> RecordLine:
    badge = badge_of(row, now)
    return view_of(
        RecordLine,
        row,
        confidence=row.freshness_confidence,
        badge=badge.colour if badge else None,
        badge_text=badge.text if badge else None,
        starts_at=local_time(row.starts_at, row.content or {}, "starts_at"),
        time_known=bool((row.content or {}).get("time_known", True)),
    )
