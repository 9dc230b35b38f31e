"""Candidates: places that may be worth a source, found by scouts and decided on by a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, select, update

from larder.store.database.statement import Statement
from larder.store.reads.rows import newest, only, read_all
from larder.store.tables import candidates, sites, sources
from larder.store.tables.columns import micros

MAX_REPORTED = 200
"""Candidates that the report of one run names."""


class CandidateStatus(StrEnum):
    """The status of a candidate."""

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


def found_by_run(
    conn: Connection, region: str, *, since: datetime, until: datetime | None
) -> list[CandidateView]:
    """Candidates of a region that were found in a period, the surest first."""
    query = select(candidates).where(candidates.c.region == region, candidates.c.found_at >= since)
    if until is not None:
        query = query.where(candidates.c.found_at <= until)
    surest = query.order_by(candidates.c.confidence.desc(), candidates.c.id).limit(MAX_REPORTED)
    return read_all(conn, surest, CandidateView)


def by_id(conn: Connection, candidate_id: int) -> CandidateView | None:
    """The candidate of that id."""
    query = select(candidates).where(candidates.c.id == candidate_id)
    return next(iter(read_all(conn, query, CandidateView)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCandidate:
    """A page that a scout found."""

    url: str
    """Its canonical form, so that it is suggested only once."""
    region: str
    place: str
    title: str
    confidence: float
    judged_by: str
    evidence: Mapping[str, Any]


_ADD = Statement(
    """
    INSERT INTO candidates (url, region, place, title, confidence, judged_by, evidence, found_at)
    SELECT url, region, place, title, confidence, judged_by, evidence, :now FROM {rows} AS told WHERE true
    ON CONFLICT (url) DO NOTHING
    RETURNING url
    """,
    scalar=str,
    rows={
        "url": "text",
        "region": "text",
        "place": "text",
        "title": "text",
        "confidence": "float",
        "judged_by": "text",
        "evidence": "json",
    },
    args={"now": "int"},
)


def add_candidates(conn: Connection, found: Sequence[NewCandidate], *, now: datetime) -> list[str]:
    """Add candidates for a person to decide on; returns those that were not known."""
    rows = [
        (
            candidate.url,
            candidate.region,
            candidate.place,
            candidate.title,
            candidate.confidence,
            candidate.judged_by,
            dict(candidate.evidence),
        )
        for candidate in {candidate.url: candidate for candidate in found}.values()
    ]
    return _ADD(conn, rows, now=micros(now)) if rows else []


def known_urls(conn: Connection, urls: Sequence[str]) -> set[str]:
    """Which of these were suggested before, whatever the decision."""
    return set(conn.scalars(select(candidates.c.url).where(candidates.c.url.in_(urls))))


def sites_with_sources(conn: Connection, domains: Sequence[str]) -> set[str]:
    """Which of these sites have a source."""
    query = select(sites.c.domain).join(sources, sources.c.site_id == sites.c.id)
    return set(conn.scalars(query.where(sites.c.domain.in_(domains), sources.c.removed_at.is_(None))))


def decide(
    conn: Connection,
    candidate_id: int,
    status: CandidateStatus,
    source_id: int | None,
    *,
    who: str,
    now: datetime,
) -> None:
    """Store the decision on a candidate."""
    values = {"status": status, "source_id": source_id, "decided_at": now, "decided_by": who}
    conn.execute(update(candidates).where(candidates.c.id == candidate_id).values(values))
