"""The inputs of the gates for one source and run kind, from its schedule's row and the state of the queue."""

from datetime import datetime

from larder.core.model.run import RunKind, RunStatus
from larder.core.model.source import FetcherName
from larder.core.policy.scheduling.backpressure import RETRY_AFTER_FULL
from larder.core.policy.scheduling.gates import GateFacts
from larder.core.policy.trust.canary import CanaryState
from larder.core.policy.trust.circuit import CircuitState, CircuitWay, way_of
from larder.engine.scheduling.backpressure import QueueState
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs import EXTRACTING
from larder.sdk.adapter import Adapters
from larder.sdk.revision import adapter_revision, version_of
from larder.store.queue import sources
from larder.store.queue.source_rows import ScheduleRow


def unproven_version(row: ScheduleRow, adapters: Adapters) -> str:
    """The version that would read this source's pages, if it is not the proven one."""
    adapter = adapters.get(row.source.adapter)
    if adapter is None:
        return ""
    version = version_of(adapter, sources.effective_params(row.source.params, row.source.repaired))
    if row.active_version is None:  # begin with this version, unless it was refused for another source
        return version if (row.refused_beside or "").startswith(adapter_revision(adapter)) else ""
    return "" if version == row.active_version else version


def _objections(row: ScheduleRow, version: str) -> str:
    """The canary's objections to this version."""
    if version and row.active_version is None:
        return "it was refused on another source of this site"
    refused = row.canary == CanaryState.REFUSED and row.candidate_version == version
    return "; ".join((row.comparison or {}).get("objections", ())) if refused else ""


def gate_facts(row: ScheduleRow, settings: DispatchSettings, queue: QueueState, now: datetime) -> GateFacts:
    """The inputs of the gates for one source and run kind."""
    closed = row.circuit_state in (None, CircuitState.CLOSED)
    version = unproven_version(row, settings.adapters)
    return GateFacts(
        source=row.source.slug,
        site=row.source.domain or "",
        adapter=row.source.adapter,
        kind=row.run_kind,
        enabled=bool(row.source.enabled),
        needs_review=bool(row.source.needs_review),
        strict=settings.strict,
        terms_reviewed=row.source.terms_reviewed_at is not None,
        site_blocked=bool(row.source.site_blocked),
        circuit_until=None if closed else row.circuit_until,
        adapter_enabled=row.adapter_off is None,
        adapter_why=row.adapter_off or "",
        adapter_probe_at=row.probe_at if row.source.reenables_itself and row.run_kind in EXTRACTING else None,
        unproven=version,
        objections=_objections(row, version),
        running=row.open_run,
        paused=_paused(row),
        cooling_until=None if _asks_actor(row) else row.cooling_until,
        queue_full_until=now + RETRY_AFTER_FULL if queue.full(row.source.site_id or 0) else None,
        backing_off_until=queue.backoff.until,
    )


def _asks_actor(row: ScheduleRow) -> bool:
    """Whether an actor fetches the pages of this run, so that the site gets no request."""
    check = row.run_kind == RunKind.VERIFICATION
    return way_of(FetcherName(row.source.fetcher), check=check) is CircuitWay.ACTOR


def _paused(row: ScheduleRow) -> str | None:
    return (row.open_run_error or "by an operator") if row.open_run_status == RunStatus.PAUSED else None
