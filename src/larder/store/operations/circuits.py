"""Circuit breakers of sources, one for each way of fetching, and the jobs that they hold."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, select, update

from larder.core.model.job import Purpose, Stage
from larder.core.model.run import RunStatus
from larder.core.policy.trust.circuit import Circuit, CircuitState, CircuitWay
from larder.store.database.statement import Statement
from larder.store.tables import jobs, runs
from larder.store.tables.columns import micros, moment_or_none


class CircuitKey(NamedTuple):
    """The key of a circuit: a source and a way of fetching."""

    source_id: int
    way: CircuitWay = CircuitWay.PAGES


class _CircuitRow(NamedTuple):
    source_id: int
    way: str
    state: str
    failures: int
    trips: int
    until: int | None


_READ = Statement(
    """
    SELECT circuits.source_id, circuits.way, circuits.state, circuits.failures, circuits.trips, circuits.until
    FROM {rows} AS asked JOIN circuits ON circuits.source_id = asked.source_id AND circuits.way = asked.way
    """,
    row=_CircuitRow,
    rows={"source_id": "int", "way": "text"},
)

_WRITE = Statement(
    """
    INSERT INTO circuits (source_id, way, state, failures, trips, until)
    SELECT source_id, way, state, failures, trips, until FROM {rows} AS given WHERE true
    ON CONFLICT (source_id, way) DO UPDATE SET state = excluded.state, failures = excluded.failures,
                                               trips = excluded.trips, until = excluded.until
    """,
    rows=_CircuitRow,
)


def read(conn: Connection, keys: Sequence[CircuitKey]) -> dict[CircuitKey, Circuit]:
    """The state of these circuits; one that was never written is closed."""
    found = {
        CircuitKey(row.source_id, CircuitWay(row.way)): Circuit(
            state=CircuitState(row.state),
            failures=row.failures,
            trips=row.trips,
            until=moment_or_none(row.until),
        )
        for row in _READ(conn, keys)
    }
    return {key: found.get(key, Circuit()) for key in keys}


def write(conn: Connection, changed: Mapping[CircuitKey, Circuit]) -> None:
    """Store circuits."""
    _WRITE(
        conn,
        [
            _CircuitRow(*key, c.state, c.failures, c.trips, micros(c.until) if c.until else None)
            for key, c in changed.items()
        ],
    )


def holds_checks_alone(conn: Connection, source_id: int) -> bool:
    """Whether a source's checks are held while its collects are not."""
    keys = [CircuitKey(source_id, way) for way in CircuitWay]
    ways = {key.way for key, circuit in read(conn, keys).items() if circuit.state is not CircuitState.CLOSED}
    return ways == {CircuitWay.CHECKS}


def hold_jobs(conn: Connection, key: CircuitKey, *, until: datetime, others_after: timedelta) -> None:
    """Hold the jobs of a circuit while it is open; the first one is the probe.

    Jobs of paused runs, and jobs whose page is stored, are left alone.
    """
    waiting = _waiting(key)
    probe = conn.scalar(select(jobs.c.id).where(waiting).order_by(jobs.c.claim_order, jobs.c.id).limit(1))
    conn.execute(update(jobs).where(waiting).values(not_before=until + others_after))
    conn.execute(update(jobs).where(jobs.c.id == probe).values(not_before=until))


def free_jobs(conn: Connection, key: CircuitKey, *, now: datetime) -> None:
    """Release the jobs of a circuit that closed."""
    waiting = and_(_waiting(key), jobs.c.not_before > now)
    conn.execute(update(jobs).where(waiting).values(not_before=now))


def _waiting(key: CircuitKey) -> ColumnElement[bool]:
    running = select(runs.c.id).where(runs.c.source_id == key.source_id, runs.c.status == RunStatus.RUNNING)
    is_check = jobs.c.purpose == Purpose.CHECK
    return and_(
        jobs.c.run_id.in_(running),
        jobs.c.status == "pending",
        jobs.c.stage == Stage.FETCH,
        is_check if key.way is CircuitWay.CHECKS else ~is_check,
    )
