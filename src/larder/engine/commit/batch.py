"""Commits a batch of processed pages: data, evidence and the runs' next steps, in one transaction.

Work of a lost lease is dropped, because another worker does it now; so is work that was committed already,
because a commit whose answer got lost is retried. Each other job is persisted, requeued or dead-lettered,
and its run takes a step.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from larder.core.model.item import Extracted
from larder.core.model.job import Stage
from larder.core.model.run import IndexFindings
from larder.core.policy.trust import loss
from larder.engine.commit import (
    circuits,
    failed_items,
    finish_runs,
    incomplete_rows,
    other_records,
    sold_out,
    target_checks,
)
from larder.engine.commit.fetched_pages import held_lanes_of
from larder.engine.commit.page_result import (
    NO_FINDINGS,
    OF_PAGES,
    doubled_rows,
    items_to_persist,
    left_out,
    not_read,
    page_event,
    page_yield,
    run_counts,
    was_read,
    with_price_jumps,
)
from larder.engine.progress import feed_targets
from larder.engine.progress.job_outcome import Finished, Retry, job_outcome
from larder.engine.progress.run_progress import RunProgress
from larder.engine.quality import canary, drift
from larder.engine.verification import absence, checks
from larder.engine.work_items import ProcessedPage, Worker
from larder.sdk.adapter import Adapters
from larder.stages.persist import Persisted, persist, sight_unchanged
from larder.stages.persist.late_pages import reorder_facts
from larder.store.database import Connection
from larder.store.pages import pages
from larder.store.queue import dead_letters, jobs, lanes, runs
from larder.store.queue.jobs import FinishedJob, JobToken, Requeue


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """The result of a commit."""

    jobs: int = 0
    inserted: int = 0
    finished_runs: Sequence[int] = ()


def commit_batch(
    conn: Connection, worker: Worker, done: Sequence[ProcessedPage], adapters: Adapters, *, now: datetime
) -> Committed:
    """Commit a batch and let its runs take a step."""
    outcomes = _outcomes(conn, worker, _owned(conn, worker, done, now), adapters, now=now)
    retried = [(each, outcome) for each, outcome in outcomes if isinstance(outcome, Retry)]
    ended = [(each, outcome) for each, outcome in outcomes if isinstance(outcome, Finished)]
    open_runs = runs.load(conn, sorted({each.work.job.run_id for each, _ in outcomes}))
    _cool_down(conn, [each for each, _ in outcomes])
    _requeue(conn, retried, now=now)
    run_progress = _run_progress(open_runs, [each for each, _ in ended], adapters)
    ended = _withhold(conn, ended, run_progress)
    counted = _without_probes(ended, run_progress)
    found, findings = _persist(conn, [each for each, _ in counted], run_progress, now=now)
    ended = [(with_price_jumps(each, found.get(each.work.job.id)), outcome) for each, outcome in ended]
    counted = _without_probes(ended, run_progress)
    _write_evidence(conn, [each for each, _ in counted], found, run_progress, now=now)
    for page, outcome in ended:
        progress, persisted = run_progress[page.work.job.run_id], found.get(page.work.job.id)
        event = page_event(page, outcome, persisted, findings.get(page.work.job.id, NO_FINDINGS))
        _add_counts(conn, progress, page, outcome, persisted, again=progress.shows_again(event))
        progress.page_ended(conn, event, now=now)
    _end_jobs(conn, ended, now=now)
    failed_items.write_dead_letters(conn, counted, now=now)
    _close_dead_letters(conn, counted, open_runs, found, now=now)
    failed_items.write_rejected_items(conn, [each for each, _ in counted], now=now)
    _save_progress(conn, run_progress.values(), now=now)
    circuits.update_circuits(conn, [each for each, _ in ended], [each for each, _ in retried], now=now)
    finished = [
        progress for progress in run_progress.values() if progress.finished and progress.run.status.open
    ]
    finish_runs.finish_runs(conn, finished, now=now)
    return Committed(
        jobs=len(ended),
        inserted=sum(len(result.new) for result in found.values()),
        finished_runs=[progress.run.id for progress in finished],
    )


def _owned(
    conn: Connection, worker: Worker, done: Sequence[ProcessedPage], now: datetime
) -> list[ProcessedPage]:
    """The pages whose jobs this worker still owns."""
    held_lanes = held_lanes_of(conn, worker, done, now)
    held = [page.work for page in done if page.work.lane.site_id in held_lanes]
    owned_jobs = jobs.filter_owned(conn, [JobToken(work.job.id, work.lane.token) for work in held])
    return [page for page in done if page.work.job.id in owned_jobs]


def _outcomes(
    conn: Connection, worker: Worker, owned: Sequence[ProcessedPage], adapters: Adapters, *, now: datetime
) -> list[tuple[ProcessedPage, Retry | Finished]]:
    """The outcome of each page's job."""
    known = other_records.redirected_as_missing(conn, owned)
    held_up = canary.jobs_of_unproven_versions(conn, known, adapters)
    return [(each, _outcome(each, worker, now, waits=each.work.job.id in held_up)) for each in known]


