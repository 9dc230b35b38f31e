"""Sites that fail, refuse, ask for patience or vanish, and people who interfere: in the end all is known.

All in virtual time, on the real driver.
"""

from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, update

from larder.core.model.item import Extracted, Item
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.core.policy.trust.circuit import Circuit, CircuitState
from larder.engine.commit import batch as committing
from larder.engine.work_items import Work
from larder.sim.faults import Fault, FaultKind
from larder.sim.virtual import run_inline
from larder.stages import persist as persisting
from larder.store.operations import circuits
from larder.store.operations.circuits import CircuitKey
from larder.store.queue import jobs as job_rows
from larder.store.queue import sources
from larder.store.tables import runs
from larder.store.tables import sources as source_rows
from larder.store.tables.columns import micros
from tests.integration.engine.harness import (
    HOUR,
    MINUTE,
    START,
    Harness,
    failed,
    small_site,
)

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def make_harness(
    *, stock: int = 8, per_page: int = 3, faults: list[Fault] | None = None, **values: Any
) -> Harness:
    site = small_site(stock=stock, per_page=per_page)
    site.faults += faults or []
    harness = Harness(site=site, html=False)
    harness.add_source(**values)
    return harness


def once(harness: Harness) -> None:
    """Discover only now: whatever happens, nothing is due again for months."""
    harness.do(lambda conn: sources.update_source(conn, 1, {"policy": {"discovery_every": 10**7}}, now=START))


def known(harness: Harness) -> set[str]:
    return {row[0] for row in harness.ask("SELECT platform_id FROM records")}


def live(harness: Harness) -> set[str]:
    return set(harness.site.classifieds.live(harness.clock.now()))


# -- faults of the made-up site ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(kind=FaultKind.ERROR, until=START + 2 * HOUR), id="500 for two hours"),
        pytest.param(Fault(kind=FaultKind.CUT, until=START + HOUR), id="no answer for an hour"),
        pytest.param(Fault(kind=FaultKind.BLOCKED, until=START + 3 * HOUR), id="403 for three hours"),
        pytest.param(
            Fault(kind=FaultKind.LIMITED, until=START + HOUR, delay=timedelta(minutes=7)),
            id="429, come back later",
        ),
        pytest.param(Fault(kind=FaultKind.EMPTY, until=START + HOUR), id="empty pages for an hour"),
        pytest.param(
            Fault(kind=FaultKind.ERROR, since=START + 4 * SECOND, until=START + HOUR), id="500 in the middle"
        ),
        pytest.param(
            Fault(kind=FaultKind.EMPTY, since=START + 3 * SECOND, until=START + HOUR),
            id="empty in the middle",
        ),
        pytest.param(Fault(kind=FaultKind.LOST, until=START + HOUR), id="details lost for an hour"),
    ],
)
def test_when_trouble_is_over_all_that_is_live_is_known(fault: Fault) -> None:
    harness = make_harness(faults=[fault])
    harness.run(START + 12 * HOUR)
    assert known(harness) == live(harness)
    assert harness.ask("SELECT status FROM runs ORDER BY id DESC LIMIT 1") == [("completed",)]
    assert harness.ask("SELECT state FROM circuits") in ([], [("closed",)])
    assert harness.ask("SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')") == [(0,)]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_answers_come_no_lane_sleeps_on_work(seed: int) -> None:
    """Errors, limits, missed turns, vanished pages, at random: every job comes to an end, and so its run."""
    chance = Random(seed)

    def answer(work: Work, at: datetime) -> Fetched | None:
        match chance.randrange(9):
            case 0:
                return failed(work, at, FetchOutcome.ERROR, status=500)
            case 1:
                return failed(work, at, FetchOutcome.TIMEOUT)
            case 2:
                retry_at = at + chance.randint(1, 900) * SECOND
                return failed(work, at, FetchOutcome.BLOCKED, status=429, retry_at=retry_at)
            case 3:
                return failed(work, at, FetchOutcome.ERROR, waiting=True, retry_at=at + SECOND)
            case 4 if work.job.request.number is None:
                return failed(work, at, FetchOutcome.NOT_FOUND, status=404)
        return None

    harness = make_harness(stock=12)
    once(harness)
    harness.answers = answer
    harness.run(START + 60 * DAY, idle_ends=True)
    assert harness.clock.now() < START + 60 * DAY
    assert harness.ask("SELECT DISTINCT status FROM jobs WHERE status NOT IN ('done', 'dead')") == []
    assert (
        harness.ask("SELECT open_jobs FROM runs WHERE status NOT IN ('completed', 'partial', 'failed')") == []
    )


