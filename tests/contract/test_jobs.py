"""Jobs in line: claimed in order, put back, ended; none lost, none twice."""

from datetime import timedelta

import pytest
from sqlalchemy import Connection

from larder.core.model.job import Job, Stage
from larder.core.model.run import RunKind, Trigger
from larder.store.queue import jobs, ready_jobs
from tests.contract.world import HOUR, MINUTE, NOW, SECOND, enqueue, one, rows, run, source, unit_of_work


def urls(found: list[Job]) -> list[str]:
    return [job.request.url for job in found]


def claim_all(conn: Connection, *, token: int = 1) -> list[Job]:
    return jobs.claim(
        conn,
        [jobs.ClaimedJob(job, token, None) for job in ready_jobs.list_ready(conn, 1, now=NOW, limit=100)],
        now=NOW,
    )


@unit_of_work
def test_jobs_of_one_moment_go_in_the_order_in_which_they_were_asked_for(conn: Connection) -> None:
    enqueue(conn, run(conn, source(conn)), ["a", "b", "c"])
    assert urls(ready_jobs.list_ready(conn, 1, now=NOW, limit=10)) == ["a", "b", "c"]
    assert urls(ready_jobs.list_ready(conn, 1, now=NOW, limit=2)) == ["a", "b"]


@unit_of_work
def test_the_urgent_go_first_and_the_long_waiting_move_up(conn: Connection) -> None:
    homes = source(conn)
    runs = {kind: run(conn, homes, kind) for kind in (RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION)}
    born = [
        ("verification an hour ago", RunKind.VERIFICATION, Trigger.SCHEDULED, NOW - HOUR),
        ("discovery now", RunKind.DISCOVERY, Trigger.SCHEDULED, NOW),
        ("manual now", RunKind.DISCOVERY, Trigger.MANUAL, NOW),
        ("sweep 20 min ago", RunKind.SWEEP, Trigger.SCHEDULED, NOW - 20 * MINUTE),
        ("sweep now", RunKind.SWEEP, Trigger.SCHEDULED, NOW),
    ]
    for url, kind, trigger, at in born:
        enqueue(conn, runs[kind], [url], kind=kind, trigger=trigger, now=at)
    assert urls(ready_jobs.list_ready(conn, 1, now=NOW, limit=10)) == [
        "verification an hour ago",
        "manual now",
        "discovery now",
        "sweep 20 min ago",
        "sweep now",
    ]


@unit_of_work
def test_a_job_waits_for_its_time_and_the_lane_knows_when_that_is(conn: Connection) -> None:
    first = run(conn, source(conn))
    enqueue(conn, first, ["later"], not_before=NOW + MINUTE)
    enqueue(conn, first, ["latest"], not_before=NOW + HOUR)
    assert ready_jobs.list_ready(conn, 1, now=NOW, limit=10) == []
    assert ready_jobs.next_ready_at(conn, 1, now=NOW) == NOW + MINUTE
    assert urls(ready_jobs.list_ready(conn, 1, now=NOW + MINUTE, limit=10)) == ["later"]
    assert ready_jobs.next_ready_at(conn, 1, now=NOW + MINUTE) == NOW + HOUR
    assert ready_jobs.next_ready_at(conn, 1, now=NOW + HOUR) is None
    assert ready_jobs.next_ready_at(conn, 999, now=NOW) is None


@unit_of_work
def test_lanes_do_not_see_each_others_jobs(conn: Connection) -> None:
    homes = run(conn, source(conn))
    flats = source(conn, "flats", domain="flats.test")
    enqueue(conn, homes, ["homes"])
    enqueue(conn, run(conn, flats), ["flats"], source_id=flats, site_id=2)
    assert urls(ready_jobs.list_ready(conn, 1, now=NOW, limit=9)) == ["homes"]
    assert urls(ready_jobs.list_ready(conn, 2, now=NOW, limit=9)) == ["flats"]


@unit_of_work
def test_a_claimed_job_is_claimed_once(conn: Connection) -> None:
    enqueue(conn, run(conn, source(conn)), ["a", "b"])
    claimed = claim_all(conn)
    assert urls(claimed) == ["a", "b"]
    assert ready_jobs.list_ready(conn, 1, now=NOW, limit=10) == []
    assert jobs.filter_owned(conn, [jobs.JobToken(claimed[0].id, 1), jobs.JobToken(claimed[1].id, 2)]) == {
        claimed[0].id
    }


