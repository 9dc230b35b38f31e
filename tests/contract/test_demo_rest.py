"""The demo skips hours only while nothing is at work; on both databases."""

from datetime import timedelta

from sqlalchemy import Connection, update

from larder.core.model.run import RunStatus
from larder.sim.demo import at_rest
from larder.store.tables import lanes, runs
from tests.contract.world import NOW, enqueue, run, source, unit_of_work

HOUR = timedelta(hours=1)


@unit_of_work
def test_nothing_is_at_rest_while_a_run_is_under_way(conn: Connection) -> None:
    source_id = source(conn)
    assert at_rest(conn, now=NOW)
    run(conn, source_id)
    assert not at_rest(conn, now=NOW)
    conn.execute(update(runs).values(parked_until=NOW + HOUR))
    assert at_rest(conn, now=NOW)
    assert not at_rest(conn, now=NOW + HOUR)
    conn.execute(update(runs).values(status=RunStatus.COMPLETED))
    assert at_rest(conn, now=NOW + HOUR)


@unit_of_work
def test_a_lane_that_is_about_to_work_is_waited_for(conn: Connection) -> None:
    source_id = source(conn)
    enqueue(conn, run(conn, source_id), ["https://homes.test/listings"], source_id=source_id)
    conn.execute(update(runs).values(status=RunStatus.PAUSED))
    conn.execute(update(lanes).values(next_at=NOW + timedelta(seconds=3)))
    assert not at_rest(conn, now=NOW)
    conn.execute(update(lanes).values(next_at=NOW + HOUR))
    assert at_rest(conn, now=NOW)