# -- retries and pauses ------------------------------------------------------------------------------------


def test_three_tries_then_a_dead_letter_and_an_error_that_can_be_searched() -> None:
    harness = make_harness()
    (victim, *_) = sorted(live(harness))
    harness.answers = lambda work, at: (
        failed(work, at, FetchOutcome.ERROR, status=503) if f"/{victim}" in work.job.request.url else None
    )
    harness.run(START + 20 * MINUTE)
    asked = [at for at, url in harness.log if f"/{victim}" in url]
    waits = [after - before for before, after in pairwise(asked)]
    assert len(asked) == 3
    assert all(wait >= at_least * SECOND for wait, at_least in zip(waits, (1, 2), strict=True))
    sql = (
        "SELECT stage, category, type, status, retry_at, json_extract(payload, '$.purpose') FROM dead_letters"
    )
    ((*told, retry_at, purpose),) = harness.ask(sql)
    assert (told, purpose) == (["fetch", "network", "error", "pending"], "detail")
    assert retry_at >= micros(START + HOUR)
    assert harness.ask("SELECT count(*) FROM errors WHERE type = 'error' AND job_id IS NOT NULL") == [(1,)]
    assert harness.ask("SELECT status, failed, inserted FROM runs") == [("partial", 1, 8)]
    assert harness.ask("SELECT consecutive_failures, last_run_status FROM sources") == [(0, "partial")]


def test_a_site_that_names_a_time_is_left_alone_until_then_by_every_job() -> None:
    harness = make_harness()
    told: list[datetime] = []

    def answer(work: Work, at: datetime) -> Fetched | None:
        if len(harness.log) == 4:
            told.append(at)
            return failed(work, at, FetchOutcome.BLOCKED, status=429, retry_at=at + HOUR)
        return None

    harness.answers = answer
    harness.run(START + 25 * MINUTE)
    in_flight = 2
    assert len(harness.log) <= 4 + in_flight
    harness.run(START + 3 * HOUR)
    (since,) = told
    quiet = [at for at, _ in harness.log if since + 2 * SECOND < at < since + HOUR]
    assert quiet == []
    assert known(harness) == live(harness)


def test_the_last_refusal_of_a_job_still_counts_for_its_site() -> None:
    """After the third 429 the job is dead; the site is left alone all the same."""
    harness = make_harness()
    harness.answers = lambda work, at: failed(
        work, at, FetchOutcome.BLOCKED, status=429, retry_at=at + 5 * MINUTE
    )
    harness.run(START + 13 * MINUTE)
    assert harness.ask("SELECT status FROM jobs") == [("dead",)]
    ((cooling,),) = harness.ask("SELECT cooling_until FROM lanes")
    assert cooling == micros(harness.log[-1][0] + 5 * MINUTE)


def test_a_missed_turn_costs_no_attempt() -> None:
    harness = make_harness()
    harness.answers = lambda work, at: (
        failed(work, at, FetchOutcome.ERROR, waiting=True, retry_at=at + SECOND)
        if len(harness.log) < 8
        else None
    )
    harness.run(START + 20 * MINUTE)
    assert harness.ask("SELECT max(attempts), count(*) FROM jobs WHERE status = 'dead'") == [(None, 0)]
    assert harness.ask("SELECT count(*) FROM pages WHERE outcome <> 'ok'") == [(0,)]
    assert known(harness) == live(harness)


@pytest.mark.parametrize("outcome", [FetchOutcome.NOT_FOUND, FetchOutcome.GONE, FetchOutcome.ROBOTS_BLOCKED])
def test_an_answer_that_is_no_page_is_no_failure(outcome: FetchOutcome) -> None:
    harness = make_harness()
    harness.answers = lambda work, at: failed(work, at, outcome) if work.job.request.number is None else None
    harness.run(START + 20 * MINUTE)
    seen = harness.ask("SELECT status, failed, inserted, pages_not_read, error_code FROM runs")
    assert seen == [("partial", 0, 8, 8, "pages_not_read")], (
        "nothing failed, and all that was not read is told"
    )
    assert harness.ask("SELECT count(*) FROM dead_letters") == [(0,)]
    assert harness.ask("SELECT reliability FROM sources") == [(1.0,)]


