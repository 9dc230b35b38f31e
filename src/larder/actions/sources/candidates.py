"""Candidates: places that may be worth a source. A person accepts or rejects each."""

from datetime import datetime

from larder.actions.sources import sources
from larder.actions.sources.sources import SavedSource
from larder.actions.sources.spec import SourceSpec
from larder.core.errors import Conflict, NotFound
from larder.core.model.source import Kind, Plan
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import Connection
from larder.store.operations import audit, candidates
from larder.store.operations.candidates import CandidateStatus, CandidateView, list_candidates
from larder.store.reads.lookup import source_row

__all__ = ["CandidateStatus", "CandidateView", "accept", "list_candidates", "reject", "show"]


def show(conn: Connection, candidate_id: int) -> CandidateView:
    """Show one candidate."""
    candidate = candidates.by_id(conn, candidate_id)
    if candidate is None:
        raise NotFound(f"there is no candidate {candidate_id}", hint="list the candidates")
    return candidate


def accept(
    conn: Connection, candidate_id: int, settings: DispatchSettings, *, who: str, now: datetime
) -> SavedSource:
    """Add it as a source: an agenda, hidden, that runs once its site's terms were reviewed."""
    row = _undecided(conn, candidate_id)
    spec = SourceSpec(url=row.url, name=row.title, kind=Kind.EVENT, plan=Plan.AGENDA)
    added = sources.add(conn, spec, settings, who=who, now=now)
    source = source_row(conn, added.slug)
    _decide(conn, candidate_id, CandidateStatus.ACCEPTED, source.id, who=who, now=now)
    return added


def reject(conn: Connection, candidate_id: int, *, who: str, now: datetime) -> CandidateView:
    """Reject it; it stays on record, so that it is not suggested again."""
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
    candidates.decide(conn, candidate_id, status, source_id, who=who, now=now)
    audit.record(conn, f"candidate {status}", str(candidate_id), who=who, now=now)


def _undecided(conn: Connection, candidate_id: int) -> CandidateView:
    candidate = show(conn, candidate_id)
    if candidate.decided_at is not None:
        raise Conflict(
            f"candidate {candidate_id} is {candidate.status} already",
            hint=f"decided by {candidate.decided_by}",
        )
    return candidate
