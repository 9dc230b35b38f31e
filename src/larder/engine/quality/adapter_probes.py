"""Probes an adapter that drift disabled, where its source allows it.

Every six hours the version that failed reads live pages: the first index page, and detail pages of records
seen last. None of it is stored. If it can read them it is enabled again, and its first run is flagged for
review.
"""

from datetime import datetime

from larder.core.model.job import PageRequest, Purpose
from larder.core.model.run import RunStatus
from larder.core.policy.alerting import AlertName
from larder.core.policy.trust.drift import MIN_URLS, PROBE_EVERY
from larder.engine.progress.run_progress import RunProgress
from larder.runs import FOLDS
from larder.runs.fold import State
from larder.store.database import Connection
from larder.store.operations import adapter_health
from larder.store.operations.notifications import alerts
from larder.store.queue import runs, schedules, selections


def begin_probe(conn: Connection, progress: RunProgress, state: State, *, now: datetime) -> None:
    """Queue the pages of a probe and postpone the next one."""
    source = progress.source
    adapter_health.postpone_probe(conn, progress.adapter.id, source.site_id, now + PROBE_EVERY)
    index = PageRequest(
        url=progress.adapter.index_url(source, 1) or source.url, purpose=Purpose.INDEX, number=1
    )
    requests = [
        PageRequest(url=row.url, purpose=Purpose.DETAIL, context={"key": row.identity_key})
        for row in selections.list_latest_read(conn, source.id, limit=MIN_URLS)
    ]
    progress.request_only(
        [index, *requests] if FOLDS[progress.run.kind].reads_index else requests, state, now=now
    )


def end_probe(conn: Connection, progress: RunProgress, *, now: datetime) -> None:
    """Enable the adapter if the probe succeeded; the source's next run is not affected."""
    runs.close(conn, progress.run.id, RunStatus.COMPLETED, now=now)
    runs.set_rates(conn, progress.run.id, progress.drift, flagged=False)
    adapter, source = progress.adapter.id, progress.source
    health = adapter_health.read(conn, adapter, source.site_id)
    after = health.probed(progress.drift, now, same_version=health.version in ("", progress.version))
    if after == health:
        return
    adapter_health.write(conn, adapter, source.site_id, after)
    if after.enabled:
        alerts.resolve(conn, AlertName.ADAPTER_DISABLED, f"{adapter} on {source.slug}", now=now)
        schedules.run_now(conn, source.id, kind=progress.run.kind, now=now)
