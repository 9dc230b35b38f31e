"""While a circuit is open its source's jobs wait: all but one, and no one else's."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, update

from larder.core.model.run import RunKind
from larder.core.policy.trust.circuit import Circuit, CircuitState, CircuitWay
from larder.store.operations import circuits
from larder.store.operations.circuits import CircuitKey
from larder.store.tables import jobs, runs
from larder.store.tables.columns import micros
from tests.contract.world import HOUR, MINUTE, NOW, enqueue, rows, run, source, unit_of_work

UNTIL = NOW + HOUR
PAGES, CHECKS = CircuitKey(1), CircuitKey(1, CircuitWay.CHECKS)
OTHERS = timedelta(minutes=30)


def waits(conn: Connection) -> dict[str, int]:
    return dict(rows(conn, "SELECT url, not_before FROM jobs WHERE status = 'pending'"))


def planted(conn: Connection) -> None:
    """Three jobs of one source, and one of another on the same site."""
    homes, flats = source(conn), source(conn, "flats")
    enqueue(conn, run(conn, homes), ["a", "b", "c"], source_id=homes)
    enqueue(conn, run(conn, flats), ["other"], source_id=flats)


@unit_of_work
def test_jobs_wait_and_the_first_in_line_is_the_probe(conn: Connection) -> None:
    planted(conn)
    circuits.hold_jobs(conn, PAGES, until=UNTIL, others_after=OTHERS)
    late = micros(UNTIL + OTHERS)
    assert waits(conn) == {"a": micros(UNTIL), "b": late, "c": late, "other": micros(NOW)}


@unit_of_work
def test_holding_twice_holds_the_same(conn: Connection) -> None:
    planted(conn)
    circuits.hold_jobs(conn, PAGES, until=UNTIL, others_after=OTHERS)
    before = waits(conn)
    circuits.hold_jobs(conn, PAGES, until=UNTIL, others_after=OTHERS)
    assert waits(conn) == before


@unit_of_work
def test_what_waited_is_free_when_it_closes(conn: Connection) -> None:
    planted(conn)
    circuits.hold_jobs(conn, PAGES, until=UNTIL, others_after=OTHERS)
    circuits.free_jobs(conn, PAGES, now=NOW + MINUTE)
    freed = micros(NOW + MINUTE)
    assert waits(conn) == {"a": freed, "b": freed, "c": freed, "other": micros(NOW)}


@pytest.mark.parametrize(
    ("table", "values"),
    [
        pytest.param(jobs, {"stage": "parse", "page_id": 7}, id="a page that is stored fetches nothing"),
        pytest.param(jobs, {"status": "running"}, id="what is under way is under way"),
        pytest.param(jobs, {"status": "done"}, id="what is done is done"),
        pytest.param(runs, {"status": "paused"}, id="a paused run waits for a person"),
    ],
)
@unit_of_work
def test_what_does_not_wait_for_a_circuit(conn: Connection, table: Any, values: dict[str, Any]) -> None:
    planted(conn)
    conn.execute(update(table).values(values))
    circuits.hold_jobs(conn, PAGES, until=UNTIL, others_after=OTHERS)
    circuits.free_jobs(conn, PAGES, now=NOW - HOUR)
    assert {row[0] for row in rows(conn, "SELECT not_before FROM jobs")} == {micros(NOW)}


@unit_of_work
def test_a_source_without_jobs_is_no_trouble(conn: Connection) -> None:
    run(conn, source(conn), RunKind.SWEEP)
    circuits.hold_jobs(conn, PAGES, until=UNTIL, others_after=OTHERS)
    circuits.free_jobs(conn, PAGES, now=NOW)
    assert waits(conn) == {}


@unit_of_work
def test_circuits_are_kept_as_they_are_and_unknown_ones_are_closed(conn: Connection) -> None:
    ids = [CircuitKey(source(conn, f"s{i}"), CircuitWay.ACTOR) for i in range(3)]
    kept = {
        ids[0]: Circuit(state=CircuitState.OPEN, failures=7, trips=2, until=UNTIL),
        ids[1]: Circuit(state=CircuitState.HALF_OPEN, failures=5, trips=1, until=NOW),
    }
    circuits.write(conn, kept)
    assert circuits.read(conn, ids) == {**kept, ids[2]: Circuit()}
    circuits.write(conn, {ids[0]: Circuit()})
    assert circuits.read(conn, ids[:1]) == {ids[0]: Circuit()}


@unit_of_work
def test_l10_1_a_circuit_holds_the_jobs_of_its_own_way_alone(conn: Connection) -> None:
    planted(conn)
    conn.execute(update(jobs).where(jobs.c.url == "b").values(purpose="check"))
    circuits.hold_jobs(conn, CHECKS, until=UNTIL, others_after=OTHERS)
    now = micros(NOW)
    assert waits(conn) == {"a": now, "b": micros(UNTIL), "c": now, "other": now}
    circuits.free_jobs(conn, CHECKS, now=NOW)
    circuits.hold_jobs(conn, PAGES, until=UNTIL, others_after=OTHERS)
    assert waits(conn) == {"a": micros(UNTIL), "b": now, "c": micros(UNTIL + OTHERS), "other": now}


@unit_of_work
def test_l10_1_a_source_has_a_circuit_for_each_way(conn: Connection) -> None:
    source(conn)
    circuits.write(conn, {CHECKS: Circuit(state=CircuitState.OPEN, failures=5, trips=1, until=UNTIL)})
    assert circuits.read(conn, [PAGES]) == {PAGES: Circuit()}
    circuits.write(conn, {PAGES: Circuit(failures=1)})
    assert circuits.read(conn, [CHECKS])[CHECKS].state is CircuitState.OPEN
