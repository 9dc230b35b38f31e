"""Candidates: places that may be worth a source, found by scouts and decided on by a person."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, select, update

from larder.store.reads.rows import newest, only, read_all
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
    query = only(select(candidates), (candidates.c.status, status))
    return read_all(conn, newest(query, candidates.c.id, before=before, limit=limit), CandidateView)


def by_id(conn: Connection, candidate_id: int) -> CandidateView | None:
    """One candidate."""
    query = select(candidates).where(candidates.c.id == candidate_id)
    return next(iter(read_all(conn, query, CandidateView)), None)


def decide(
    conn: Connection,
    candidate_id: int,
    status: CandidateStatus,
    source_id: int | None,
    *,
    who: str,
    now: datetime,
) -> None:
    """Write down what became of a candidate."""
    values = {"status": status, "source_id": source_id, "decided_at": now, "decided_by": who}
    conn.execute(update(candidates).where(candidates.c.id == candidate_id).values(values))
