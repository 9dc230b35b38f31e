"""Runs: start one now, watch, hold, stop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select, update

from larder.core.errors import BadInput, Conflict
from larder.core.model.hint import Hint
from larder.core.model.run import RunKind, RunStatus, Trigger, may_become
from larder.core.policy.scheduling.gates import reasons
from larder.engine.commit import finish_runs
from larder.engine.scheduling import dispatch
from larder.engine.scheduling.dispatch import DispatchSettings, QueueState
from larder.runs import FOLDS
from larder.store.database import Connection
from larder.store.database.statement import AnyRow, loads
from larder.store.operations import audit
from larder.store.queue import jobs, lanes, schedules, stale_jobs
from larder.store.queue import runs as store
from larder.store.queue.source_rows import ScheduleRow, SourceRow
from larder.store.reads import page_traces
from larder.store.reads.lookup import run_row, source_row
from larder.store.reads.page_traces import PageLine
from larder.store.reads.rows import view_of
from larder.store.tables import errors, runs, sources
from larder.store.tables import jobs as jobs_table

MAX_LINES = 20
"""Pages and errors of a run, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run and how far it is."""

    id: int
    source: str | None
    kind: str
    status: str
    trigger: str
    adapter: str | None
    adapter_version: str | None
    started_at: datetime
    finished_at: datetime | None
    pages: int
    attempted: int
    failed: int
    extracted: int
    inserted: int
    updated: int
    unchanged: int
    dropped: int
    quarantined: int
    open_jobs: int
    error_code: str | None
    error: str | None
    voided_at: datetime | None
    """Since when its word does not count."""

    @property
    def over(self) -> bool:
        """Nothing more will happen in it."""
        return not RunStatus(self.status).open


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDetails:
    """A run, where it stands, what it fetched, what it proved, and what went wrong in it."""

    run: RunView
    state: Mapping[str, Any]
    checkpoint: Mapping[str, Any]
    """What the next run of its kind goes on from."""
    certificate: Mapping[str, Any] | None
    drift: Mapping[str, Any] | None
    pages: Sequence[PageLine]
    """The latest."""
    errors: Sequence[Mapping[str, Any]]


def start(
    conn: Connection, slug: str, kind: RunKind | None, how: DispatchSettings, *, who: str, now: datetime
) -> RunView:
    """Open a run by hand; a driver takes its pages at once. A shut gate is said, not forced."""
    dispatch.adopt_sources(conn, how, now=now)
    source = source_row(conn, slug)
    row = _planned(conn, source, kind)
    shut = reasons(dispatch.gate_facts(row, how, QueueState.read(conn, how), now), now)
    if shut:
        raise Conflict("; ".join(reason.says for reason in shut), hint=shut[0].todo)
    run_id = dispatch.open_run(conn, row, how, trigger=Trigger.MANUAL, now=now)
    audit.record(conn, "run started", slug, {"run": run_id, "kind": row.run_kind}, who=who, now=now)
    return get_run(conn, run_id)


def list_runs(
    conn: Connection,
    *,
    source: str | None = None,
    kind: RunKind | None = None,
    status: RunStatus | None = None,
    before: int | None = None,
    limit: int = 20,
) -> list[RunView]:
    """The latest runs, newest first; `before`: of those with a smaller number."""
    query = _runs().order_by(runs.c.id.desc()).limit(limit)
    if source is not None:
        query = query.where(runs.c.source_id == source_row(conn, source).id)
    if kind is not None:
        query = query.where(runs.c.kind == kind)
    if status is not None:
        query = query.where(runs.c.status == status)
    if before is not None:
        query = query.where(runs.c.id < before)
    return [_view(row) for row in conn.execute(query)]


def latest_closed(conn: Connection) -> int:
    """The last run before the first that is still open; 0: there is none."""
    still_open = runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED))
    first_open = conn.scalar(select(func.min(runs.c.id)).where(still_open))
    newest = conn.scalar(select(func.max(runs.c.id))) or 0
    return newest if first_open is None else first_open - 1


def runs_since(conn: Connection, newest: int, also: Sequence[int]) -> list[RunView]:
    """Runs that were opened after `newest`, and how those named in `also` stand now; newest first."""
    wanted = (runs.c.id > newest) | runs.c.id.in_(also)
    return [_view(row) for row in conn.execute(_runs().where(wanted).order_by(runs.c.id.desc()).limit(1000))]


def get_run(conn: Connection, run_id: int) -> RunView:
    """How a run stands."""
    run_row(conn, run_id)
    return _view(conn.execute(_runs().where(runs.c.id == run_id)).one())


def show(conn: Connection, run_id: int) -> RunDetails:
    """One run with all that is known of it."""
    row = run_row(conn, run_id)
    said = select(errors.c.at, errors.c.stage, errors.c.type, errors.c.message)
    latest = said.where(errors.c.run_id == run_id).order_by(errors.c.id.desc()).limit(MAX_LINES)
    return RunDetails(
        run=get_run(conn, run_id),
        state=row.state or {},
        checkpoint=_checkpoint(conn, row),
        certificate=row.certificate,
        drift=row.drift,
        pages=page_traces.recent_pages(conn, run_id, limit=MAX_LINES),
        errors=[dict(each) for each in conn.execute(latest).mappings()],
    )


def stop(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """End it here: what it found stays, what it had not fetched yet is left."""
    lock_runs(conn, [run_id])
    _must_be_open(conn, run_id, RunStatus.STOPPED)
    end_runs(conn, [run_id], why=f"stopped by {who}", now=now)
    audit.record(conn, "run stopped", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def pause(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """Hold it: pages under way come to their end, no others are asked for."""
    lock_runs(conn, [run_id])
    _must_be_open(conn, run_id, RunStatus.PAUSED)
    _set_status(conn, run_id, RunStatus.PAUSED, now=now)
    _hold(conn, run_id, until=jobs.HELD_UNTIL)
    audit.record(conn, "run paused", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def resume(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """Let it go on where it was."""
    lock_runs(conn, [run_id])
    _must_be_open(conn, run_id, RunStatus.RUNNING)
    _set_status(conn, run_id, RunStatus.RUNNING, now=now)
    _hold(conn, run_id, until=now)
    mine = select(jobs_table.c.site_id).where(jobs_table.c.run_id == run_id).distinct()
    lanes.wake(conn, dict.fromkeys(conn.scalars(mine), now))
    audit.record(conn, "run resumed", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def lock_runs(conn: Connection, run_ids: Sequence[int]) -> None:
    """Wait until no driver writes to what these runs do, and keep it so: their lanes come first."""
    theirs = select(runs.c.source_id).where(runs.c.id.in_(run_ids), runs.c.source_id.is_not(None))
    lanes.hold_sources(conn, conn.scalars(theirs))


def requeue(conn: Connection, run_id: int, *, who: str, now: datetime) -> RunView:
    """Pages that nobody took for a day are wanted after all: they stand in line anew."""
    _must_be_running(conn, run_id)
    waking = stale_jobs.requeue(conn, run_id, now=now)
    if not waking:
        raise Conflict(f"run {run_id} has no stale pages", hint=Hint(action="run.show", target=str(run_id)))
    lanes.wake(conn, dict.fromkeys(waking, now))
    audit.record(conn, "run requeued", str(run_id), who=who, now=now)
    return get_run(conn, run_id)


def end_runs(conn: Connection, run_ids: Sequence[int], *, why: str, now: datetime) -> None:
    """Stop runs; the next of their kind is told how far they came."""
    lock_runs(conn, run_ids)
    for run in store.load(conn, run_ids).values():
        memory = FOLDS[run.kind].end(run.state, failed=run.failed, now=now).memory
        finish_runs.save_memory(conn, run.source_id, run.kind, memory)
        store.close(conn, run.id, RunStatus.STOPPED, now=now, error_code="stopped", error=why)
        jobs.abandon(conn, run.id, now=now)


def _checkpoint(conn: Connection, row: AnyRow) -> Mapping[str, Any]:
    kept = next(
        (each for each in schedules.list_by_source(conn, row.source_id) if each.run_kind == row.kind), None
    )
    memory: Mapping[str, Any] = loads(kept.memory) if kept is not None and kept.memory else {}
    return memory


def _planned(conn: Connection, source: SourceRow, kind: RunKind | None) -> ScheduleRow:
    """The schedule that is meant: the only one, the one of that kind, or discovery."""
    planned = {row.run_kind: row for row in schedules.list_by_source(conn, source.id)}
    wanted = kind or (RunKind.DISCOVERY if RunKind.DISCOVERY in planned else next(iter(planned), None))
    if wanted in planned:
        return planned[wanted]
    if not planned and source.needs_review:
        raise BadInput(
            f"{source.slug} was set aside: {source.review_reason or 'it waits for a person'}",
            hint=Hint(text="correct it, then review it", action="source.review", target=source.slug),
        )
    possible = ", ".join(planned) or "none that this version can run"
    raise BadInput(
        f"{source.slug} has no run kind {wanted or 'to start'}", hint=f"plan {source.plan} has: {possible}"
    )


def _must_be_open(conn: Connection, run_id: int, wanted: RunStatus) -> None:
    status = RunStatus(run_row(conn, run_id).status)
    if not may_become(status, wanted):
        raise Conflict(f"run {run_id} is {status}: it cannot become {wanted}", hint=Hint(action="run.list"))


def _must_be_running(conn: Connection, run_id: int) -> None:
    status = RunStatus(run_row(conn, run_id).status)
    if status is not RunStatus.RUNNING:
        raise Conflict(
            f"run {run_id} is {status}", hint=Hint(text="resume it or start another", action="run.list")
        )


def _set_status(conn: Connection, run_id: int, status: RunStatus, *, now: datetime) -> None:
    conn.execute(
        update(runs).where(runs.c.id == run_id).values(status=status, heartbeat_at=now, parked_until=None)
    )


def _hold(conn: Connection, run_id: int, *, until: datetime) -> None:
    waiting = (jobs_table.c.run_id == run_id) & (jobs_table.c.status == "pending")
    conn.execute(update(jobs_table).where(waiting).values(not_before=until))


def _runs() -> Select[Any]:
    return select(runs, sources.c.slug.label("source")).outerjoin(sources, sources.c.id == runs.c.source_id)


def _view(row: AnyRow) -> RunView:
    return view_of(RunView, row)
