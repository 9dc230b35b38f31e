"""Later again, or over? Decided from what happened to the job alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from larder.core.errors import Category
from larder.core.model.item import Extracted, Failed
from larder.core.model.job import Job, JobStatus, PageRequest, Purpose, Stage
from larder.core.model.outcome import FailReason, FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.site import POLITENESS, Preset
from larder.core.model.source import Kind, Source
from larder.engine.commit.page_result import not_read
from larder.engine.progress.job_outcome import Finished, Retry, counts_for_circuit, job_outcome
from larder.engine.work_items import ProcessedPage, Work
from larder.store.queue.lanes import Lane

NOW = datetime(2026, 1, 5, tzinfo=UTC)
SECOND = timedelta(seconds=1)
LANE = Lane(
    site_id=1, domain="h.test", local=False, token=1, open_at=NOW, politeness=POLITENESS[Preset.GENTLE]
)
SOURCE = Source(
    id=1, slug="homes", name="Homes", kind=Kind.LISTING, site_id=1, adapter="listing", url="http://h.test"
)
JOB = Job(
    id=1,
    run_id=1,
    source_id=1,
    site_id=1,
    request=PageRequest(url="http://h.test/1", purpose=Purpose.DETAIL),
    stage=Stage.FETCH,
    attempts=0,
)


def travelled(
    outcome: FetchOutcome, status: int | None = None, *, job: dict[str, Any] | None = None, **more: Any
) -> ProcessedPage:
    fetch = {name: more.pop(name) for name in ("retry_at", "waiting", "error") if name in more}
    url = JOB.request.url
    fetched = Fetched(outcome=outcome, url=url, final_url=url, fetched_at=NOW, status=status, **fetch)
    work = Work(job=replace(JOB, **(job or {})), source=SOURCE, lane=LANE)
    return ProcessedPage(work=work, fetched=fetched, page_id=9, **more)


def decided(each: ProcessedPage, chance: float = 0.0) -> Retry | Finished:
    return job_outcome(each, now=NOW, chance=chance)


def test_l10_7_a_page_that_was_not_read_for_no_more_than_a_reason_names_itself() -> None:
    page = travelled(FetchOutcome.OK, 200, reading=Failed(reason=FailReason.TITLE_NOT_FOUND))
    outcome = decided(page)
    assert isinstance(outcome, Finished)
    assert not_read(page, outcome)["title_not_found"].details == JOB.request.url


@pytest.mark.parametrize(
    ("each", "at", "attempts"),
    [
        pytest.param(travelled(FetchOutcome.ERROR, 500), 1, 1, id="first failure: in a second"),
        pytest.param(travelled(FetchOutcome.ERROR, 500, job={"attempts": 1}), 2, 2, id="second: in two"),
        pytest.param(travelled(FetchOutcome.ERROR), 1, 1, id="no answer at all"),
        pytest.param(travelled(FetchOutcome.TIMEOUT), 1, 1, id="timeout"),
        pytest.param(
            travelled(FetchOutcome.BLOCKED, 429, retry_at=NOW + 60 * SECOND), 60, 1, id="the site's own time"
        ),
        pytest.param(
            travelled(FetchOutcome.ERROR, 503, retry_at=NOW + SECOND / 2), 1, 1, id="a floor, not a ceiling"
        ),
        pytest.param(
            travelled(FetchOutcome.ERROR, waiting=True, retry_at=NOW + 5 * SECOND, job={"attempts": 2}),
            5,
            2,
            id="a missed turn costs no attempt",
        ),
        pytest.param(travelled(FetchOutcome.ERROR, waiting=True), 1, 0, id="a turn without a time"),
    ],
)
def test_later(each: ProcessedPage, at: int, attempts: int) -> None:
    verdict = decided(each)
    assert isinstance(verdict, Retry)
    assert (verdict.at, verdict.attempts, verdict.stage) == (NOW + at * SECOND, attempts, Stage.FETCH)


@pytest.mark.parametrize(
    ("each", "status", "stage", "kind"),
    [
        pytest.param(
            travelled(FetchOutcome.OK, 200, reading=Extracted()), JobStatus.DONE, Stage.PERSIST, "", id="read"
        ),
        pytest.param(travelled(FetchOutcome.NOT_FOUND, 404), JobStatus.DONE, Stage.FETCH, "", id="not found"),
        pytest.param(travelled(FetchOutcome.GONE, 410), JobStatus.DONE, Stage.FETCH, "", id="gone"),
        pytest.param(
            travelled(FetchOutcome.ROBOTS_BLOCKED), JobStatus.DONE, Stage.FETCH, "", id="not allowed to look"
        ),
        pytest.param(
            travelled(FetchOutcome.OK, 200, reading=Failed(reason=FailReason.OOS_NO_PRICE)),
            JobStatus.DONE,
            Stage.PARSE,
            "",
            id="out of stock is expected",
        ),
        pytest.param(
            travelled(FetchOutcome.OK, 200, reading=Failed(reason=FailReason.SELECTOR_NOT_FOUND)),
            JobStatus.DEAD,
            Stage.PARSE,
            "selector_not_found",
            id="unreadable",
        ),
        pytest.param(
            travelled(FetchOutcome.ERROR, 500, job={"attempts": 2}),
            JobStatus.DEAD,
            Stage.FETCH,
            "error",
            id="the third failure",
        ),
        pytest.param(
            travelled(FetchOutcome.BLOCKED, 403), JobStatus.DEAD, Stage.FETCH, "blocked", id="a plain refusal"
        ),
        pytest.param(
            travelled(FetchOutcome.DNS_ERROR), JobStatus.DEAD, Stage.FETCH, "dns_error", id="a wrong name"
        ),
        pytest.param(
            travelled(FetchOutcome.OK, 200, job={"interruptions": 10, "stage": Stage.PARSE}),
            JobStatus.DEAD,
            Stage.PARSE,
            "interrupted",
            id="ten drivers died on it",
        ),
        pytest.param(
            travelled(FetchOutcome.OK, 200, refused="DataError: no"),
            JobStatus.DEAD,
            Stage.PERSIST,
            "refused",
            id="the database would not have it",
        ),
    ],
)
def test_over(each: ProcessedPage, status: JobStatus, stage: Stage, kind: str) -> None:
    verdict = decided(each)
    assert isinstance(verdict, Finished)
    assert (verdict.status, verdict.stage, verdict.kind) == (status, stage, kind)
    assert verdict.failed == (status is JobStatus.DEAD)
    assert (verdict.category is not None) == verdict.failed


def test_a_wall_counts_as_the_network_and_for_the_circuit() -> None:
    wall = travelled(FetchOutcome.OK, 200, reading=Failed(reason=FailReason.BLOCKED_PAGE))
    verdict = decided(wall)
    assert isinstance(verdict, Finished)
    assert verdict.category is Category.NETWORK
    assert counts_for_circuit(wall)


@pytest.mark.parametrize("outcome", list(FetchOutcome))
def test_what_counts_for_the_circuit_is_what_was_not_reached(outcome: FetchOutcome) -> None:
    assert counts_for_circuit(travelled(outcome)) == outcome.counts_for_circuit
    assert not counts_for_circuit(travelled(outcome, job={"interruptions": 10})), "nothing was sent"


@pytest.mark.parametrize("chance", [0.0, 0.3, 0.999])
def test_jitter_only_ever_adds(chance: float) -> None:
    verdict = decided(travelled(FetchOutcome.ERROR, 500), chance)
    assert isinstance(verdict, Retry)
    assert NOW + SECOND <= verdict.at <= NOW + 1.5 * SECOND
