"""Runs of a scout: they have a region and no source. One process drives one at a time, by its heartbeat."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, or_, select, update

from larder.core.model.run import RunKind, RunStatus, Trigger
from larder.core.policy.freshness import EPOCH
from larder.store.database.statement import Statement, fetch_as, select_as
from larder.store.queue.runs import COUNTERS
from larder.store.tables import runs
from larder.store.tables.columns import LATEST, micros


class ScoutRun(NamedTuple):
    """A scout that has not ended."""

    id: int
    region: str
    status: str
    state: Any
    started_at: datetime
    parked_until: datetime | None


class RunningScout(NamedTuple):
    """A scout that is running."""

    id: int
    region: str


def open_run(
    conn: Connection, region: str, state: Mapping[str, Any], *, trigger: Trigger, now: datetime
) -> int:
    """Open a scout of a region; the process that claims it drives it."""
    row = {
        "region": region,
        "kind": RunKind.SCOUT,
        "trigger": trigger,
        "state": dict(state),
        "started_at": now,
        "heartbeat_at": EPOCH,
    }
    run_id: int = conn.scalar(insert(runs).values(row).returning(runs.c.id)) or 0
    return run_id


_RUNNING = Statement(
    """
    SELECT id, region FROM runs WHERE status = 'running' AND heartbeat_at < :now AND source_id IS NULL
    AND kind = 'scout' AND (parked_until IS NULL OR parked_until <= :ready) ORDER BY id
    """,
    row=RunningScout,
    args={"now": "int", "ready": "int"},
)


def list_ready(conn: Connection, *, silent_since: datetime, now: datetime) -> list[RunningScout]:
    """Running scouts without a driver and without a pause, oldest first."""
    return _RUNNING(conn, now=micros(silent_since), ready=micros(now))


def list_running(conn: Connection) -> list[RunningScout]:
    """All running scouts, oldest first."""
    return _RUNNING(conn, now=micros(LATEST), ready=micros(LATEST))


def claim(conn: Connection, run_id: int, *, silent_since: datetime, now: datetime) -> ScoutRun | None:
    """Claim a run without a driver and without a pause; None if there is none."""
    free = (runs.c.heartbeat_at < silent_since) & or_(
        runs.c.parked_until.is_(None), runs.c.parked_until <= now
    )
    statement = update(runs).where(runs.c.id == run_id, runs.c.status == RunStatus.RUNNING, free)
    if not conn.execute(statement.values(heartbeat_at=now, parked_until=None)).rowcount:
        return None
    return fetch_as(conn, select_as(runs, ScoutRun).where(runs.c.id == run_id), ScoutRun)[0]


def save(
    conn: Connection, run_id: int, state: Mapping[str, Any], counts: Mapping[str, int], *, now: datetime
) -> bool:
    """Save a checkpoint and add to the counters; False where somebody stopped or paused the run."""
    added = {name: runs.c[name] + counts[name] for name in COUNTERS if counts.get(name)}
    saved = update(runs).where(runs.c.id == run_id, runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED)))
    conn.execute(saved.values(state=dict(state), heartbeat_at=now, **added))
    return conn.scalar(select(runs.c.status).where(runs.c.id == run_id)) == RunStatus.RUNNING


def heartbeat(conn: Connection, run_id: int, *, now: datetime) -> None:
    """Renew the heartbeat of a claimed run; a released one stays released."""
    driven = runs.c.heartbeat_at > EPOCH
    conn.execute(update(runs).where(runs.c.id == run_id, driven).values(heartbeat_at=now))


def release(conn: Connection, run_id: int, *, parked_until: datetime | None) -> None:
    """Release the run; another round continues with it, not before `parked_until`."""
    conn.execute(
        update(runs).where(runs.c.id == run_id).values(heartbeat_at=EPOCH, parked_until=parked_until)
    )
