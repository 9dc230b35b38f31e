"""Decides whether a job is retried or finished, from the result of its page alone."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus

from larder.core.errors import Category
from larder.core.model.item import Extracted, Failed
from larder.core.model.job import JobStatus, Purpose, Stage
from larder.core.model.outcome import FailReason, FetchOutcome
from larder.core.model.source import FetcherName
from larder.core.plurals import plural
from larder.core.policy.retry import FETCH_TIMEOUT, fetch_retry
from larder.engine.work_items import ProcessedPage

SOON = timedelta(seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """The job is requeued."""

    at: datetime
    attempts: int
    stage: Stage
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The job is finished; a category means that it failed and becomes a dead letter."""

    status: JobStatus
    stage: Stage
    category: Category | None = None
    kind: str = ""
    error: str | None = None

    @property
    def failed(self) -> bool:
        """Whether the URL failed to give what it should."""
        return self.status is JobStatus.DEAD


def job_outcome(page: ProcessedPage, *, now: datetime, chance: float) -> Retry | Finished:
    """Decides whether a job is retried or finished."""
    fetched, job = page.fetched, page.work.job
    if fetched.waiting:
        return Retry(at=fetched.retry_at or now + SOON, attempts=job.attempts, stage=job.stage)
    if job.interrupted_too_often:
        error = f"the driver ended {plural(job.interruptions, 'time')} while it worked on this page"
        return dead(job.stage, Category.PARSE, "interrupted", error)
    if page.refused:
        return dead(Stage.PERSIST, Category.DB, "refused", page.refused)
    if fetched.outcome.has_page:
        return _after_parse(page)
    if fetched.outcome in _NOT_A_FAILURE:
        return Finished(status=JobStatus.DONE, stage=Stage.FETCH, error=_error(page))
    return (
        _actor_failed(page)
        if fetched.fetcher == FetcherName.ACTOR
        else _retry_or_fail(page, now=now, chance=chance)
    )


def _retry_or_fail(page: ProcessedPage, *, now: datetime, chance: float) -> Retry | Finished:
    fetched, job = page.fetched, page.work.job
    retry = fetch_retry(
        fetched.outcome,
        fetched.status,
        attempt=job.attempts + 1,
        timeout=FETCH_TIMEOUT,
        chance=chance,
        retry_after=fetched.retry_at - now if fetched.retry_at else None,
    )
    if retry is None and job.request.purpose is Purpose.CHECK:
        return Finished(status=JobStatus.DONE, stage=Stage.FETCH, error=_error(page))  # undecided, not failed
    if retry is None:
        return dead(Stage.FETCH, Category.NETWORK, fetched.outcome, _error(page))
    return Retry(at=now + retry.wait, attempts=job.attempts + 1, stage=Stage.FETCH, error=_error(page))


def _actor_failed(page: ProcessedPage) -> Finished:
    """The outcome of a failed call of an actor, whose own retries are used up."""
    category = Category.QUOTA if budget_refused(page) else Category.NETWORK
    return dead(
        Stage.FETCH, category, "quota" if budget_refused(page) else page.fetched.outcome, _error(page)
    )


def budget_refused(page: ProcessedPage) -> bool:
    """Whether the call was not made because it would exceed the budget."""
    fetched = page.fetched
    return fetched.fetcher == FetcherName.ACTOR and fetched.status == HTTPStatus.PAYMENT_REQUIRED


_NOT_A_FAILURE = frozenset(
    {FetchOutcome.NOT_FOUND, FetchOutcome.GONE, FetchOutcome.ROBOTS_BLOCKED, FetchOutcome.TERMS}
)
"""The site answered, though not with a page, or it must not be requested: nothing failed."""


def _after_parse(page: ProcessedPage) -> Finished:
    match page.reading:
        case Extracted() | None:
            return Finished(status=JobStatus.DONE, stage=Stage.PERSIST)
        case Failed(reason=FailReason.OOS_NO_PRICE):
            return Finished(status=JobStatus.DONE, stage=Stage.PARSE)
        case Failed(reason=reason, details=details):
            category = Category.NETWORK if reason is FailReason.BLOCKED_PAGE else Category.PARSE
            return dead(Stage.PARSE, category, reason, details)


def dead(stage: Stage, category: Category, kind: str, error: str) -> Finished:
    """A job that failed for good."""
    return Finished(status=JobStatus.DEAD, stage=stage, category=category, kind=kind, error=error)


def _error(page: ProcessedPage) -> str:
    fetched = page.fetched
    return f"{fetched.outcome}: {fetched.error or fetched.status or 'no answer'}"


def counts_for_circuit(page: ProcessedPage) -> bool:
    """Whether it counts against the circuit: the source could not be reached, or it blocked us."""
    if page.work.job.interrupted_too_often or budget_refused(page):
        return False
    blocked = isinstance(page.reading, Failed) and page.reading.reason is FailReason.BLOCKED_PAGE
    return blocked or page.fetched.outcome.counts_for_circuit
