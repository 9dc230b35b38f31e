"""Ends runs: status, memory for the next run of the kind, certificate, drift, and the source's health."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.outcome import QuarantineReason
from larder.core.model.run import RunStatus
from larder.core.plurals import plural
from larder.core.policy.alerting import FAILED_RUNS_PAST, AlertName
from larder.core.policy.trust import loss
from larder.core.policy.trust.circuit import CircuitWay
from larder.core.policy.trust.loss import Loss, RunTotals
from larder.core.quoting import quoted
from larder.engine.commit import target_checks
from larder.engine.commit.circuits import alert_subject, resolve_checks_alert
from larder.engine.progress.run_progress import RunProgress
from larder.engine.quality import adapter_probes, drift, no_items
from larder.engine.verification import certificates
from larder.runs import FOLDS, RunEnd
from larder.store.database import Connection
from larder.store.operations import circuits
from larder.store.operations.notifications import alerts
from larder.store.queue import jobs, runs, schedules, source_health
from larder.store.queue import sources as source_rows

RELIABILITY_DAYS = 30
NO_TOTALS = runs.Totals()
_ADAPTER_FAILS = (
    AlertName.ADAPTER_DISABLED,
    AlertName.FAILURE_RATE,
    AlertName.FAILURE_OVER_BASELINE,
    AlertName.YIELD_UNDER_BASELINE,
)


def finish_runs(conn: Connection, ended: Sequence[RunProgress], *, now: datetime) -> None:
    """Close runs without open jobs."""
    for progress in ended:
        if progress.probing:
            adapter_probes.end_probe(conn, progress, now=now)
        else:
            _finish_run(conn, progress, now=now)


def _finish_run(conn: Connection, progress: RunProgress, *, now: datetime) -> None:
    run, totals = progress.run, runs.totals(conn, progress.run.id)
    end = FOLDS[run.kind].end(progress.state, failed=totals.failed, now=now)
    run_loss = loss.judge_loss(_totals(progress, totals, end))
    status = _close(conn, progress, end, run_loss, now=now)
    schedules.save_memory(conn, run.source_id, run.kind, _certified(conn, progress, end))
    _alert_suspect(conn, progress, end, now=now)
    if FOLDS[run.kind].reads_targets:
        target_checks.alert_never_read(conn, run.source_id, progress.source.slug, now=now)
    drift.judge_run(conn, progress, now=now)
    no_items.compare_with_last_good(conn, progress, now=now)
    _alert_loss(conn, progress, run_loss, now=now)
    update_source_health(conn, run.source_id, status, totals, now=now)


def _close(
    conn: Connection, progress: RunProgress, end: RunEnd, run_loss: Loss | None, *, now: datetime
) -> RunStatus:
    """Close the run with its status and a message about what it lost."""
    status = loss.worse_status(end.status, run_loss)
    code = end.error_code or (run_loss.code if run_loss else None)
    error = "; ".join(filter(None, (end.error, run_loss.message if run_loss else None))) or None
    runs.close(
        conn, progress.run.id, status, now=now, error_code=code, error=error, advertised=end.advertised
    )
    return status


def _certified(conn: Connection, progress: RunProgress, end: RunEnd) -> Mapping[str, Any]:
    """The memory of the run; the certificate of a full pass is stored, and its history remembered."""
    if end.certificate is None:
        return end.memory
    certified = certificates.certify(conn, progress.run.source_id, progress.run.id, end)
    runs.set_certificate(conn, progress.run.id, certified.certificate)
    return {**end.memory, "history": certified.history}


def _totals(progress: RunProgress, totals: runs.Totals, end: RunEnd) -> RunTotals:
    return RunTotals(
        things=f"{progress.source.kind}s",
        stored=totals.stored,
        left_out=progress.left_out,
        not_read=progress.not_read,
        pages=totals.pages,
        rows_shown=end.rows,
        advertised=end.advertised,
        limit=end.limit,
    )


def _alert_loss(conn: Connection, progress: RunProgress, run_loss: Loss | None, *, now: datetime) -> None:
    """Alert on what a run lost, unless an open alert covers it.

    The next run that lost nothing resolves it.
    """
    if not FOLDS[progress.run.kind].extracts:
        return
    name, slug = AlertName.ROWS_LOST, progress.source.slug
    if run_loss is not None and run_loss.alert and not _loss_is_reported(conn, progress, run_loss):
        message, details = f"{slug}: {run_loss.message}", {"run": progress.run.id}
        alerts.raise_alert(conn, name, name.severity, slug, message, now=now, details=details)
    elif run_loss is None:
        alerts.resolve(conn, name, slug, now=now)


def _loss_is_reported(conn: Connection, progress: RunProgress, run_loss: Loss) -> bool:
    """Whether an open alert explains the loss.

    A circuit explains every loss, others unread pages or prices of 0.
    """
    slug, adapter = progress.source.slug, drift.alert_subject(progress)
    reported = (
        [] if circuits.holds_checks_alone(conn, progress.source.id) else [(AlertName.CIRCUIT_TRIPPED, slug)]
    )
    if run_loss.code == loss.PAGES_NOT_READ:
        reported += [(AlertName.NO_ITEMS, slug), *((name, adapter) for name in _ADAPTER_FAILS)]
    elif progress.left_out.keys() - loss.EXPECTED == {QuarantineReason.ZERO_PRICE}:
        reported.append((AlertName.ZERO_PRICE, adapter))
    return any(alerts.is_open(conn, name, subject) for name, subject in reported)


def pause_run(conn: Connection, progress: RunProgress, code: str, *, now: datetime) -> None:
    """Pause a run that read more pages than expected until a person resumes it."""
    name, slug = AlertName.PAGE_BUDGET, progress.source.slug
    reason = "page budget: it read more index pages than the site advertises or showed before"
    runs.pause(conn, progress.run.id, code=code, reason=reason)
    details = {"run": progress.run.id}
    alerts.raise_alert(conn, name, name.severity, slug, f"{slug}: {reason}", now=now, details=details)


def _alert_suspect(conn: Connection, progress: RunProgress, end: RunEnd, *, now: datetime) -> None:
    """Alert on a suspect run, unless a circuit is open; a later run that can be trusted resolves it."""
    name, slug = AlertName.RUN_SUSPECT, progress.source.slug
    if end.status is RunStatus.SUSPECT:
        tripped = {alert_subject(progress.source, way) for way in CircuitWay}
        if any(alerts.is_open(conn, AlertName.CIRCUIT_TRIPPED, subject) for subject in tripped):
            return
        message, details = f"{slug}: {end.error}", {"run": progress.run.id}
        alerts.raise_alert(conn, name, name.severity, slug, message, now=now, details=details)
    elif end.trusted_again:
        alerts.resolve(conn, name, slug, now=now)
        resolve_checks_alert(conn, progress.source, now=now)


def fail_run(conn: Connection, run_id: int, *, now: datetime) -> None:
    """Fail a run whose source was deleted or names an adapter that is not installed."""
    owner = source_health.owner_of_run(conn, run_id)
    reason = (
        "its source was removed" if owner.adapter is None else f"there is no adapter {quoted(owner.adapter)}"
    )
    runs.close(conn, run_id, RunStatus.FAILED, now=now, error_code="unworkable", error=reason)
    jobs.abandon(conn, run_id, now=now)
    if owner.adapter is not None:
        source_rows.disable_invalid(conn, owner.source_id, reason, now=now)
        update_source_health(conn, owner.source_id, RunStatus.FAILED, now=now)


def update_source_health(
    conn: Connection, source_id: int, status: RunStatus, totals: runs.Totals = NO_TOTALS, *, now: datetime
) -> None:
    """Update the source's health after a run."""
    before = source_health.read(conn, source_id)
    if before is None:  # deleted while its last pages were in flight
        return
    days = _fetches_by_day(before.fetch_days or {}, totals, now)
    failures = before.consecutive_failures + 1 if status is RunStatus.FAILED else 0
    source_health.write(
        conn,
        source_id,
        status=status,
        failures=failures,
        inserted=totals.inserted,
        fetch_days=days,
        reliability=_reliability(days),
        now=now,
    )
    _alert_failures(conn, source_id, before, failures, now=now)


