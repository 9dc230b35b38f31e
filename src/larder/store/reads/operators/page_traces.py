"""The pages of a run, and one page's trace: each attempt to fetch it, and the items that became no record."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from larder.core.errors import NotFound
from larder.core.model.job import JobStatus, Purpose
from larder.core.model.outcome import FetchOutcome
from larder.store.reads.lookup import run_row, source_row
from larder.store.reads.rows import newest, only, read_all, view_of
from larder.store.tables import items, jobs, pages, sources, verifications

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """A page that a run asked for, and its outcome."""

    job: int
    number: int | None
    purpose: str
    url: str
    status: str
    attempts: int
    outcome: str | None
    """How its fetch ended, or what a check found; `unread` where a page came that could not be read."""
    code: int | None
    error: str | None
    yielded: int | None
    fetched_at: datetime | None
    duration_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchAttempt:
    """One time that the page was asked for."""

    page_id: int
    fetched_at: datetime
    fetcher: str
    outcome: str
    status: int | None
    final_url: str | None
    duration_ms: int | None
    size: int | None
    content_hash: str | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLine:
    """An item that was dropped, quarantined or failed, as the page showed it."""

    position: int
    outcome: str
    reason: str | None
    strategy: str | None
    score: float | None
    fields: Mapping[str, Any]
    block: str | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLine:
    """One request, and how it ended."""

    id: int
    fetched_at: datetime
    source: str | None
    run: int | None
    job: int
    url: str
    fetcher: str
    outcome: str
    status: int | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutCount:
    """So many items of a run were left out for one reason."""

    outcome: str
    reason: str | None
    many: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTrace:
    """One job: its stage, its attempts and its items that became no record."""

    page: PageLine
    run: int
    source: str | None
    adapter: str
    stage: str
    created_at: datetime
    finished_at: datetime | None
    error: str | None
    attempts: Sequence[FetchAttempt]
    items: Sequence[ItemLine]


def list_pages(
    conn: Connection, run_id: int, *, before: int | None = None, limit: int = PAGE_SIZE
) -> list[PageLine]:
    """All pages of a run, the latest first; `before` continues from the job of the last one."""
    run_row(conn, run_id)
    query = _jobs().where(jobs.c.run_id == run_id)
    lines = read_all(conn, newest(query, jobs.c.id, before=before, limit=limit), PageLine)
    return _with_check_results(conn, run_id, lines)


def recent_pages(conn: Connection, run_id: int, *, limit: int) -> list[PageLine]:
    """The pages of a run that moved last, each with what it has brought so far."""
    query = _jobs().where(jobs.c.run_id == run_id)
    narrowed = query.order_by(jobs.c.updated_at.desc(), jobs.c.id.desc()).limit(limit)
    return _with_check_results(conn, run_id, read_all(conn, narrowed, PageLine))


def _with_check_results(conn: Connection, run_id: int, lines: list[PageLine]) -> list[PageLine]:
    """The lines; those of checks that were made with what the check found."""
    checks = [line.job for line in lines if line.purpose == Purpose.CHECK]
    if not checks:
        return lines
    fetched = select(pages.c.id, pages.c.job_id).where(pages.c.job_id.in_(checks))
    job_of = {row.id: row.job_id for row in conn.execute(fetched)}
    query = select(verifications.c.page_id, verifications.c.outcome)
    mine = query.where(verifications.c.run_id == run_id, verifications.c.page_id.in_(list(job_of)))
    found = {job_of[row.page_id]: row.outcome for row in conn.execute(mine)}
    return [replace(line, outcome=found.get(line.job, line.outcome)) for line in lines]


def list_requests(
    conn: Connection,
    outcomes: Collection[FetchOutcome],
    *,
    since: datetime,
    source: str | None = None,
    before: int | None = None,
    limit: int = PAGE_SIZE,
) -> list[RequestLine]:
    """Requests since then that ended in one of these ways, the latest first."""
    recent = select(pages.c.id).where(pages.c.fetched_at > since)
    first = recent.order_by(pages.c.fetched_at, pages.c.id).limit(1).scalar_subquery()
    source_id = None if source is None else source_row(conn, source, removed=True).id
    query = (
        select(pages, sources.c.slug.label("source"), jobs.c.run_id.label("run"), pages.c.job_id.label("job"))
        .outerjoin(sources, sources.c.id == pages.c.source_id)
        .outerjoin(jobs, jobs.c.id == pages.c.job_id)
        .where(pages.c.id >= first, pages.c.outcome.in_(sorted(outcomes)))
    )
    narrowed = only(query, (pages.c.source_id, source_id))
    return read_all(conn, newest(narrowed, pages.c.id, before=before, limit=limit), RequestLine)


def count_outcomes(conn: Connection, run_id: int) -> Mapping[str, int]:
    """How the pages of a run ended, the most frequent first."""
    outcome = func.coalesce(_outcome(), jobs.c.status)
    joined = jobs.outerjoin(pages, pages.c.id == _last_answer())
    query = select(outcome.label("outcome"), func.count().label("many")).select_from(joined)
    grouped = query.where(jobs.c.run_id == run_id).group_by(outcome).order_by(func.count().desc(), outcome)
    return {row.outcome: row.many for row in conn.execute(grouped)}


def count_left_out(conn: Connection, run_id: int) -> Sequence[LeftOutCount]:
    """Why items of a run did not become records, the most frequent reason first."""
    query = (
        select(items.c.outcome, items.c.reason, func.count().label("many"))
        .where(items.c.run_id == run_id)
        .group_by(items.c.outcome, items.c.reason)
        .order_by(func.count().desc(), items.c.outcome, items.c.reason)
    )
    return read_all(conn, query, LeftOutCount)


def show(conn: Connection, job_id: int) -> PageTrace:
    """One page's trace."""
    row = conn.execute(_jobs().where(jobs.c.id == job_id)).one_or_none()
    if row is None:
        hint = "pages of runs are kept for a while: see LARDER_JOBS_KEEP_DAYS"
        raise NotFound(f"there is no page {job_id}", hint=hint)
    fetched = select(pages, pages.c.id.label("page_id")).where(pages.c.job_id == job_id).order_by(pages.c.id)
    left = select(items).where(items.c.job_id == job_id).order_by(items.c.position)
    return view_of(
        PageTrace,
        row,
        page=_with_check_results(conn, row.run_id, [view_of(PageLine, row)])[0],
        run=row.run_id,
        attempts=read_all(conn, fetched, FetchAttempt),
        items=read_all(conn, left, ItemLine),
    )


UNREAD = "unread"


def _last_answer() -> ColumnElement[int | None]:
    """A job's page; of one that ended without a page (404, an error), what was answered last."""
    answers, over = pages.alias("answers"), jobs.c.status.in_((JobStatus.DONE, JobStatus.DEAD))
    last = select(func.max(answers.c.id)).where(answers.c.job_id == jobs.c.id, over).correlate(jobs)
    return func.coalesce(jobs.c.page_id, last.scalar_subquery())


def _outcome() -> ColumnElement[str | None]:
    """A page that came is fine only if it could be read."""
    condition = pages.c.outcome.in_([outcome for outcome in FetchOutcome if outcome.has_page])
    return case((condition & (jobs.c.status == JobStatus.DEAD), UNREAD), else_=pages.c.outcome)


def _jobs() -> Select[Any]:
    joined = jobs.outerjoin(pages, pages.c.id == _last_answer())
    return (
        select(jobs, jobs.c.id.label("job"), sources.c.slug.label("source"), _outcome().label("outcome"))
        .add_columns(pages.c.status.label("code"), pages.c.yielded, pages.c.fetched_at, pages.c.duration_ms)
        .select_from(joined.outerjoin(sources, sources.c.id == jobs.c.source_id))
    )
