"""Runs: at most one open for a source and kind; each step commits with the page that caused it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select, update

from larder.core.model.run import RunKind, RunStatus, Trigger
from larder.core.policy.trust.yields import NO_YIELD, PageYield
from larder.store.database.statement import Statement, fetch_as, json_value
from larder.store.tables import jobs, lanes, runs
from larder.store.tables.columns import micros, moment

COUNTERS = (
    "pages", "attempted", "failed", "extracted", "inserted", "updated", "unchanged", "dropped", "quarantined",
    "rows_shown", "pages_not_read",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An open run as a worker holds it."""

    id: int
    source_id: int
    kind: RunKind
    status: RunStatus
    trigger: Trigger
    state: Mapping[str, Any]
    open_jobs: int
    settled: bool
    failed: int
    started_at: datetime
    drift: PageYield = NO_YIELD
    left_out: Mapping[str, Any] = field(default_factory=dict)
    not_read: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What a batch adds to a run; `open_jobs` may be negative."""

    run_id: int
    state: Mapping[str, Any]
    settled: bool
    open_jobs: int
    counts: Mapping[str, int]
    drift: PageYield = NO_YIELD
    left_out: Mapping[str, Any] = field(default_factory=dict)
    """By reason, of the whole run."""
    not_read: Mapping[str, Any] = field(default_factory=dict)


class _OpenRun(NamedTuple):
    id: int
    source_id: int
    kind: str
    status: str
    trigger: str
    state: Any
    open_jobs: int
    settled: int
    failed: int
    started_at: int
    drift: Any
    left_out: Any
    not_read: Any


class StalledRun(NamedTuple):
    """A running run without progress."""

    id: int
    source_id: int
    kind: str


_LOAD = """
SELECT id, source_id, kind, status, trigger, state, open_jobs, settled, failed, started_at, drift,
       left_out, not_read
FROM runs WHERE id IN (SELECT id FROM {rows} AS asked) {lock}
"""
_LOAD_SQLITE = Statement(_LOAD.replace("{lock}", ""), row=_OpenRun, rows={"id": "int"})
_LOAD_POSTGRESQL = Statement(
    _LOAD.replace("{lock}", "ORDER BY id FOR UPDATE"), row=_OpenRun, rows={"id": "int"}
)

_ADVANCE = Statement(
    f"""
    UPDATE runs SET state = step.state, drift = step.drift, left_out = step.left_out,
      not_read = step.not_read,
      settled = step.settled, open_jobs = runs.open_jobs + step.jobs,
      heartbeat_at = :now, parked_until = NULL,
      {", ".join(f"{name} = runs.{name} + step.{name}" for name in COUNTERS)}
    FROM {{rows}} AS step WHERE runs.id = step.id
    """,
    rows={
        "id": "int",
        "state": "json",
        "drift": "json",
        "left_out": "json",
        "not_read": "json",
        "settled": "int",
        "jobs": "int",
        **dict.fromkeys(COUNTERS, "int"),
    },
    args={"now": "int"},
)


def open_run(
    conn: Connection,
    *,
    source_id: int,
    kind: RunKind,
    trigger: Trigger,
    adapter: str,
    adapter_version: str,
    now: datetime,
) -> int:
    """Open a run. A unique index allows one open run for a source and kind."""
    row = {
        "source_id": source_id,
        "kind": kind,
        "trigger": trigger,
        "adapter": adapter,
        "adapter_version": adapter_version,
        "started_at": now,
        "heartbeat_at": now,
        "state": {},
    }
    run_id: int = conn.scalar(insert(runs).values(row).returning(runs.c.id)) or 0
    return run_id


def load(conn: Connection, run_ids: Sequence[int]) -> dict[int, Run]:
    """Load runs and lock them until the unit of work ends."""
    statement = _LOAD_SQLITE if conn.dialect.name == "sqlite" else _LOAD_POSTGRESQL
    return {row.id: _run(row) for row in statement(conn, [(run_id,) for run_id in run_ids])}


def advance(conn: Connection, steps: Sequence[Progress], *, now: datetime) -> None:
    """Save steps and counts; this also sets the heartbeat."""
    _ADVANCE(
        conn,
        [
            (
                step.run_id,
                dict(step.state),
                asdict(step.drift),
                dict(step.left_out) or None,
                dict(step.not_read) or None,
                int(step.settled),
                step.open_jobs,
                *(step.counts.get(name, 0) for name in COUNTERS),
            )
            for step in steps
        ],
        now=micros(now),
    )


def park(conn: Connection, run_ids: Sequence[int], until: datetime) -> None:
    """Runs that wait until a known time are not stalled before it."""
    later = (runs.c.parked_until.is_(None)) | (runs.c.parked_until < until)
    conn.execute(update(runs).where(runs.c.id.in_(run_ids), later).values(parked_until=until))


def close(
    conn: Connection,
    run_id: int,
    status: RunStatus,
    *,
    now: datetime,
    error_code: str | None = None,
    error: str | None = None,
    advertised: int | None = None,
) -> None:
    """The run is over."""
    ended = {"status": status, "finished_at": now, "error_code": error_code, "error": error}
    conn.execute(update(runs).where(runs.c.id == run_id).values(**ended, advertised=advertised, open_jobs=0))


def pause(conn: Connection, run_id: int, *, code: str, reason: str) -> None:
    """The run waits for a person to resume it."""
    paused = {"status": RunStatus.PAUSED, "error_code": code, "error": reason}
    conn.execute(update(runs).where(runs.c.id == run_id).values(**paused))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The counters of a run."""

    pages: int = 0
    attempted: int = 0
    failed: int = 0
    inserted: int = 0
    stored: int = 0
    """Items that became or confirmed a record."""