def test_l10_4_a_detail_page_that_is_not_there_is_noted_at_once() -> None:
    harness = make_harness()
    harness.kinds = frozenset({RunKind.DISCOVERY, RunKind.VERIFICATION})
    harness.answers = lambda work, at: (
        failed(work, at, FetchOutcome.NOT_FOUND, status=404) if work.job.request.number is None else None
    )
    harness.run(START + 20 * MINUTE)
    assert harness.ask("SELECT count(*) FROM records WHERE missing_at > last_seen_at") == [(8,)]
    harness.answers = lambda _work, _at: None
    harness.run(START + 50 * MINUTE)
    still = "SELECT count(*) FROM records WHERE missing_at < last_seen_at"
    assert harness.ask(still) == [(8,)], "an index that lists them says nothing of their own pages"
    harness.run(START + 7 * HOUR)
    assert harness.ask("SELECT count(*) FROM records WHERE missing_at IS NOT NULL") == [(0,)], "all checked"


# -- circuits ----------------------------------------------------------------------------------------------


def detail_failures(harness: Harness, *, until: datetime) -> None:
    """Index pages come, detail pages do not."""
    harness.answers = lambda work, at: (
        failed(work, at, FetchOutcome.ERROR, status=500)
        if work.job.request.number is None and at < until
        else None
    )


def test_five_failed_fetches_open_the_circuit_and_one_probe_closes_it() -> None:
    harness = make_harness(stock=30, per_page=30)
    once(harness)
    detail_failures(harness, until=START + 45 * MINUTE)
    harness.run(START + 25 * MINUTE)
    assert harness.ask("SELECT state, failures, trips FROM circuits") == [("open", 5, 1)]
    asked = len(harness.log)
    waiting = harness.ask("SELECT count(DISTINCT not_before), count(*) FROM jobs WHERE status = 'pending'")
    assert waiting[0][0] == 2, "one goes first when the cooldown is over"
    harness.run(START + 29 * MINUTE)
    assert len(harness.log) == asked, "nothing is fetched from it meanwhile"
    harness.run(START + 50 * MINUTE)
    ((state, trips),) = harness.ask("SELECT state, trips FROM circuits")
    assert (state, trips) == ("open", 2), "the probe failed: twice the cooldown"
    probe = harness.log[asked:]
    assert len({url for _, url in probe}) == 1
    harness.run(START + 4 * HOUR)
    assert harness.ask("SELECT state, failures, trips FROM circuits") == [("closed", 0, 0)]
    assert harness.ask("SELECT status FROM runs") == [("partial",)], "a parked run is not a stalled one"
    assert known(harness) == live(harness)
    assert harness.ask("SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')") == [(0,)]


def test_what_is_asked_for_while_the_circuit_is_open_waits_too() -> None:
    """A page that was under way when it opened brings new jobs: they are no way around it."""
    harness = make_harness()
    until = START + 2 * HOUR
    opened = Circuit(state=CircuitState.OPEN, failures=5, trips=1, until=until)

    def answer(_: Work, at: datetime) -> Fetched | None:
        if at < START + SECOND:
            harness.do(lambda conn: circuits.write(conn, {CircuitKey(1): opened}))
        return None

    harness.answers = answer
    harness.run(START + 25 * MINUTE)
    waiting = harness.ask("SELECT not_before FROM jobs WHERE status = 'pending' ORDER BY 1")
    assert waiting == [(micros(until),), *[(micros(until + 30 * MINUTE),)] * 3]
    harness.run(START + 3 * HOUR)
    assert known(harness) == live(harness)


def test_404s_do_not_open_a_circuit_and_close_the_count() -> None:
    harness = make_harness(stock=30)
    turn = iter(range(1000))
    harness.answers = lambda work, at: (
        None
        if work.job.request.number is not None
        else failed(work, at, FetchOutcome.DNS_ERROR)
        if next(turn) % 5 != 4
        else failed(work, at, FetchOutcome.NOT_FOUND, status=404)
    )
    harness.run(START + 20 * MINUTE)
    assert harness.ask("SELECT count(*) FROM circuits WHERE state <> 'closed'") == [(0,)]
    assert harness.ask("SELECT count(*) FROM dead_letters")[0][0] > 15