def _outcome(page: ProcessedPage, worker: Worker, now: datetime, *, waits: bool) -> Retry | Finished:
    outcome = job_outcome(page, now=now, chance=worker.chance.random())
    return canary.retry_when_proven(page, now) if waits and isinstance(outcome, Finished) else outcome


def _requeue(conn: Connection, retried: Sequence[tuple[ProcessedPage, Retry]], *, now: datetime) -> None:
    """Requeue jobs, each with the time of its next attempt."""
    jobs.requeue(conn, [_requeued(each, outcome) for each, outcome in retried], now=now)
    for page, outcome in retried:
        runs.park(conn, [page.work.job.run_id], outcome.at)


def _requeued(page: ProcessedPage, outcome: Retry) -> Requeue:
    return Requeue(
        job_id=page.work.job.id,
        not_before=outcome.at,
        attempts=outcome.attempts,
        stage=outcome.stage,
        page_id=None if outcome.stage is Stage.FETCH else page.page_id or page.work.job.page_id,
        error=outcome.error,
    )


def _cool_down(conn: Connection, pages: Sequence[ProcessedPage]) -> None:
    """Pause a site until the time that it asked for, for all workers."""
    for page in pages:
        if page.fetched.retry_at and not page.fetched.waiting:
            reason = f"answered {page.fetched.status}"
            lanes.set_cooldown(conn, page.work.lane.site_id, until=page.fetched.retry_at, reason=reason)


def _run_progress(
    open_runs: Mapping[int, runs.Run], ended: Sequence[ProcessedPage], adapters: Adapters
) -> dict[int, RunProgress]:
    sources = {page.work.job.run_id: page.work.source for page in ended}
    return {
        run_id: RunProgress.of(open_runs[run_id], source, adapters[source.adapter])
        for run_id, source in sources.items()
    }


def _withhold(
    conn: Connection,
    ended: Sequence[tuple[ProcessedPage, Finished]],
    run_progress: Mapping[int, RunProgress],
) -> list[tuple[ProcessedPage, Finished]]:
    """Quarantine the items of an adapter that drift disabled meanwhile; a probe stores nothing anyway."""
    runs_on = [page for page, _ in ended if page.staged and not run_progress[page.work.job.run_id].probing]
    withheld = {page.work.job.id: page for page in drift.withhold(conn, runs_on)} if runs_on else {}
    return [(withheld.get(page.work.job.id, page), outcome) for page, outcome in ended]


def _without_probes(
    ended: Sequence[tuple[ProcessedPage, Finished]], run_progress: Mapping[int, RunProgress]
) -> list[tuple[ProcessedPage, Finished]]:
    """Pages other than those of probes, which count for their adapter and are not stored."""
    return [(page, outcome) for page, outcome in ended if not run_progress[page.work.job.run_id].probing]


