"""Circuit breakers of sources, and the jobs that they hold."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, select, update

from larder.core.model.job import Stage
from larder.core.model.run import RunStatus
from larder.core.policy.trust.circuit import Circuit, CircuitState
from larder.store.database.statement import Statement
from larder.store.tables import jobs, runs
from larder.store.tables.columns import micros, moment_or_none


class _CircuitRow(NamedTuple):
    source_id: int
    state: str
    failures: int
    trips: int
    until: int | None


_READ = Statement(
    """
    SELECT circuits.source_id, circuits.state, circuits.failures, circuits.trips, circuits.until
    FROM {rows} AS asked JOIN circuits ON circuits.source_id = asked.source_id
    """,
    row=_CircuitRow,
    rows={"source_id": "int"},
)

_WRITE = Statement(
    """
    INSERT INTO circuits (source_id, state, failures, trips, until)
    SELECT source_id, state, failures, trips, until FROM {rows} AS given WHERE true
    ON CONFLICT (source_id) DO UPDATE SET state = excluded.state, failures = excluded.failures,
                                          trips = excluded.trips, until = excluded.until
    """,
    rows=_CircuitRow,
)


def read(conn: Connection, source_ids: Sequence[int]) -> dict[int, Circuit]:
    """The circuits of these sources; one that was never written is closed."""
    found = {
        row.source_id: Circuit(
            state=CircuitState(row.state),
            failures=row.failures,
            trips=row.trips,
            until=moment_or_none(row.until),
        )
        for row in _READ(conn, [(source_id,) for source_id in source_ids])
    }
    return {source_id: found.get(source_id, Circuit()) for source_id in source_ids}


def write(conn: Connection, changed: Mapping[int, Circuit]) -> None:
    """Store circuits."""
    _WRITE(
        conn,
        [
            _CircuitRow(i, c.state, c.failures, c.trips, micros(c.until) if c.until else None)
            for i, c in changed.items()
        ],
    )


def hold_jobs(conn: Connection, source_id: int, *, until: datetime, others: timedelta) -> None:
    """Hold a source's jobs while its circuit is open; the first one is the probe.

    Jobs of paused runs, and jobs whose page is stored, are left alone.
    """
    waiting = _waiting(source_id)
    probe = conn.scalar(select(jobs.c.id).where(waiting).order_by(jobs.c.claim_order, jobs.c.id).limit(1))
    conn.execute(update(jobs).where(waiting).values(not_before=until + others))
    conn.execute(update(jobs).where(jobs.c.id == probe).values(not_before=until))


def free_jobs(conn: Connection, source_id: int, *, now: datetime) -> None:
    """The circuit closed: release the jobs that it held."""
    waiting = and_(_waiting(source_id), jobs.c.not_before > now)
    conn.execute(update(jobs).where(waiting).values(not_before=now))


def _waiting(source_id: int) -> ColumnElement[bool]:
    running = select(runs.c.id).where(runs.c.source_id == source_id, runs.c.status == RunStatus.RUNNING)
    return and_(jobs.c.run_id.in_(running), jobs.c.status == "pending", jobs.c.stage == Stage.FETCH)