# -- health of the source ----------------------------------------------------------------------------------


def test_reliability_is_the_share_of_fetches_that_succeeded_in_thirty_days() -> None:
    harness = make_harness(stock=9)
    detail_failures(harness, until=START + 2 * MINUTE)
    harness.answers = lambda work, at: (
        failed(work, at, FetchOutcome.TLS_ERROR)
        if work.job.request.number is None and at < START + MINUTE and int(work.job.request.url[-1], 36) % 2
        else None
    )
    harness.run(START + 29 * MINUTE)
    ((attempted, lost),) = harness.ask("SELECT attempted, failed FROM runs")
    assert 0 < lost < attempted
    ((reliability, seen),) = harness.ask("SELECT reliability, items_seen FROM sources")
    assert (reliability, seen) == (pytest.approx(1 - lost / attempted), 9)
    harness.do(
        lambda conn: sources.update_source(conn, 1, {"policy": {"discovery_every": 86_400}}, now=START)
    )
    harness.tick_every = HOUR
    harness.run(START + 40 * DAY)
    assert harness.ask("SELECT reliability FROM sources") == [(1.0,)], (
        "what is older than thirty days is forgotten"
    )


# -- people interfere --------------------------------------------------------------------------------------


def stopped(harness: Harness) -> None:
    def stop(conn: Connection) -> None:
        conn.execute(update(runs).values(status="stopped", finished_at=harness.clock.now(), open_jobs=0))
        job_rows.abandon(conn, 1, now=harness.clock.now())

    harness.do(stop)


def test_a_run_that_is_stopped_while_pages_are_under_way_stays_stopped() -> None:
    harness = make_harness(stock=20)

    def answer(work: Work, at: datetime) -> Fetched | None:
        if len(harness.log) == 6:
            stopped(harness)
        return None

    harness.answers = answer
    harness.run(START + 20 * MINUTE)
    assert len(harness.log) <= 8
    assert harness.ask("SELECT status, open_jobs FROM runs") == [("stopped", 0)]
    assert harness.ask("SELECT DISTINCT status FROM jobs ORDER BY 1") == [("done",), ("stale",)]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        pytest.param({"adapter": "no such"}, "unworkable", id="an adapter that nobody has"),
    ],
)
def test_a_source_broken_by_hand_ends_its_run_and_no_other(edit: dict[str, Any], code: str) -> None:
    harness = make_harness(stock=20)
    harness.do(
        lambda conn: sources.add(
            conn,
            {"slug": "b", "kind": "listing", "url": "http://homes.test/listings", "adapter": "listing"},
            now=START,
        )
    )

    def answer(work: Work, at: datetime) -> Fetched | None:
        if len(harness.log) == 6:
            harness.do(
                lambda conn: conn.execute(update(source_rows).where(source_rows.c.id == 1).values(edit))
            )
        return None

    harness.answers = answer
    harness.run(START + 25 * MINUTE)
    assert harness.ask("SELECT status, error_code FROM runs ORDER BY source_id") == [
        ("failed", code),
        ("completed", None),
    ]
    assert harness.ask("SELECT needs_review, review_reason FROM sources WHERE id = 1") == [
        (1, "there is no adapter 'no such'")
    ]


def test_a_source_deleted_behind_our_back_keeps_no_lane_waiting() -> None:
    """With foreign keys off, as the sqlite3 shell has them."""
    harness = make_harness(stock=20)

    def delete(conn: Connection) -> None:
        conn.exec_driver_sql("DELETE FROM schedules")
        conn.exec_driver_sql("DELETE FROM sources")

    harness.run(START + 5 * SECOND)
    raw = harness.database._conn.connection.dbapi_connection
    assert raw is not None
    raw.execute("PRAGMA foreign_keys = OFF")
    harness.do(delete)
    harness.run(START + 5 * MINUTE)
    assert harness.ask("SELECT status, error FROM runs") == [("failed", "its source was removed")]
    assert harness.ask("SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')") == [(0,)]


