"""Runs: start, show, pause, resume, stop, requeue."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from larder.actions.formatting import span
from larder.actions.sources import targets
from larder.core.errors import BadInput, Conflict, NotQueued
from larder.core.model.hint import Hint
from larder.core.model.run import RunKind, RunStatus, Trigger, may_become
from larder.core.policy.scheduling.gates import GateReason, closed_gates, rejection
from larder.engine.quality import canary
from larder.engine.scheduling import adoption, gate_facts, open_runs
from larder.engine.scheduling.backpressure import QueueState
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs import FOLDS
from larder.store.database import Connection
from larder.store.database.statement import json_value
from larder.store.operations import audit
from larder.store.queue import jobs, lanes, schedules, stale_work
from larder.store.queue import runs as store
from larder.store.queue.source_rows import ScheduleRow, SourceRow
from larder.store.reads.lookup import RunRow, run_row, source_row
from larder.store.reads.operators import page_traces
from larder.store.reads.operators.page_traces import PageLine
from larder.store.reads.operators.runs import (
    RunView,
    get_run,
    latest_closed,
    latest_errors,
    list_runs,
    runs_since,
    sources_of,
)

__all__ = [
    "RunDetails", "RunView", "end_runs", "get_run", "latest_closed", "list_runs", "lock_runs", "pause",
    "requeue", "resume", "runs_since", "show", "start", "stop",
]  # fmt: skip

MAX_LINES = 20
"""Maximum pages and errors shown of a run, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDetails:
    """A run with its state, its pages, its certificate and its errors."""

    run: RunView
    state: Mapping[str, Any]
    checkpoint: Mapping[str, Any]
    """Where the next run of its kind continues."""
    certificate: Mapping[str, Any] | None
    drift: Mapping[str, Any] | None
    actor_run: str | None
    """The provider's id of the actor's run."""
    pages: Sequence[PageLine]
    """The latest pages."""
    errors: Sequence[Mapping[str, Any]]


def start(
    conn: Connection, slug: str, kind: RunKind | None, settings: DispatchSettings, *, who: str, now: datetime
) -> RunView:
    """Start a run by hand; closed gates are respected. A monitor reads its feed and all its targets."""
    adoption.adopt_sources(conn, settings, now=now)
    source = source_row(conn, slug)
    row = _planned(conn, source, kind)
    unproven = gate_facts.unproven_version(row, settings.adapters)
    if unproven and canary.accept_young(conn, source.id, unproven, who=who, now=now):
        row = _planned(conn, source, kind)
    closed = closed_gates(gate_facts.gate_facts(row, settings, QueueState.read(conn, settings), now), now)
    if closed:
        raise _refusal(closed, now)
    reads_targets = FOLDS[RunKind(row.run_kind)].reads_targets
    if reads_targets and not targets.make_due(conn, source, now=now) and not source.feed_url:
        raise targets.no_target(slug)
    run_id = open_runs.open_run(conn, row, settings, trigger=Trigger.MANUAL, now=now)
    audit.record(conn, "run started", slug, {"run": run_id, "kind": row.run_kind}, who=who, now=now)
    return get_run(conn, run_id)


def _refusal(closed: Sequence[GateReason], now: datetime) -> Conflict:
    """Every closed gate; if only the queue is full, when to try again."""
    text = "; ".join(reason.says for reason in closed)
    answer = rejection(closed, now)
    if answer is None:
        return Conflict(text, hint=closed[0].todo)
    wait = max(1, math.ceil(answer.retry_after.total_seconds()))
    message = f"{answer.reason}: {text}; try again in {span(timedelta(seconds=wait))}"
    return NotQueued(message, reason=answer.reason, retry_after=wait, hint=closed[0].todo)


def show(conn: Connection, run_id: int) -> RunDetails:
    """Show one run with all its data."""
    row = run_row(conn, run_id)
    return RunDetails(
        run=get_run(conn, run_id),
        state=row.state or {},
        checkpoint=_checkpoint(conn, row),
        certificate=row.certificate,
        drift=row.drift,
        actor_run=row.external_id,
        pages=page_traces.recent_pages(conn, run_id, limit=MAX_LINES),
        errors=latest_errors(conn, run_id, limit=MAX_LINES),
    )


