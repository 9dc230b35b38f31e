"""Marks jobs that no worker took as stale, and ends runs without a heartbeat."""

from datetime import datetime

from larder.core.model.run import RunKind, RunStatus
from larder.core.policy.scheduling.stale import HEARTBEAT_LOST_AFTER, STALE_AFTER
from larder.engine.commit import finish_runs
from larder.runs import FOLDS
from larder.store.database import Connection
from larder.store.queue import jobs, lanes, runs, schedules, stale_work


def mark_stale_jobs(conn: Connection, *, now: datetime) -> int:
    """Mark jobs that were ready and not taken for a day; returns how many."""
    return stale_work.mark_stale(conn, before=now - STALE_AFTER, now=now)


def end_stale_runs(conn: Connection, *, now: datetime) -> list[int]:
    """Fail runs without a heartbeat, except those that wait for a known time or for their turn.

    The next run of their kind continues from their memory. Lanes that sleep on queued work are woken.
    """
    silent_since = now - HEARTBEAT_LOST_AFTER
    lanes.wake(conn, dict.fromkeys(stale_work.list_sleeping_lanes(conn, silent_since=silent_since), now))
    silent = [row.id for row in stale_work.list_stalled(conn, silent_since=silent_since, now=now)]
    for run in runs.load(conn, silent).values():
        _end(conn, run, now=now)
    return silent


def _end(conn: Connection, run: runs.Run, *, now: datetime) -> None:
    if run.state:
        memory = FOLDS[RunKind(run.kind)].end(run.state, failed=0, now=now).memory
        schedules.save_memory(conn, run.source_id, run.kind, memory)
    message = f"no heartbeat for {HEARTBEAT_LOST_AFTER.seconds // 60} minutes"
    runs.close(conn, run.id, RunStatus.FAILED, now=now, error_code="stalled", error=message)
    jobs.abandon(conn, run.id, now=now)
    finish_runs.update_source_health(conn, run.source_id, RunStatus.FAILED, now=now)