def test_a_run_moved_to_another_site_goes_on_there() -> None:
    harness = make_harness(stock=20)
    other = harness.do(lambda conn: sources.ensure_site(conn, "other.test", {"spacing_ms": 100}, now=START))

    def answer(work: Work, at: datetime) -> Fetched | None:
        if len(harness.log) == 3:
            harness.do(lambda conn: sources.update_source(conn, 1, {"site_id": other}, now=at))
        return None

    harness.answers = answer
    harness.run(START + 25 * MINUTE)
    assert harness.ask("SELECT status FROM runs") == [("completed",)]
    assert known(harness) == live(harness)
    assert {row[0] for row in harness.ask("SELECT DISTINCT site_id FROM jobs")} == {1, other}


def test_a_clock_that_was_set_back_does_not_stop_the_ticks() -> None:
    """An hour back in the middle: what was queued waits for its time, but nobody sleeps until then."""
    harness = make_harness(stock=8)
    row = {"slug": "b", "kind": "listing", "url": "http://homes.test/listings", "adapter": "listing"}

    def answer(_: Work, at: datetime) -> Fetched | None:
        if at < START + SECOND and not harness.ask("SELECT id FROM sources WHERE slug = 'b'"):
            harness.clock._now = START - HOUR
            harness.do(lambda conn: sources.add(conn, row, now=START - HOUR))
        return None

    harness.answers = answer
    harness.run(START + 2 * MINUTE)
    ((finished_at,),) = harness.ask("SELECT min(finished_at) FROM runs WHERE source_id = 2")
    assert finished_at <= micros(START - HOUR + 2 * MINUTE)
    assert known(harness) == live(harness)


# -- a clean end -------------------------------------------------------------------------------------------


def test_a_clean_stop_waits_for_what_was_sent_and_leaves_nothing_claimed() -> None:
    harness = make_harness(stock=20)
    driver = harness.driver()

    def answer(work: Work, at: datetime) -> Fetched | None:
        if len(harness.log) == 5:
            driver.stop()
        return None

    harness.answers = answer
    run_inline(driver.run())
    asked = len(harness.log)
    assert asked <= 7
    assert harness.ask("SELECT count(*) FROM pages WHERE outcome = 'ok'") == [(asked,)]
    assert harness.ask("SELECT count(*) FROM jobs WHERE status = 'running'") == [(0,)]
    assert harness.ask("SELECT lease_owner FROM lanes") == [(None,)]
    harness.run(START + 25 * MINUTE)
    assert max(harness.fetches().values()) == 1
    assert harness.ask("SELECT max(interruptions) FROM jobs") == [(0,)]
    assert known(harness) == live(harness)


def test_dropped_and_suspicious_items_are_kept_with_their_reasons() -> None:
    harness = make_harness(stock=3)
    items = (
        Item(fields={"title": "Good", "url": "http://homes.test/listing/1", "platform_id": "1"}),
        Item(fields={"platform_id": "2"}),
        Item(
            fields={"title": "Free?", "url": "http://homes.test/listing/3", "platform_id": "3", "price": "0"}
        ),
    )

    def answer(work: Work, at: datetime) -> Fetched | None:
        page = Extracted(items=items, last=True) if work.job.request.number else Extracted()
        return failed(work, at, FetchOutcome.OK, status=200, payload=page)

    harness.answers = answer
    harness.run(START + 20 * MINUTE)
    assert harness.ask("SELECT outcome, reason, run_id FROM items") == [
        ("dropped", "missing_required_field", 1)
    ]
    aside = harness.ask("SELECT reason, status, run_id, job_id IS NOT NULL FROM quarantine")
    assert aside == [("zero_price", "pending", 1, 1)]
    assert harness.ask("SELECT extracted, inserted, dropped, quarantined FROM runs") == [(3, 1, 1, 1)]


def test_a_page_the_database_refuses_is_a_dead_letter_and_costs_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    harness = make_harness(stock=8)
    (victim, *_) = sorted(live(harness))
    persist = persisting.persist

    def picky(conn: Connection, batch: Any, *, now: datetime) -> Any:
        if any(page.expects == f"PID:{victim}" for page in batch):
            raise ValueError("what is this?")
        return persist(conn, batch, now=now)

    monkeypatch.setattr(committing, "persist", picky)
    harness.run(START + 20 * MINUTE)
    ((stage, category, kind, message, trace),) = harness.ask(
        "SELECT stage, category, type, message, trace FROM dead_letters"
    )
    assert (stage, category, kind) == ("persist", "db", "refused")
    assert message == "ValueError: what is this?"
    assert "picky" in trace
    assert harness.ask("SELECT status, failed, inserted FROM runs") == [("partial", 1, 8)]
