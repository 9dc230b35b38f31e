"""Candidates: places that may be worth a source, to be looked over by a person."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import select, update

from larder.actions.sources import sources
from larder.actions.sources.sources import SavedSource
from larder.actions.sources.spec import SourceSpec
from larder.core.errors import Conflict, NotFound
from larder.core.model.source import Kind, Plan
from larder.engine.scheduling.dispatch import DispatchSettings
from larder.store.database import Connection
from larder.store.database.statement import AnyRow
from larder.store.operations import audit
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import view_of
from larder.store.tables import candidates


class CandidateStatus(StrEnum):
    """Where a candidate stands."""

    NEW = "new"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateView:
    """A place that may be worth a source, and why."""

    id: int
    url: str
    region: str | None
    place: str | None
    title: str | None
    confidence: float | None
    judged_by: str | None
    evidence: Mapping[str, Any] | None
    status: str
    source_id: int | None
    found_at: datetime
    decided_at: datetime | None
    decided_by: str | None


def list_candidates(
    conn: Connection, *, status: CandidateStatus | None = None, before: int | None = None, limit: int = 100
) -> list[CandidateView]:
    """Newest first; `before`: of those with a smaller number."""
    query = select(candidates).order_by(candidates.c.id.desc()).limit(limit)
    if status is not None:
        query = query.where(candidates.c.status == status)
    if before is not None:
        query = query.where(candidates.c.id < before)
    return [_view(row) for row in conn.execute(query)]


def show(conn: Connection, candidate_id: int) -> CandidateView:
    """One candidate."""
    return _view(_row(conn, candidate_id))


def accept(
    conn: Connection, candidate_id: int, how: DispatchSettings, *, who: str, now: datetime
) -> SavedSource:
    """Make it a source: an agenda of events, hidden, that runs once its site's terms were read."""
    row = _undecided(conn, candidate_id)
    spec = SourceSpec(url=row.url, name=row.title, kind=Kind.EVENT, plan=Plan.AGENDA)
    added = sources.add(conn, spec, how, who=who, now=now)
    source = source_row(conn, added.slug)
    _decide(conn, candidate_id, CandidateStatus.ACCEPTED, source.id, who=who, now=now)
    return added


def reject(conn: Connection, candidate_id: int, *, who: str, now: datetime) -> CandidateView:
    """It is none; it stays on record, so that it is not found again."""
    _undecided(conn, candidate_id)
    _decide(conn, candidate_id, CandidateStatus.REJECTED, None, who=who, now=now)
    return show(conn, candidate_id)


def _decide(
    conn: Connection,
    candidate_id: int,
    status: CandidateStatus,
    source_id: int | None,
    *,
    who: str,
    now: datetime,
) -> None:
    said = {"status": status, "source_id": source_id, "decided_at": now, "decided_by": who}
    conn.execute(update(candidates).where(candidates.c.id == candidate_id).values(said))
    audit.record(conn, f"candidate {status}", str(candidate_id), who=who, now=now)


def _undecided(conn: Connection, candidate_id: int) -> AnyRow:
    row = _row(conn, candidate_id)
    if row.decided_at is not None:
        raise Conflict(f"candidate {candidate_id} is {row.status} already", hint="look at its entry")
    return row


def _row(conn: Connection, candidate_id: int) -> AnyRow:
    row = conn.execute(select(candidates).where(candidates.c.id == candidate_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no candidate {candidate_id}", hint="look at the list of candidates")
    return row


def _view(row: AnyRow) -> CandidateView:
    return view_of(CandidateView, row)
