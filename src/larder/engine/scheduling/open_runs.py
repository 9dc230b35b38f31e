"""Opens a run: its row, its first jobs, and when the next of its kind is due."""

from datetime import datetime
from typing import Any

from larder.core.model.run import RunKind, Trigger
from larder.core.model.source import FetcherName, Plan
from larder.core.policy.run_limits import check_limits
from larder.core.policy.trust.circuit import CircuitState, way_of
from larder.engine.commit import finish_runs
from larder.engine.progress.run_progress import RunProgress
from larder.engine.quality import adapter_probes
from larder.engine.scheduling import cadence
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs import FOLDS, RunStart
from larder.runs.adaptive import top_read_at
from larder.sdk.revision import version_of
from larder.store.database import Connection
from larder.store.operations import canaries, circuits
from larder.store.operations.circuits import CircuitKey
from larder.store.queue import jobs, lanes, runs, schedules, sources
from larder.store.queue.source_rows import ScheduleRow


def open_run(
    conn: Connection, row: ScheduleRow, settings: DispatchSettings, *, trigger: Trigger, now: datetime
) -> int:
    """Open a run; its first jobs are queued when this commits."""
    source, kind = sources.source_from_row(row.source), RunKind(row.run_kind)
    check_limits(source.params)
    adapter = settings.adapters[source.adapter]
    trigger = trigger if row.adapter_off is None else Trigger.RECHECK
    version = version_of(adapter, source.params)
    run_id = runs.open_run(
        conn,
        source_id=source.id,
        kind=kind,
        trigger=trigger,
        adapter=adapter.id,
        adapter_version=version,
        now=now,
    )
    canaries.record_run(conn, source.id, version, now=now)
    begins = now if trigger is Trigger.MANUAL else now + settings.stagger * settings.chance.random()
    progress = RunProgress.of(runs.load(conn, [run_id])[run_id], source, adapter)
    _start(conn, progress, row, begins, settings, now=now)
    _probe(conn, row, now=now)
    next_at = cadence.next_at(conn, row, settings.cadence, trigger, now)
    schedules.set_next(conn, source.id, kind, next_at=next_at)
    return run_id


def _start(
    conn: Connection,
    progress: RunProgress,
    row: ScheduleRow,
    begins: datetime,
    settings: DispatchSettings,
    *,
    now: datetime,
) -> None:
    """Take the run's first step and queue its first jobs; a run without jobs is finished at once."""
    run, source = progress.run, progress.source
    numbered = progress.adapter.index_url(source, 2) is not None
    start = RunStart(
        source=source,
        memory=row.memory or {},
        trigger=run.trigger,
        numbered=numbered,
        limits=settings.run_limits,
        **_learned(conn, row, settings, now=now),
        now=now,
    )
    step = FOLDS[run.kind].start(start)
    if progress.probing:
        adapter_probes.begin_probe(conn, progress, step.state, now=now)
    else:
        progress.apply_step(conn, step, now=now, begins=begins)
    jobs.enqueue(conn, progress.new_jobs, now=now)
    lanes.wake(conn, dict.fromkeys({source.site_id, *(job.site_id for job in progress.new_jobs)}, begins))
    runs.advance(conn, [progress.to_save()], now=now)
    if progress.finished:
        finish_runs.finish_runs(conn, [progress], now=now)


def _learned(
    conn: Connection, row: ScheduleRow, settings: DispatchSettings, *, now: datetime
) -> dict[str, Any]:
    """What a run of a source with the plan `adaptive` needs to know of its other runs."""
    if row.source.plan != Plan.ADAPTIVE:
        return {}
    memory = schedules.memory_of(conn, row.source.id, RunKind.DISCOVERY)
    return {
        "spending": cadence.spending_of(conn, row, settings.cadence, now),
        "top_read_at": top_read_at(memory),
    }


def _probe(conn: Connection, row: ScheduleRow, *, now: datetime) -> None:
    """Mark a run after its circuit's cooldown as that circuit's probe."""
    if row.circuit_state not in (None, CircuitState.CLOSED):
        check = row.run_kind == RunKind.VERIFICATION
        key = CircuitKey(row.source.id, way_of(FetcherName(row.source.fetcher), check=check))
        circuits.write(conn, {key: circuits.read(conn, [key])[key].probing(now)})
