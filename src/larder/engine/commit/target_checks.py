"""Updates targets after they were fetched: status, failures in a row, and when they are due again."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from cronsim import CronSim

from larder.core.model.job import Purpose
from larder.core.model.outcome import DropReason
from larder.core.plurals import plural
from larder.core.policy.alerting import AlertName
from larder.core.policy.scheduling.targets import Calendar, TargetState, TargetStatus
from larder.engine.commit.sold_out import sold_out_without_price
from larder.engine.work_items import ProcessedPage
from larder.stages.persist import Persisted
from larder.store.database import Connection, micros
from larder.store.operations.notifications import alerts
from larder.store.queue import targets
from larder.store.queue.targets import CheckedTarget, TargetResult

MAX_NAMED = 1_000
"""The highest number of targets that an alert counts."""


def update_targets(
    conn: Connection, ended: Sequence[tuple[ProcessedPage, Persisted | None]], *, now: datetime
) -> None:
    """Write the new state of each target that was fetched."""
    looked = {
        page.work.job.request.context["target"]: (page, persisted)
        for page, persisted in ended
        if page.work.job.request.purpose is Purpose.TARGET
    }
    rows = targets.load_checked(conn, list(looked))
    targets.save_results(conn, [_target_update(row, *looked[row.id], now=now) for row in rows], now=now)


def alert_never_read(conn: Connection, source_id: int, slug: str, *, now: datetime) -> None:
    """Alert on targets that failed, or waited too long, and never gave a record."""
    name, unread = AlertName.TARGETS_NEVER_READ, targets.list_never_read(conn, source_id, limit=MAX_NAMED)
    if not unread:
        alerts.resolve(conn, name, slug, now=now)
        return
    many = f"{len(unread)} or more targets" if len(unread) == MAX_NAMED else plural(len(unread), "target")
    first = unread[0]
    status = first.last_status or "not tried"
    message = f"{slug}: {many} never read, for example {first.url} ({status})"
    alerts.raise_alert(conn, name, name.severity, slug, message, now=now)


def _target_update(
    row: CheckedTarget, page: ProcessedPage, persisted: Persisted | None, *, now: datetime
) -> TargetResult:
    before = TargetState(status=TargetStatus(row.status), failures=row.failures, haste=row.haste)
    has_records, sold_out = persisted is not None and bool(persisted.ids), sold_out_without_price(page)
    fine = has_records or sold_out
    after = (
        before.succeeded(price_changed=bool(persisted and persisted.price_changed))
        if fine
        else before.failed()
    )
    due = after.next_due_at(now, interval=timedelta(seconds=row.interval_s), calendar=_calendar(row.cron))
    record_id = persisted.ids[0] if persisted and persisted.ids else None
    status = _status(page, has_records=has_records, sold_out=sold_out)
    return TargetResult(row.id, after.status, after.failures, after.haste, micros(due), status, record_id)


def _status(page: ProcessedPage, *, has_records: bool, sold_out: bool) -> str:
    """The result of the last check, in one word."""
    if not page.fetched.outcome.has_page:
        return page.fetched.outcome
    if has_records:
        return "ok"
    return DropReason.OOS_NO_PRICE if sold_out else "unread"


def _calendar(cron: str | None) -> Calendar | None:
    if cron is None:
        return None
    expression = cron
    return lambda after: next(CronSim(expression, after))