@unit_of_work
def test_what_is_put_back_keeps_its_place_in_line_and_its_page(conn: Connection) -> None:
    enqueue(conn, run(conn, source(conn)), ["a", "b"])
    a, b = claim_all(conn)
    jobs.mark_fetched(conn, [jobs.JobPage(a.id, 77)], now=NOW)
    back = [
        jobs.Requeue(job_id=a.id, not_before=NOW, attempts=2, stage=Stage.PARSE, page_id=77),
        jobs.Requeue(job_id=b.id, not_before=NOW, attempts=1, error="timeout: slow"),
    ]
    jobs.requeue(conn, back, now=NOW)
    again = ready_jobs.list_ready(conn, 1, now=NOW, limit=10)
    assert [(j.request.url, j.stage, j.attempts, j.page_id, j.last_error) for j in again] == [
        ("a", Stage.PARSE, 2, 77, None),
        ("b", Stage.FETCH, 1, None, "timeout: slow"),
    ]


@unit_of_work
def test_a_stored_page_is_a_new_beginning(conn: Connection) -> None:
    """Attempts are counted for each stage: what fetching cost is not held against reading."""
    enqueue(conn, run(conn, source(conn)), ["a"])
    (a,) = claim_all(conn)
    jobs.requeue(conn, [jobs.Requeue(job_id=a.id, not_before=NOW, attempts=2)], now=NOW)
    claim_all(conn)
    jobs.mark_fetched(conn, [jobs.JobPage(a.id, 5)], now=NOW)
    assert rows(conn, "SELECT stage, page_id, attempts, status FROM jobs") == [("parse", 5, 0, "running")]


@unit_of_work
def test_what_has_ended_stays_ended(conn: Connection) -> None:
    enqueue(conn, run(conn, source(conn)), ["a", "b"])
    a, b = claim_all(conn)
    jobs.finish(conn, [jobs.FinishedJob(a.id, "done", "persist", 1, None)], now=NOW)
    jobs.finish(conn, [jobs.FinishedJob(b.id, "dead", "fetch", 3, "error: 500")], now=NOW + SECOND)
    assert ready_jobs.list_ready(conn, 1, now=NOW + HOUR, limit=10) == []
    assert jobs.filter_owned(conn, [jobs.JobToken(a.id, 1), jobs.JobToken(b.id, 1)]) == set()
    assert rows(conn, "SELECT status, attempts, error FROM jobs ORDER BY id") == [
        ("done", 1, None),
        ("dead", 3, "error: 500"),
    ]


@unit_of_work
def test_a_run_that_ends_early_takes_its_jobs_along(conn: Connection) -> None:
    homes = source(conn)
    stopped, other = run(conn, homes), run(conn, homes, RunKind.SWEEP)
    enqueue(conn, stopped, ["a", "b"])
    enqueue(conn, other, ["c"])
    jobs.claim(
        conn,
        [jobs.ClaimedJob(job, 1, None) for job in ready_jobs.list_ready(conn, 1, now=NOW, limit=1)],
        now=NOW,
    )
    jobs.abandon(conn, stopped, now=NOW)
    assert rows(conn, "SELECT url, status FROM jobs ORDER BY id") == [
        ("a", "stale"),
        ("b", "stale"),
        ("c", "pending"),
    ]


@unit_of_work
def test_a_job_of_a_stopped_run_is_not_brought_back_by_its_late_answer(conn: Connection) -> None:
    stopped = run(conn, source(conn))
    enqueue(conn, stopped, ["a"])
    (a,) = claim_all(conn)
    jobs.abandon(conn, stopped, now=NOW)
    jobs.requeue(conn, [jobs.Requeue(job_id=a.id, not_before=NOW, attempts=1)], now=NOW)
    assert one(conn, "SELECT status FROM jobs") == "stale"


@unit_of_work
def test_pending_jobs_are_counted_by_adapter(conn: Connection) -> None:
    homes = run(conn, source(conn))
    enqueue(conn, homes, ["a", "b", "c"])
    assert jobs.count_pending_by_site(conn) == {1: 3}
    claim_all(conn)
    assert jobs.count_pending_by_site(conn) == {}


@pytest.mark.parametrize("empty", ["enqueue", "claim", "requeue", "mark_fetched", "finish"])
@unit_of_work
def test_an_empty_batch_is_no_trouble(conn: Connection, empty: str) -> None:
    getattr(jobs, empty)(conn, [], now=NOW + timedelta(0))
    assert one(conn, "SELECT count(*) FROM jobs") == 0
