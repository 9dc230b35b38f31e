"""Calls of hosted actors, stored with their job so that a restarted process continues them."""

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
    """Store a call in its job's context; False if the job does not run under this token."""
    condition = (jobs.c.id == job_id) & (jobs.c.status == "running") & (jobs.c.token == token)
    statement = update(jobs).where(condition).values(context={**context, CALL: dict(call)}, updated_at=now)
    if not conn.execute(statement).rowcount:
        return False
    conn.execute(update(runs).where(runs.c.id == run_id).values(external_id=call.get("run_id")))
    return True