def stop(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """Stop a run; what it stored stays, pending pages are dropped."""
    lock_runs(conn, [run_id])
    _must_be_open(conn, run_id, RunStatus.STOPPED)
    end_runs(conn, [run_id], why=f"stopped by {who}", now=now)
    audit.record(conn, "run stopped", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def pause(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """Pause a run: requests under way finish, no new ones start."""
    lock_runs(conn, [run_id])
    _must_be_open(conn, run_id, RunStatus.PAUSED)
    store.set_status(conn, run_id, RunStatus.PAUSED, now=now)
    jobs.delay_pending(conn, run_id, until=jobs.HELD_UNTIL)
    audit.record(conn, "run paused", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def resume(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """Resume a paused run."""
    lock_runs(conn, [run_id])
    _must_be_open(conn, run_id, RunStatus.RUNNING)
    store.set_status(conn, run_id, RunStatus.RUNNING, now=now)
    lanes.wake(conn, dict.fromkeys(jobs.delay_pending(conn, run_id, until=now), now))
    audit.record(conn, "run resumed", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def lock_runs(conn: Connection, run_ids: Sequence[int]) -> None:
    """Lock the lanes of these runs' sources, so that no worker writes to them."""
    lanes.hold_sources(conn, sources_of(conn, run_ids))


def requeue(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """Queue stale pages of a run again."""
    _must_be_running(conn, run_id)
    waking = stale_work.requeue(conn, run_id, now=now)
    if not waking:
        raise Conflict(f"run {run_id} has no stale pages", hint=Hint(action="run.show", target=str(run_id)))
    lanes.wake(conn, dict.fromkeys(waking, now))
    audit.record(conn, "run requeued", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def end_runs(conn: Connection, run_ids: Sequence[int], *, why: str, now: datetime) -> None:
    """Stop runs and keep their checkpoints for the next run of their kind."""
    lock_runs(conn, run_ids)
    for run in store.load(conn, run_ids).values():
        if run.kind is RunKind.SCOUT:  # a scout has no source; its checkpoint is the state of its places
            store.close(conn, run.id, RunStatus.STOPPED, now=now, error_code="stopped", error=why)
            continue
        memory = FOLDS[run.kind].end(run.state, failed=run.failed, now=now).memory
        schedules.save_memory(conn, run.source_id, run.kind, memory)
        store.close(conn, run.id, RunStatus.STOPPED, now=now, error_code="stopped", error=why)
        jobs.abandon(conn, run.id, now=now)


def _checkpoint(conn: Connection, row: RunRow) -> Mapping[str, Any]:
    schedule = next(
        (each for each in schedules.list_by_source(conn, row.source_id or 0) if each.run_kind == row.kind),
        None,
    )
    memory: Mapping[str, Any] = (
        json_value(schedule.memory) if schedule is not None and schedule.memory else {}
    )
    return memory


def _planned(conn: Connection, source: SourceRow, kind: RunKind | None) -> ScheduleRow:
    """The schedule of that kind; by default the only one, or discovery."""
    planned = {row.run_kind: row for row in schedules.list_by_source(conn, source.id)}
    chosen = kind or (RunKind.DISCOVERY if RunKind.DISCOVERY in planned else next(iter(planned), None))
    if chosen in planned:
        return planned[chosen]
    if not planned and source.needs_review:
        raise BadInput(
            f"{source.slug} needs review: {source.review_reason or 'no reason given'}",
            hint=Hint(text="correct it, then review it", action="source.review", target=source.slug),
        )
    possible = ", ".join(planned) or "none that this version can run"
    raise BadInput(
        f"{source.slug} has no run kind {chosen or 'to start'}", hint=f"plan {source.plan} has: {possible}"
    )


def _must_be_open(conn: Connection, run_id: int, run_status: RunStatus) -> None:
    status = RunStatus(run_row(conn, run_id).status)
    if not may_become(status, run_status):
        raise Conflict(
            f"run {run_id} is {status}: it cannot become {run_status}", hint=Hint(action="run.list")
        )


def _must_be_running(conn: Connection, run_id: int) -> None:
    status = RunStatus(run_row(conn, run_id).status)
    if status is not RunStatus.RUNNING:
        raise Conflict(
            f"run {run_id} is {status}", hint=Hint(text="resume it or start another", action="run.list")
        )
