"""The tick: opens due runs or stores why not, adopts new sources, ends stale runs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

from larder.core.model.run import RunKind, Trigger
from larder.core.policy.scheduling.gates import Gate, GateReason, closed_gates
from larder.core.policy.scheduling.priority import dispatch_priority
from larder.core.policy.scheduling.stale import HEARTBEAT_LOST_AFTER, STALE_AFTER
from larder.core.policy.scheduling.targets import STALE_AFTER as TARGET_STALE_AFTER
from larder.engine.commit import target_checks
from larder.engine.scheduling import cadence, stale_runs
from larder.engine.scheduling.adoption import INVALID_ROW, adopt_sources, check_source, set_aside
from larder.engine.scheduling.backpressure import QueueState, back_off
from larder.engine.scheduling.clock_recovery import recover_if_clock_went_back
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.scheduling.gate_facts import gate_facts, unproven_version
from larder.engine.scheduling.open_runs import open_run
from larder.runs import FOLDS
from larder.store.database import Connection
from larder.store.dataset import verifications
from larder.store.operations import canaries
from larder.store.queue import lanes, schedules, sources, targets
from larder.store.queue.source_rows import ScheduleRow

RECHECK_GATES_AFTER = timedelta(minutes=1)
"""How often a source that is held back is tried, unless its gate opens at a known time."""
LAPSE_AFTER = timedelta(hours=1)
"""The longest time between two tries of a source that is held back: its records lapse meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickResult:
    """The result of a tick."""

    adopted: int = 0
    opened: Sequence[int] = ()
    held_back: Mapping[str, Sequence[str]] = field(default_factory=dict)


def tick(conn: Connection, settings: DispatchSettings, *, now: datetime) -> TickResult:
    """Process everything that is due; after a clock was set back, schedules in the future are due."""
    recover_if_clock_went_back(conn, settings, now=now)
    if not schedules.any_due(conn, silent_since=now - HEARTBEAT_LOST_AFTER, now=now):
        return TickResult()
    lanes.lock(conn, _affected_lanes(conn, now))
    adopted = adopt_sources(conn, settings, now=now)
    stale_runs.mark_stale_jobs(conn, now=now)
    stale_runs.end_stale_runs(conn, now=now)
    if not settings.opened_kinds:
        return TickResult(adopted=adopted)
    queue = QueueState.read(conn, settings)
    opened: list[int] = []
    held_back: dict[str, list[str]] = {}
    rejected: set[int] = set()
    accepted: set[int] = set()
    due = [row for row in schedules.list_due(conn, now=now) if row.run_kind in settings.opened_kinds]
    for row in sorted(due, key=lambda row: -_priority(row, now)):
        closed = _closed_gates(conn, row, settings, queue, now=now)
        if closed is None:
            continue
        if closed:
            if Gate.QUEUE_FULL in {reason.gate for reason in closed} and not queue.backoff.paused(now):
                rejected.add(row.source.site_id or 0)
            held_back.setdefault(row.source.slug, []).extend(reason.gate for reason in closed)
            continue
        if run_id := _open_or_refuse(conn, row, settings, now=now):
            opened.append(run_id)
            accepted.add(row.source.site_id or 0)
            queue.opened(row.source.site_id or 0)
    back_off(conn, queue.backoff, accepted=len(accepted), rejected=len(rejected - accepted), now=now)
    return TickResult(adopted=adopted, opened=opened, held_back=held_back)


def _affected_lanes(conn: Connection, now: datetime) -> list[int]:
    return schedules.list_lanes(
        conn, silent_since=now - HEARTBEAT_LOST_AFTER, stale_since=now - STALE_AFTER, now=now
    )


def _closed_gates(
    conn: Connection, row: ScheduleRow, settings: DispatchSettings, queue: QueueState, *, now: datetime
) -> Sequence[GateReason] | None:
    """Why a source does not run now, which is stored; None if its row is invalid and was set aside."""
    try:
        if closed := closed_gates(gate_facts(row, settings, queue, now), now):
            with conn.begin_nested():
                _hold_back(conn, row, closed, settings, now=now)
        return closed
    except INVALID_ROW as error:
        _set_aside(conn, row, error, now=now)
        return None


def _set_aside(conn: Connection, row: ScheduleRow, error: Exception, *, now: datetime) -> None:
    """Mark an invalid row for review; its schedule is not due again at once."""
    set_aside(conn, row.source, f"cannot be run: {error}", now=now)
    schedules.set_next(conn, row.source.id, row.run_kind, next_at=now + RECHECK_GATES_AFTER)


def _hold_back(
    conn: Connection,
    row: ScheduleRow,
    closed: Sequence[GateReason],
    settings: DispatchSettings,
    *,
    now: datetime,
) -> None:
    opens = [reason.until for reason in closed if reason.until is not None]
    look_at = now + RECHECK_GATES_AFTER
    if len(opens) == len(closed):
        look_at = min(max([look_at, *opens]), now + LAPSE_AFTER)
    gates = [{**asdict(reason), "until": reason.until and reason.until.isoformat()} for reason in closed]
    schedules.set_gated(conn, row.source.id, row.run_kind, gates, look_at=look_at, now=now)
    verifications.lapse_records(conn, row.source.id, now=now)
    reads_targets = FOLDS[RunKind(row.run_kind)].reads_targets
    if reads_targets and targets.mark_neglected(
        conn, row.source.id, before=now - TARGET_STALE_AFTER, now=now
    ):
        target_checks.alert_never_read(conn, row.source.id, row.source.slug, now=now)
    if version := unproven_version(row, settings.adapters):
        canaries.set_candidate(conn, row.source.id, version)


def _priority(row: ScheduleRow, now: datetime) -> float:
    return dispatch_priority(
        now,
        last_run_at=row.source.last_run_at,
        items_seen=row.source.items_seen,
        reliability=row.source.reliability,
        failures=row.source.consecutive_failures,
    )


def _postpone_without_targets(
    conn: Connection, row: ScheduleRow, settings: DispatchSettings, *, now: datetime
) -> bool:
    """Postpone a run whose source has no due target, and no due feed that names targets."""
    fold = FOLDS[RunKind(row.run_kind)]
    if not fold.reads_targets or targets.any_due(conn, row.source.id, now=now):
        return False
    if fold.reads_feed(sources.source_from_row(row.source), row.memory or {}, now):
        return False
    until = cadence.next_at(conn, row, settings.cadence, Trigger.SCHEDULED, now)
    schedules.set_next(conn, row.source.id, row.run_kind, next_at=until)
    return True


def _open_or_refuse(
    conn: Connection, row: ScheduleRow, settings: DispatchSettings, *, now: datetime
) -> int | None:
    """Open a run; a source with an invalid row is set aside and stops no other."""
    try:
        with conn.begin_nested():
            check_source(row.source.adapter, row.source.url, settings.adapters)
            if _postpone_without_targets(conn, row, settings, now=now):
                return None
            return open_run(
                conn, row, settings, trigger=cadence.trigger_for(row, settings.cadence, now), now=now
            )
    except INVALID_ROW as error:
        _set_aside(conn, row, error, now=now)
        return None
