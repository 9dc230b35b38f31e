"""Alerts on a run that read no items from pages that had some before, and names both pages."""

from datetime import datetime
from typing import NamedTuple

from larder.core.policy.alerting import AlertName
from larder.engine.progress.run_progress import RunProgress
from larder.engine.quality import drift
from larder.runs import FOLDS
from larder.store.database import Connection
from larder.store.operations import circuits
from larder.store.operations.notifications import alerts
from larder.store.pages import run_pages
from larder.store.pages.page_rows import PageRow

COMPARED = 8
"""Maximum pages of a run compared with the last reading of the same URLs."""


class _Compared(NamedTuple):
    page: PageRow
    last_good: PageRow


def compare_with_last_good(conn: Connection, progress: RunProgress, *, now: datetime) -> None:
    """Alert on zero items from pages that had some, unless an alert is open; a run with items resolves it."""
    if not FOLDS[progress.run.kind].extracts or not progress.drift.attempted:
        return
    slug, name = progress.source.slug, AlertName.NO_ITEMS
    if progress.drift.valid or run_pages.gave_items(conn, progress.run.id):
        alerts.resolve(conn, name, slug, now=now)
        return
    found = _last_good(conn, progress)
    if found is not None and not _is_reported(conn, progress):
        details = {"run": progress.run.id, "page": found.page.id, "last_good_page": found.last_good.id}
        message = f"{slug}: {_message(progress, found)}"
        alerts.raise_alert(conn, name, name.severity, slug, message, now=now, details=details)


def _is_reported(conn: Connection, progress: RunProgress) -> bool:
    """Whether an open alert says that the source is unreachable or its adapter disabled."""
    circuit_open = alerts.is_open(conn, AlertName.CIRCUIT_TRIPPED, progress.source.slug)
    return (circuit_open and not circuits.holds_checks_alone(conn, progress.source.id)) or alerts.is_open(
        conn, AlertName.ADAPTER_DISABLED, drift.alert_subject(progress)
    )


def _last_good(conn: Connection, progress: RunProgress) -> _Compared | None:
    """The first page of the run without items whose URL gave some before, and that earlier page."""
    for page in run_pages.list_without_items(conn, progress.run.id, limit=COMPARED):
        before = run_pages.last_read(conn, progress.source.id, page.url, before=page.id)
        if before is not None:
            return _Compared(page=page, last_good=before)
    return None


def _message(progress: RunProgress, found: _Compared) -> str:
    page, good = found
    return (
        f"{progress.run.kind} read no items; {page.url} (page {page.id}) gave {good.yielded} on "
        f"{good.fetched_at:%Y-%m-%d %H:%M} (page {good.id})"
    )