def _persist(
    conn: Connection,
    ended: Sequence[ProcessedPage],
    run_progress: Mapping[int, RunProgress],
    *,
    now: datetime,
) -> tuple[dict[int, Persisted], dict[int, IndexFindings]]:
    """Store the items of pages, and records that index pages no longer show.

    Some pages are read again, even if their body is the same.
    """
    pairs = [
        (page, items_to_persist(page, run_progress[page.work.job.run_id])) for page in ended if was_read(page)
    ]
    changed = [page for each, page in pairs if not each.unchanged]
    unchanged = [(page, each.work.last.id) for each, page in pairs if each.unchanged and each.work.last]
    found = {**persist(conn, changed, now=now), **sight_unchanged(conn, unchanged)}
    pages.set_yields(
        conn,
        [page_yield(each, page) for each, page in pairs if not _is_read_again(each, found[page.job_id])],
    )
    return found, absence.note_absent(conn, [page for _, page in pairs], found, now=now)


def _is_read_again(page: ProcessedPage, persisted: Persisted) -> bool:
    """Whether a page is read again although it is unchanged.

    Its prices are doubted, its rows are incomplete, or it lists other pages.
    """
    if persisted.price_jumps or persisted.incomplete or page.feed is not None:
        return True
    return isinstance(page.reading, Extracted) and bool(page.reading.indexes)


def _write_evidence(
    conn: Connection,
    counted: Sequence[ProcessedPage],
    found: Mapping[int, Persisted],
    run_progress: Mapping[int, RunProgress],
    *,
    now: datetime,
) -> None:
    """Store what pages show beside their records: rows to complete, stock, checks, targets."""
    with_found = [(each, found.get(each.work.job.id)) for each in counted]
    incomplete_rows.postpone(conn, with_found, now=now)
    sold_out.note_sold_out(conn, counted, run_progress, now=now)
    checks.record_checks(conn, counted)
    checks.mark_missing_pages(conn, counted)
    target_checks.update_targets(conn, with_found, now=now)
    feed_targets.update_from_feeds(conn, counted, now=now)


def _add_counts(
    conn: Connection,
    progress: RunProgress,
    page: ProcessedPage,
    outcome: Finished,
    persisted: Persisted | None,
    *,
    again: bool,
) -> None:
    """Add a page to its run's counts, its left-out items and drift; repeated rows count once."""
    counts = run_counts(page, outcome, persisted)
    progress.counts.update({name: counts[name] for name in OF_PAGES} if again else counts)
    rows_left_out = (
        left_out(page),
        doubled_rows(page, persisted),
        incomplete_rows.left_out_rows(page, persisted),
    )
    for rows in () if again else rows_left_out:
        progress.left_out = loss.sum_left_out(progress.left_out, rows)
    progress.not_read = loss.sum_left_out(progress.not_read, not_read(page, outcome))
    progress.drift += drift.page_yield(conn, page, persisted)


def _end_jobs(conn: Connection, ended: Sequence[tuple[ProcessedPage, Finished]], *, now: datetime) -> None:
    job_rows = [
        FinishedJob(page.work.job.id, v.status, v.stage, page.work.job.attempts + 1, v.error)
        for page, v in ended
    ]
    jobs.finish(conn, job_rows, now=now)


def _close_dead_letters(
    conn: Connection,
    ended: Sequence[tuple[ProcessedPage, Finished]],
    of: Mapping[int, runs.Run],
    found: Mapping[int, Persisted],
    *,
    now: datetime,
) -> None:
    """Close dead letters whose retry succeeded.

    Order the facts of their records anew, as their pages may be old.
    """
    late = [(page, outcome) for page, outcome in ended if not of[page.work.job.run_id].status.open]
    if not late:
        return
    dead_letters.resolve_retried(
        conn, [page.work.job.id for page, outcome in late if not outcome.failed], now=now
    )
    pages_found = [found[page.work.job.id] for page, _ in late if page.work.job.id in found]
    reorder_facts(conn, [record_id for persisted in pages_found for record_id in persisted.ids], now=now)


def _save_progress(conn: Connection, run_progress: Iterable[RunProgress], *, now: datetime) -> None:
    touched = list(run_progress)
    runs.advance(conn, [progress.to_save() for progress in touched], now=now)
    new_jobs = [job for progress in touched for job in progress.new_jobs]
    jobs.enqueue(conn, new_jobs, now=now)
    lanes.wake(conn, {job.site_id: job.not_before for job in new_jobs})
    for progress in touched:
        if progress.pause:
            finish_runs.pause_run(conn, progress, progress.pause, now=now)
