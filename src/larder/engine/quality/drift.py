"""Adds up the yields of a run's pages, and judges drift when the run ends."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from larder.core.model.item import Extracted, Failed, Quarantined
from larder.core.model.job import WITHOUT_ITEMS, Purpose
from larder.core.model.outcome import DropReason, QuarantineReason
from larder.core.model.page import LastPage
from larder.core.model.record import Availability
from larder.core.policy.alerting import AlertName, Severity
from larder.core.policy.run_limits import limit_of
from larder.core.policy.trust.agreement import NONE_COMPARED, strategies_agree
from larder.core.policy.trust.drift import (
    BASELINE_WINDOW,
    Action,
    Cause,
    Decision,
    DriftResult,
    baseline,
    judge_drift,
)
from larder.core.policy.trust.yields import NO_YIELD, PageYield, yield_of_failed_page, yield_of_read_page
from larder.engine.progress.run_progress import RunProgress
from larder.engine.work_items import ProcessedPage
from larder.runs import FOLDS
from larder.stages.persist import Persisted
from larder.store.database import Connection
from larder.store.dataset import records
from larder.store.operations import adapter_health, drift_batches
from larder.store.operations.notifications import alerts
from larder.store.pages import pages
from larder.store.queue import runs

SAME_PAGE_MAX = 3
"""So many URLs with the same unreadable page mean that the site is broken, not the adapter."""


def page_yield(conn: Connection, page: ProcessedPage, persisted: Persisted | None = None) -> PageYield:
    """The yield of one page; `persisted`: the result of persisting it."""
    counts = _counts(conn, page)
    if page.work.job.request.purpose is Purpose.INDEX:
        return counts.of_index()
    agreement = sum((strategies_agree(staged.strategies) for staged in page.staged), NONE_COMPARED)
    both = agreement + (persisted.agreement if persisted else NONE_COMPARED)
    return replace(counts, compared=both.compared, agreed=both.agreed)


def _counts(conn: Connection, page: ProcessedPage) -> PageYield:
    if page.work.job.request.purpose in WITHOUT_ITEMS or not page.fetched.outcome.has_page:
        return NO_YIELD
    if page.unchanged and page.work.last is not None:
        return _last_counts(page.work.last, unknown_stock=_unknown_stock_before(conn, page))
    match page.reading:
        case Failed(reason=reason):
            return NO_YIELD if _looks_like_others(conn, page) else yield_of_failed_page(reason)
        case Extracted(items=items):
            zero = sum(q.reason is QuarantineReason.ZERO_PRICE for q in page.quarantined)
            drops = Counter(left.reason for left in page.dropped)
            unknown_stock = _unknown_stock(page)
            drops += Counter({DropReason.UNKNOWN_AVAILABILITY: unknown_stock})
            valid = len(page.staged) - unknown_stock
            counts = yield_of_read_page(extracted=len(items), valid=valid, drops=drops, zero_prices=zero)
            return replace(counts, unknown_stock=unknown_stock)
        case _:
            return NO_YIELD


def _last_counts(last: LastPage, *, unknown_stock: int) -> PageYield:
    """The counts of an unchanged page, those of its last reading.

    `unknown_stock`: products without a stock.
    """
    left = {reason: out.items for reason, out in last.left_out.items()}
    drops = Counter({reason: left[reason] for reason in DropReason if reason in left})
    drops += Counter({DropReason.UNKNOWN_AVAILABILITY: unknown_stock})
    counts = yield_of_read_page(
        extracted=last.yielded + sum(left.values()),
        valid=last.yielded - unknown_stock,
        drops=drops,
        zero_prices=left.get(QuarantineReason.ZERO_PRICE, 0),
    )
    return replace(counts, unknown_stock=unknown_stock)


def _unknown_stock(page: ProcessedPage) -> int:
    """The number of products whose own page does not state their stock."""
    if page.work.job.request.purpose is Purpose.INDEX:
        return 0
    return sum(staged.fields.get("availability") == Availability.UNKNOWN for staged in page.staged)


def _unknown_stock_before(conn: Connection, page: ProcessedPage) -> int:
    """The same for an unchanged page: of the records that its last reading gave."""
    last = page.work.last
    if page.work.job.request.purpose is Purpose.INDEX or last is None or not last.yielded:
        return 0
    page_ids = [page_id for page_id in (last.id, page.page_id) if page_id]
    return min(records.count_unknown_stock(conn, page_ids), last.yielded)


def _looks_like_others(conn: Connection, page: ProcessedPage) -> bool:
    content_hash = page.fetched.content_hash
    return (
        content_hash is not None
        and pages.count_urls_with_body(conn, page.work.source.id, content_hash) >= SAME_PAGE_MAX
    )


def withhold(conn: Connection, done: Sequence[ProcessedPage]) -> list[ProcessedPage]:
    """Quarantine the items of pages that a run reads after drift disabled its adapter."""
    off = adapter_health.disabled_by_drift(conn, {page.work.source.adapter for page in done})
    return [_withheld(page) if _place(page) in off and page.staged else page for page in done]


def _place(page: ProcessedPage) -> tuple[str, int]:
    return page.work.source.adapter, page.work.source.site_id


def _withheld(page: ProcessedPage) -> ProcessedPage:
    details = f"{page.work.source.adapter} was disabled during this run"
    reason = QuarantineReason.DRIFT_DETECTED
    waiting = [Quarantined(reason=reason, item=item, details=details) for item in page.valid]
    return replace(page, staged=(), valid=(), quarantined=[*page.quarantined, *waiting])


def judge_run(conn: Connection, progress: RunProgress, *, now: datetime) -> DriftResult | None:
    """Judge an ended run; alert, or disable its adapter."""
    fold = FOLDS[progress.run.kind]
    if not fold.extracts:
        return None
    adapter, site_id = progress.adapter.id, progress.source.site_id
    since, kind = now - BASELINE_WINDOW, progress.run.kind
    usual = baseline(drift_batches.list_batches(conn, adapter, site_id, kind=kind, since=since), now)
    health = adapter_health.read(conn, adapter, site_id)
    result = judge_drift(
        health,
        progress.drift,
        now,
        reads_index=fold.reads_index,
        usual=usual,
        failure_rate_max=limit_of("failure_rate_max", progress.source.params),
    )
    if result.health != health:
        after = result.health if result.health.enabled else replace(result.health, version=progress.version)
        adapter_health.write(conn, adapter, site_id, after)
    if result.batch is not None:
        drift_batches.add_batch(
            conn,
            result.batch,
            adapter=adapter,
            site_id=site_id,
            run_id=progress.run.id,
            version=progress.version,
            now=now,
        )
    runs.set_rates(conn, progress.run.id, progress.drift, flagged=result.flagged)
    raised = {_raise_alerts(conn, progress, decision, now=now) for decision in result.decisions}
    if health.enabled:
        _resolve_alerts(conn, progress, result, raised, now=now)
    return result


def _raise_alerts(
    conn: Connection, progress: RunProgress, decision: Decision, *, now: datetime
) -> str | None:
    """Raise alerts for a decision; returns their subject."""
    if decision.action is Action.QUARANTINE:
        return None
    off = decision.action is Action.DISABLE
    name, severity = (AlertName.ADAPTER_DISABLED, Severity.P1) if off else (decision.cause, Severity.P2)
    subject = alert_subject(progress)
    message, details = f"{subject}: {decision.says}", {"run": progress.run.id}
    alerts.raise_alert(conn, name, severity, subject, message, now=now, details=details)
    return name


def _resolve_alerts(
    conn: Connection, progress: RunProgress, result: DriftResult, raised: set[str | None], *, now: datetime
) -> None:
    """Resolve alerts that a whole batch no longer confirms."""
    may_pass = [
        AlertName.ADAPTER_DISABLED,
        AlertName.CANARY_REFUSED,
        *(Cause if result.batch is not None else ()),
    ]
    alerts.resolve_all(
        conn, [name for name in may_pass if name not in raised], alert_subject(progress), now=now
    )


def alert_subject(progress: RunProgress) -> str:
    """The subject of alerts about drift: an adapter on a source."""
    return f"{progress.adapter.id} on {progress.source.slug}"
