"""What is claimed next: nobody starves for want of room, nothing sleeps, a stored page needs no slot."""

from datetime import datetime, timedelta
from random import Random

import pytest
from sqlalchemy import Connection, text, update

from larder.adapters.listing.adapter import GenericListing
from larder.engine.work_items import Worker
from larder.engine.worker import claims
from larder.engine.worker.claims import Claim
from larder.store.queue import lane_reads, lanes
from larder.store.tables import jobs
from tests.contract.statements import overheard
from tests.contract.world import HOUR, NOW, SECOND, enqueue, one, rows, run, site, source, unit_of_work

LISTING = {"listing": GenericListing()}
WHO = Worker(owner="me", chance=Random(0))


def plant(conn: Connection, *, sites: int = 1, each: int = 1, **limits: int) -> None:
    for n in range(1, sites + 1):
        site(conn, f"s{n}.test", **{"spacing_ms": 1000, "at_once": 2, **limits})
        added = source(conn, f"s{n}", domain=f"s{n}.test")
        enqueue(conn, run(conn, added), [f"{n}-{i}" for i in range(each)], source_id=added, site_id=n)


def claim(
    conn: Connection, *, max_jobs: int = 10, now: datetime = NOW, under_way: dict[int, int] | None = None
) -> Claim:
    return claims.claim(conn, WHO, under_way=under_way or {}, max_jobs=max_jobs, now=now)


@unit_of_work
def test_a_lane_that_found_no_room_is_first_in_line_next_time(conn: Connection) -> None:
    plant(conn, sites=3, each=4)
    carried: dict[int, int] = {}
    served: list[int] = []
    for _ in range(3):
        claimed = claim(conn, max_jobs=1, under_way=carried)
        (work,) = claimed.work
        served.append(work.lane.site_id)
        carried[work.job.id] = work.lane.site_id
        assert len(served) == 3 or (claimed.look_at or NOW) <= NOW, (
            "the others are due at once, not in a while"
        )
    assert sorted(served) == [1, 2, 3]


@unit_of_work
def test_no_more_is_claimed_than_the_site_allows_at_a_time(conn: Connection) -> None:
    plant(conn, each=9, spacing_ms=10)
    first = claim(conn)
    assert len(first.work) == 2
    carried = {work.job.id: 1 for work in first.work}
    assert not claim(conn, now=NOW + HOUR, under_way=carried).work
    freed = dict(list(carried.items())[:1])
    conn.execute(
        update(jobs).where(jobs.c.id.not_in(freed), jobs.c.status == "running").values(status="done")
    )
    assert len(claim(conn, now=NOW + 2 * HOUR, under_way=freed).work) == 1


@unit_of_work
def test_slots_of_one_claim_follow_one_another(conn: Connection) -> None:
    plant(conn, each=5, spacing_ms=400)
    slots = [work.job.slot for work in claim(conn).work]
    assert [slot and slot.opens_at for slot in slots] == [NOW, NOW + timedelta(milliseconds=400)]


@unit_of_work
def test_a_page_that_is_stored_takes_no_slot_from_one_that_is_not(conn: Connection) -> None:
    plant(conn, each=2)
    conn.execute(update(jobs).where(jobs.c.id == 1).values(stage="parse", page_id=7))
    stored, fetched = claim(conn).work
    assert stored.job.slot is None
    assert fetched.job.slot is not None
    assert fetched.job.slot.opens_at == NOW


@unit_of_work
def test_a_lane_under_way_is_looked_at_when_its_lease_would_run_out(conn: Connection) -> None:
    plant(conn)
    assert claim(conn).look_at == NOW + WHO.lease


@unit_of_work
def test_a_lane_with_nothing_left_wants_no_look(conn: Connection) -> None:
    plant(conn)
    claim(conn)
    conn.execute(update(jobs).values(status="done"))
    assert claim(conn, now=NOW + WHO.lease).look_at is None


@unit_of_work
def test_a_lane_waits_for_its_next_job_or_its_next_slot_whichever_holds_it_up(conn: Connection) -> None:
    plant(conn, sites=1, each=1)
    claim(conn)
    conn.execute(update(jobs).values(status="done"))
    enqueue(conn, 1, ["later"], not_before=NOW + HOUR)
    assert claim(conn, now=NOW + WHO.lease).look_at == NOW + HOUR


@unit_of_work
def test_a_claim_whose_answer_was_lost_is_claimed_again_without_blame(conn: Connection) -> None:
    plant(conn, each=1)
    claim(conn)
    lanes.wake(conn, {1: NOW + SECOND})
    (again,) = claim(conn, now=NOW + SECOND).work
    assert (again.job.request.url, again.job.interruptions) == ("1-0", 0)