def _alert_failures(
    conn: Connection, source_id: int, before: source_health.SourceHealth, failures: int, *, now: datetime
) -> None:
    """Alert on a source whose runs keep failing, unless its circuit is open."""
    name, slug = AlertName.RUN_FAILED, before.slug
    if failures > FAILED_RUNS_PAST:
        circuit_open = alerts.is_open(conn, AlertName.CIRCUIT_TRIPPED, slug)
        if not circuit_open or circuits.holds_checks_alone(conn, source_id):
            alerts.raise_alert(
                conn, name, name.severity, slug, f"{plural(failures, 'run')} in a row failed", now=now
            )
    elif not failures and before.consecutive_failures > FAILED_RUNS_PAST:
        alerts.resolve(conn, name, slug, now=now)


def _fetches_by_day(
    days: Mapping[str, list[int]], totals: runs.Totals, now: datetime
) -> dict[str, list[int]]:
    """Fetches and failures by day, for the days that reliability counts."""
    oldest = (now - timedelta(days=RELIABILITY_DAYS)).date().isoformat()
    recent = {day: counts for day, counts in days.items() if day > oldest}
    today = now.date().isoformat()
    tried, failed = recent.get(today, [0, 0])
    return {**recent, today: [tried + totals.attempted, failed + totals.failed]}


def _reliability(days: Mapping[str, list[int]]) -> float:
    tried = sum(counts[0] for counts in days.values())
    return 1.0 if not tried else 1 - sum(counts[1] for counts in days.values()) / tried
