"""Calls of hosted actors, kept with the job they are made for: what a restarted process goes on from."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, update

from larder.store.tables import jobs, runs

CALL = "actor"


def store_call(
    conn: Connection,
    job_id: int,
    context: Mapping[str, Any],
    call: Mapping[str, Any],
    *,
    run_id: int,
    token: int,
    now: datetime,
) -> bool:
    """Write a call into its job's context; False where the job runs under another token, or not at all."""
    ours = (jobs.c.id == job_id) & (jobs.c.status == "running") & (jobs.c.token == token)
    kept = update(jobs).where(ours).values(context={**context, CALL: dict(call)}, updated_at=now)
    if not conn.execute(kept).rowcount:
        return False
    conn.execute(update(runs).where(runs.c.id == run_id).values(external_id=call.get("run_id")))
    return True
