"""The demo skips hours only while nothing is at work, and never past what comes next; on both databases."""

from datetime import timedelta

from sqlalchemy import Connection, update

from larder.sim.demo import SKIPPED_TIME, idle_time
from larder.store.tables import lanes
from tests.contract.world import NOW, enqueue, run, source, unit_of_work


@unit_of_work
def test_work_in_line_is_waited_for_and_none_is_skipped(conn: Connection) -> None:
    source_id = source(conn)
    assert idle_time(conn, now=NOW) == SKIPPED_TIME
    enqueue(conn, run(conn, source_id), ["https://homes.test/listings"], source_id=source_id)
    assert idle_time(conn, now=NOW) == timedelta(0)
    for later, skipped in ((3, 0), (60, 60), (7_200, 3_600)):
        conn.execute(update(lanes).values(next_at=NOW + timedelta(seconds=later)))
        assert idle_time(conn, now=NOW) == timedelta(seconds=skipped)