def totals(conn: Connection, run_id: int) -> Totals:
    """The counters of a run."""
    stored = runs.c.inserted + runs.c.updated + runs.c.unchanged
    counters = (runs.c.pages, runs.c.attempted, runs.c.failed, runs.c.inserted, stored.label("stored"))
    return Totals(**conn.execute(select(*counters).where(runs.c.id == run_id)).one()._asdict())


def set_status(conn: Connection, run_id: int, status: RunStatus, *, now: datetime) -> None:
    """A person pauses or resumes a run."""
    values = {"status": status, "heartbeat_at": now, "parked_until": None}
    conn.execute(update(runs).where(runs.c.id == run_id).values(values))


def open_of_source(conn: Connection, source_id: int) -> list[int]:
    """The runs of a source that have not ended."""
    condition = (runs.c.source_id == source_id) & runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED))
    return list(conn.scalars(select(runs.c.id).where(condition).order_by(runs.c.id)))


def set_rates(conn: Connection, run_id: int, batch: PageYield, *, flagged: bool) -> None:
    """Store the rates of a run, and whether it is flagged for review."""
    rates = {
        "failure_rate": batch.failure_rate,
        "drop_rate": batch.drop_rate,
        "yield_rate": batch.yield_rate,
    }
    conn.execute(update(runs).where(runs.c.id == run_id).values(**rates, flagged=int(flagged)))


def set_certificate(conn: Connection, run_id: int, certificate: Mapping[str, Any]) -> None:
    """Store the certificate of a full pass."""
    conn.execute(update(runs).where(runs.c.id == run_id).values(certificate=dict(certificate)))


def list_stalled(conn: Connection, *, silent_since: datetime, now: datetime) -> list[StalledRun]:
    """Running runs without a heartbeat since then that are not parked and have no job in the queue.

    A running job on a lane without a lease counts as queued: the next lease releases it.
    """
    silent = (runs.c.parked_until.is_(None)) | (runs.c.parked_until < silent_since)
    driven = (lanes.c.site_id == jobs.c.site_id) & (lanes.c.lease_until > now)
    orphaned = (jobs.c.status == "running") & lanes.c.site_id.is_(None)
    in_line = (
        select(jobs.c.id)
        .select_from(jobs.outerjoin(lanes, driven))
        .where(jobs.c.run_id == runs.c.id, (jobs.c.status == "pending") | orphaned)
        .exists()
    )
    stalled = (
        select(runs.c.id, runs.c.source_id, runs.c.kind)
        .where(
            runs.c.status == RunStatus.RUNNING,
            runs.c.source_id.is_not(None),  # a scout continues from its checkpoint, however late
            runs.c.heartbeat_at < silent_since,
            silent,
            ~in_line,
        )
        .limit(100)
    )
    return fetch_as(conn, stalled, StalledRun)


_ASLEEP = Statement(
    """
    SELECT DISTINCT lanes.site_id FROM runs
    JOIN jobs ON jobs.run_id = runs.id AND jobs.status IN ('pending', 'running')
    JOIN lanes ON lanes.site_id = jobs.site_id AND lanes.next_at IS NULL
    WHERE runs.status = 'running' AND runs.heartbeat_at < :silent_since
    """,
    scalar=int,
    args={"silent_since": "int"},
)


def list_sleeping_lanes(conn: Connection, *, silent_since: datetime) -> list[int]:
    """Lanes without a `next_at` that have open jobs of a silent run. There should be none."""
    return _ASLEEP(conn, silent_since=micros(silent_since))


def _run(row: _OpenRun) -> Run:
    return Run(
        id=row.id,
        source_id=row.source_id,
        kind=RunKind(row.kind),
        status=RunStatus(row.status),
        trigger=Trigger(row.trigger),
        state=json_value(row.state) or {},
        open_jobs=row.open_jobs,
        settled=bool(row.settled),
        failed=row.failed,
        started_at=moment(row.started_at),
        drift=PageYield(**json_value(row.drift)) if row.drift else NO_YIELD,
        left_out=json_value(row.left_out) or {},
        not_read=json_value(row.not_read) or {},
    )
