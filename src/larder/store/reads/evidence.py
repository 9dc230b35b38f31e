"""The evidence about a record: checks, the last full pass, pins, changes and images."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from larder.store.dataset import pins
from larder.store.pages import images as pictures
from larder.store.reads.rows import RecordRow, read_all, view_of
from larder.store.tables import changes, runs, verifications

MAX_LINES = 50
"""Of each kind of evidence; what is older stays in the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of the record's own page."""

    at: datetime
    run: int
    method: str
    status: int | None
    outcome: str
    reason: str | None
    control: bool
    """Looked at to see whether the site is well, not to judge the record."""
    settled: bool
    """Its window is closed: what it found was acted upon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPass:
    """The last full walk through the index of the record's source."""

    run: int
    began_at: datetime
    ended_at: datetime
    showed_it: bool
    """The record was seen by this pass or after it began."""
    certificate: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A value that a person fixed."""

    field: str
    value: Any
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChange:
    """A change of the record, as in the change feed."""

    at: datetime
    change: str
    details: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordImage:
    """An image of the record, and the outcome."""

    id: int
    url: str
    alt: str | None
    format: str | None
    width: int | None
    height: int | None
    fetched_at: datetime | None
    error: str | None
    stored: bool
    """Its bytes are kept here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEvidence:
    """All of it, the latest first."""

    checks: Sequence[Check]
    full_pass: IndexPass | None
    pins: Sequence[Pin]
    happened: Sequence[RecordChange]
    images: Sequence[RecordImage]
    """Those that its source wants, in their order."""


def load_evidence(conn: Connection, record: RecordRow) -> RecordEvidence:
    """The evidence about one record."""
    return RecordEvidence(
        checks=_checks(conn, record.id),
        full_pass=_last_pass(conn, record),
        pins=[
            Pin(field=row.field, value=row.value, by=row.pinned_by, at=row.pinned_at)
            for row in pins.by_record(conn, [record.id])
        ],
        happened=_happened(conn, record.id),
        images=_images(conn, record.id),
    )


def _checks(conn: Connection, record_id: int) -> list[Check]:
    query = select(verifications, verifications.c.run_id.label("run"))
    latest = query.where(verifications.c.record_id == record_id).order_by(verifications.c.at.desc())
    return read_all(conn, latest.limit(MAX_LINES), Check)


def _last_pass(conn: Connection, record: RecordRow) -> IndexPass | None:
    certified = (
        select(runs.c.id, runs.c.certificate)
        .where(runs.c.source_id == record.source_id, runs.c.kind == "sweep", runs.c.certificate.is_not(None))
        .order_by(runs.c.id.desc())
        .limit(1)
    )
    row = conn.execute(certified).one_or_none()
    if row is None:
        return None
    began, ended = (datetime.fromisoformat(row.certificate[name]) for name in ("began_at", "ended_at"))
    return IndexPass(
        run=row.id,
        began_at=began,
        ended_at=ended,
        showed_it=record.last_seen_at >= began,
        certificate=row.certificate,
    )


def _happened(conn: Connection, record_id: int) -> list[RecordChange]:
    query = select(changes).where(changes.c.record_id == record_id)
    return read_all(conn, query.order_by(changes.c.id.desc()).limit(MAX_LINES), RecordChange)


def _images(conn: Connection, record_id: int) -> list[RecordImage]:
    return [
        view_of(RecordImage, row, stored=row.content_hash is not None)
        for row in pictures.list_by_record(conn, record_id)
    ]