@unit_of_work
def test_jobs_of_a_source_that_names_no_adapter_of_ours_end_their_run(conn: Connection) -> None:
    plant(conn, sites=2, each=3)
    conn.exec_driver_sql("UPDATE sources SET adapter = 'gone' WHERE id = 1")
    claimed = claims.claim(conn, WHO, under_way={}, max_jobs=10, now=NOW, adapters=LISTING)
    assert {work.source.id for work in claimed.work} == {2}
    assert rows(conn, "SELECT status, error_code FROM runs ORDER BY id") == [
        ("failed", "unworkable"),
        ("running", None),
    ]
    assert one(conn, "SELECT count(*) FROM jobs WHERE run_id = 1 AND status <> 'stale'") == 0
    assert claims.claim(conn, WHO, under_way={}, max_jobs=10, now=NOW + SECOND, adapters=LISTING) is not None


@unit_of_work
def test_a_worker_with_its_share_of_lanes_leaves_the_rest_to_others(conn: Connection) -> None:
    plant(conn, sites=5, each=3)
    mine, other = (Worker(owner=name, chance=Random(0), max_lanes=2) for name in ("mine", "other"))
    first = claims.claim(conn, mine, under_way={}, max_jobs=10, now=NOW)
    held = {work.lane.site_id for work in first.work}
    carried = {work.job.id: work.lane.site_id for work in first.work}
    again = claims.claim(conn, mine, under_way=carried, max_jobs=10, now=NOW + SECOND)
    rest = claims.claim(conn, other, under_way={}, max_jobs=10, now=NOW + SECOND)
    assert len(held) == 2
    assert {work.lane.site_id for work in again.work} <= held
    assert len({work.lane.site_id for work in rest.work} - held) == 2
    waiting = lane_reads.count_waiting(conn, now=NOW + SECOND, until=NOW + SECOND, limit=10)
    assert waiting == 1
    assert again.look_at is not None
    assert again.look_at > NOW + SECOND, "lanes that it may not take do not keep it busy"


@unit_of_work
def test_drivers_that_share_the_lanes_take_equal_parts(conn: Connection) -> None:
    plant(conn, sites=5, each=3)
    mine, other = (Worker(owner=name, chance=Random(0), drivers=2) for name in ("mine", "other"))
    first, rest = (claims.claim(conn, each, under_way={}, max_jobs=20, now=NOW) for each in (mine, other))
    assert sorted(len({work.lane.site_id for work in each.work}) for each in (first, rest)) == [2, 3]
    alone = Worker(owner="alone", chance=Random(0))
    assert claims.claim(conn, alone, under_way={}, max_jobs=20, now=NOW).work == [], "nothing is left"


@unit_of_work
def test_a_driver_that_shares_lanes_takes_a_single_one(conn: Connection) -> None:
    plant(conn, sites=1, each=1)
    one_of_eight = Worker(owner="mine", chance=Random(0), drivers=8)
    assert len(claims.claim(conn, one_of_eight, under_way={}, max_jobs=20, now=NOW).work) == 1


@pytest.mark.parametrize(("fetcher", "taken"), [("actor", ["https://homes.test/a"]), ("http", [])])
@unit_of_work
def test_l10_1_a_pause_that_the_site_asked_for_holds_up_no_job_of_an_actor(
    conn: Connection, fetcher: str, taken: list[str]
) -> None:
    source(conn, fetcher=fetcher)
    run_id = run(conn, 1)
    enqueue(conn, run_id, ["https://homes.test/a", "https://homes.test/check"])
    conn.execute(text("UPDATE jobs SET purpose = 'check' WHERE url LIKE '%check'"))
    lanes.wake(conn, {1: NOW})
    lanes.set_cooldown(conn, 1, until=NOW + HOUR, reason="answered 429")
    claimed = claim(conn)
    assert [(work.job.request.url, work.job.slot) for work in claimed.work] == [(url, None) for url in taken]
    later = claim(conn, now=NOW + HOUR)
    assert len(later.work) >= 1, "what waited goes on after the pause"


@pytest.mark.parametrize("sites", [2, 8])
@unit_of_work
def test_l11_on_postgresql_a_claim_of_many_lanes_sends_no_more_statements(
    conn: Connection, sites: int
) -> None:
    plant(conn, sites=sites, each=4)
    with overheard(conn) as sent:
        claimed = claim(conn, max_jobs=16)
    served = [work.lane.site_id for work in claimed.work]
    assert sorted(set(served)) == list(range(1, sites + 1))
    about_jobs = [statement for statement, _ in sent if "ORDER BY claim_order" in statement]
    assert len(about_jobs) == (1 if conn.dialect.name == "postgresql" else sites)
