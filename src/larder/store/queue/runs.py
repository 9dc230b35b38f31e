"""Runs: at most one open for a source and kind; each step commits with the page that caused it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, update

from larder.core.model.run import RunKind, RunStatus, Trigger
from larder.core.policy.trust.yields import NO_YIELD, PageYield
from larder.store.database.statement import Statement, json_value
from larder.store.tables import runs
from larder.store.tables.columns import micros, moment

COUNTERS = (
    "pages", "attempted", "failed", "extracted", "inserted", "updated", "unchanged", "dropped", "quarantined",
    "rows_shown", "pages_not_read",
)  # fmt: skip
RATES = ("failure_rate", "drop_rate", "yield_rate")


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
    """Left-out items of the whole run, by reason."""
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


_OPEN = Statement(
    """
    INSERT INTO runs (source_id, kind, trigger, adapter, adapter_version, started_at, heartbeat_at, state)
    VALUES (:source_id, :kind, :trigger, :adapter, :adapter_version, :now, :now, '{}') RETURNING id
    """,
    scalar=int,
    args={
        **dict.fromkeys(("source_id", "now"), "int"),
        **dict.fromkeys(("kind", "trigger", "adapter", "adapter_version"), "text"),
    },
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
    given = {"source_id": source_id, "kind": kind.value, "trigger": trigger.value, "adapter": adapter}
    (run_id,) = _OPEN(conn, None, **given, adapter_version=adapter_version, now=micros(now))
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
    """Park runs that wait until a known time; they are not stalled before it."""
    later = (runs.c.parked_until.is_(None)) | (runs.c.parked_until < until)
    conn.execute(update(runs).where(runs.c.id.in_(run_ids), later).values(parked_until=until))


_CLOSE = Statement(
    """
    UPDATE runs SET status = :status, finished_at = :now, error_code = :error_code, error = :error,
      advertised = :advertised, open_jobs = 0
    WHERE id = :id
    """,
    args={
        **dict.fromkeys(("id", "now", "advertised"), "int"),
        **dict.fromkeys(("status", "error_code", "error"), "text"),
    },
)


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
    """End the run."""
    ended = {"status": status.value, "error_code": error_code, "error": error, "advertised": advertised}
    _CLOSE(conn, None, id=run_id, now=micros(now), **ended)


def pause(conn: Connection, run_id: int, *, code: str, reason: str) -> None:
    """Pause the run until a person resumes it."""
    paused = {"status": RunStatus.PAUSED, "error_code": code, "error": reason}
    conn.execute(update(runs).where(runs.c.id == run_id).values(**paused))


class Totals(NamedTuple):
    """The counters of a run."""

    pages: int = 0
    attempted: int = 0
    failed: int = 0
    inserted: int = 0
    stored: int = 0
    """Items that became or confirmed a record."""


_TOTALS = Statement(
    """
    SELECT pages, attempted, failed, inserted, inserted + updated + unchanged AS stored
    FROM runs WHERE id = :id
    """,
    row=Totals,
    args={"id": "int"},
)


def totals(conn: Connection, run_id: int) -> Totals:
    """The counters of a run."""
    (found,) = _TOTALS(conn, id=run_id)
    return found


def set_status(conn: Connection, run_id: int, status: RunStatus, *, now: datetime) -> None:
    """Pause or resume a run for a person."""
    values = {"status": status, "heartbeat_at": now, "parked_until": None}
    conn.execute(update(runs).where(runs.c.id == run_id).values(values))


def open_of_source(conn: Connection, source_id: int) -> list[int]:
    """The runs of a source that have not ended."""
    condition = (runs.c.source_id == source_id) & runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED))
    return list(conn.scalars(select(runs.c.id).where(condition).order_by(runs.c.id)))


_RATES = Statement(
    f"UPDATE runs SET {', '.join(f'{name} = :{name}' for name in RATES)}, flagged = :flagged WHERE id = :id",
    args={"id": "int", "flagged": "int", **dict.fromkeys(RATES, "float")},
)


def set_rates(conn: Connection, run_id: int, batch: PageYield, *, flagged: bool) -> None:
    """Store the rates of a run, and whether it is flagged for review."""
    _RATES(conn, None, id=run_id, flagged=int(flagged), **{name: getattr(batch, name) for name in RATES})


def set_certificate(conn: Connection, run_id: int, certificate: Mapping[str, Any]) -> None:
    """Store the certificate of a full pass."""
    conn.execute(update(runs).where(runs.c.id == run_id).values(certificate=dict(certificate)))


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
