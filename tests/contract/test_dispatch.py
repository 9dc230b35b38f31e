"""The tick: every gate from real rows and by name; what is broken is set aside and keeps nobody waiting."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, insert, text, update

from larder import adapters
from larder.core.model.run import RunKind
from larder.core.policy.scheduling.backpressure import QueueLimits
from larder.core.policy.scheduling.gates import Gate
from larder.core.policy.trust.circuit import Circuit, CircuitState, CircuitWay
from larder.engine.scheduling import adoption, dispatch
from larder.engine.scheduling.backpressure import TYPICAL_RUN
from larder.engine.scheduling.dispatch import TickResult
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import Database
from larder.store.database.statement import json_value
from larder.store.operations import canaries, circuits, key_values
from larder.store.operations.circuits import CircuitKey
from larder.store.queue import lane_reads, lanes, runs, schedules, sources
from larder.store.tables import adapter_states, jobs
from larder.store.tables import lanes as lane_rows
from larder.store.tables import runs as run_rows
from larder.store.tables import sites as site_rows
from larder.store.tables import sources as source_rows
from larder.store.tables.columns import micros
from tests.contract.world import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    SECOND,
    Pages,
    enqueue,
    held_back_reasons,
    one,
    rows,
    run,
    staged,
    unit_of_work,
)

HOW = DispatchSettings(
    adapters={adapter.id: adapter for adapter in adapters.known()},
    chance=Random(0),
    strict=True,
    stagger=timedelta(0),
)


def planted(conn: Connection, slug: str = "homes", *, domain: str | None = None, **values: Any) -> int:
    """A source as somebody adds it, on a site whose terms were reviewed."""
    domain = domain or f"{slug}.test"
    sources.ensure_site(conn, domain, {"terms_reviewed_at": NOW}, now=NOW)
    row = {"slug": slug, "kind": "listing", "url": f"http://{domain}/listings", "adapter": "listing"}
    return sources.add(conn, {**row, **values}, now=NOW)


def tick(conn: Connection, *, at: timedelta = timedelta(0), how: DispatchSettings = HOW) -> TickResult:
    return dispatch.tick(conn, how, now=NOW + at)


def source_is(**values: Any) -> Callable[[Connection, int], None]:
    def change(conn: Connection, source_id: int) -> None:
        conn.execute(update(source_rows).where(source_rows.c.id == source_id).values(values))

    return change


def site_is(**values: Any) -> Callable[[Connection, int], None]:
    return lambda conn, _: void(conn.execute(update(site_rows).values(values)))


def void(_: object) -> None:
    """For a lambda that is only done for its effect."""


def circuit_is(
    state: CircuitState, until: datetime, way: CircuitWay = CircuitWay.PAGES
) -> Callable[[Connection, int], None]:
    circuit = Circuit(state=state, failures=5, trips=1, until=until)
    return lambda conn, i: circuits.write(conn, {CircuitKey(i, way): circuit})


def adapter_is_off(site_id: int, why: str | None = None) -> Callable[[Connection, int], None]:
    row = {"adapter": "listing", "site_id": site_id, "enabled": 0, "why": why}
    return lambda conn, _: void(conn.execute(insert(adapter_states).values(row)))


def version_is_unproven(conn: Connection, source_id: int) -> None:
    canaries.record_run(conn, source_id, "0.9.0", now=NOW)


def is_running(conn: Connection, source_id: int) -> None:
    run(conn, source_id)


def is_cooling(conn: Connection, _: int) -> None:
    lanes.set_cooldown(conn, 1, until=NOW + HOUR, reason="answered 429")


def queue_is_full(conn: Connection, source_id: int) -> None:
    enqueue(conn, run(conn, source_id, RunKind.SWEEP), [str(i) for i in range(5)])


def is_backing_off(conn: Connection, _: int) -> None:
    until = (NOW + HOUR).isoformat()
    key_values.write(
        conn, "scheduler_backoff", {"pause": 60, "until": until, "since": NOW.isoformat()}, now=NOW
    )


GATES = [
    pytest.param(source_is(enabled=0), Gate.DISABLED, id="disabled"),
    pytest.param(source_is(needs_review=1), Gate.NEEDS_REVIEW, id="needs review"),
    pytest.param(site_is(terms_reviewed_at=None), Gate.TERMS, id="terms not reviewed"),
    pytest.param(site_is(blocked=1), Gate.TERMS, id="site blocked"),
    pytest.param(circuit_is(CircuitState.OPEN, NOW + HOUR), Gate.CIRCUIT_OPEN, id="circuit open"),
    pytest.param(circuit_is(CircuitState.HALF_OPEN, NOW + HOUR), Gate.CIRCUIT_OPEN, id="probe under way"),
    pytest.param(adapter_is_off(0, "drift_detected"), Gate.ADAPTER_DISABLED, id="adapter off everywhere"),
    pytest.param(adapter_is_off(1), Gate.ADAPTER_DISABLED, id="adapter off on this site, nobody said why"),
    pytest.param(version_is_unproven, Gate.CANARY, id="another version than the proven one"),
    pytest.param(is_running, Gate.ALREADY_RUNNING, id="already running"),
    pytest.param(is_cooling, Gate.SITE_COOLING_DOWN, id="site cooling down"),
    pytest.param(queue_is_full, Gate.QUEUE_FULL, id="queue full"),
    pytest.param(is_backing_off, Gate.SCHEDULER_BACKING_OFF, id="scheduler backing off"),
]
SMALL = replace(HOW, limits=QueueLimits(per_site=5, in_all=100))


def test_the_table_of_gates_is_complete() -> None:
    assert {param.values[1] for param in GATES} == set(Gate)


@pytest.mark.parametrize(("shuts", "gate"), GATES)
@unit_of_work
def test_each_gate_is_shut_by_a_row_and_named_wherever_one_asks(
    conn: Connection, shuts: Callable[[Connection, int], None], gate: Gate
) -> None:
    planted(conn)
    adoption.adopt_sources(conn, SMALL, now=NOW)
    assert held_back_reasons(conn, 1, SMALL, now=NOW) == {"discovery": []}
    shuts(conn, 1)
    told = held_back_reasons(conn, 1, SMALL, now=NOW)["discovery"]
    assert [reason.gate for reason in told] == [gate]
    assert all(reason.says and reason.todo for reason in told)
    ticked = tick(conn, how=SMALL)
    assert (ticked.opened, ticked.held_back) == ([], {"homes": [gate]})
    (stored,) = rows(conn, "SELECT gates, gated_since FROM schedules")
    assert [reason["gate"] for reason in json_value(stored[0])] == [gate]
    assert stored[1] is not None


@unit_of_work
def test_every_shut_gate_is_told_not_only_the_first(conn: Connection) -> None:
    planted(conn)
    adoption.adopt_sources(conn, HOW, now=NOW)
    source_is(enabled=0, needs_review=1)(conn, 1)
    is_cooling(conn, 1)
    (told,) = held_back_reasons(conn, 1, HOW, now=NOW).values()
    assert [r.gate for r in told] == [Gate.DISABLED, Gate.NEEDS_REVIEW, Gate.SITE_COOLING_DOWN]


@unit_of_work
def test_an_adapter_that_is_off_on_another_site_is_not_off_here(conn: Connection) -> None:
    planted(conn)
    adapter_is_off(99)(conn, 1)
    assert len(tick(conn).opened) == 1


@unit_of_work
def test_a_source_that_is_held_back_starts_when_its_gate_opens(conn: Connection) -> None:
    planted(conn)
    adoption.adopt_sources(conn, HOW, now=NOW)
    is_cooling(conn, 1)
    assert not tick(conn).opened
    assert not tick(conn, at=HOUR - SECOND).opened
    assert len(tick(conn, at=HOUR).opened) == 1
    assert rows(conn, "SELECT gates, gated_since FROM schedules") == [(None, None)]


# -- adoption ----------------------------------------------------------------------------------------------


@unit_of_work
def test_one_row_written_by_hand_is_a_source_that_runs(conn: Connection) -> None:
    row = "VALUES ('x', 'listing', 'http://x.test/', 'listing')"
    conn.execute(text(f"INSERT INTO sources (slug, kind, url, adapter) {row}"))
    ticked = tick(conn, how=replace(HOW, strict=False))
    assert (ticked.adopted, len(ticked.opened)) == (1, 1)
    assert rows(conn, "SELECT domain FROM sites") == [("x.test",)]
    sql = "SELECT url, number, status, purpose FROM jobs"
    assert rows(conn, sql) == [("http://x.test/", 1, "pending", "index")]
    assert lane_reads.next_look_at(conn, owner="a", now=NOW) == NOW


@pytest.mark.parametrize(
    ("values", "said"),
    [
        pytest.param({"adapter": "no such"}, "there is no adapter 'no such'", id="unknown adapter"),
        pytest.param({"url": "homes"}, "not a web address", id="a URL that is none"),
        pytest.param({"url": "ftp://homes.test/"}, "not a web address", id="another scheme"),
        pytest.param({"url": ""}, "not a web address", id="no URL"),
        pytest.param({"params": [1, 2]}, "", id="parameters that are a list"),
        pytest.param({"params": {"stop_after": "many"}}, "many", id="a number that is none"),
        pytest.param({"policy": {"discovery_every": "often"}}, "", id="a beat that is none"),
    ],
)
@unit_of_work
def test_a_row_that_makes_no_sense_is_set_aside_and_keeps_no_other_waiting(
    conn: Connection, values: dict[str, Any], said: str
) -> None:
    planted(conn, "aaa", **values)
    planted(conn, "homes")
    ticked = tick(conn)
    assert [row[0] for row in rows(conn, "SELECT source_id FROM runs")] == [2]
    assert len(ticked.opened) == 1
    ((review, reason),) = rows(conn, "SELECT needs_review, review_reason FROM sources WHERE slug = 'aaa'")
    assert review == 1
    assert said in reason
    assert one(conn, "SELECT count(*) FROM jobs") == 1
    assert tick(conn, at=HOUR).held_back.get("aaa", [Gate.NEEDS_REVIEW]) == [Gate.NEEDS_REVIEW]


@unit_of_work
def test_json_that_a_person_got_wrong_sets_one_source_aside(conn: Connection) -> None:
    """Only SQLite lets such a row in."""
    planted(conn, "aaa")
    planted(conn, "homes")
    if conn.dialect.name == "sqlite":
        conn.execute(text("UPDATE sources SET params = '{stop_after: 5' WHERE slug = 'aaa'"))
        assert len(tick(conn).opened) == 1
        assert one(conn, "SELECT needs_review FROM sources WHERE slug = 'aaa'") == 1
    else:
        assert len(tick(conn).opened) == 2


@unit_of_work
def test_an_adapter_that_went_missing_sets_its_source_aside(conn: Connection) -> None:
    planted(conn, "aaa", adapter="event")
    planted(conn, "homes")
    adoption.adopt_sources(conn, HOW, now=NOW)
    fewer = replace(HOW, adapters={"listing": HOW.adapters["listing"]})
    assert len(tick(conn, how=fewer).opened) == 1
    sql = "SELECT needs_review, review_reason FROM sources WHERE slug = 'aaa'"
    assert rows(conn, sql) == [(1, "cannot be run: there is no adapter 'event'")]


@unit_of_work
def test_adopting_again_keeps_what_was_planned(conn: Connection) -> None:
    planted(conn)
    tick(conn)
    before = rows(conn, "SELECT kind, next_at FROM schedules")
    conn.execute(update(source_rows).values(adopted_at=None))
    tick(conn, at=MINUTE)
    assert rows(conn, "SELECT kind, next_at FROM schedules") == before


# -- runs --------------------------------------------------------------------------------------------------


@unit_of_work
def test_the_next_run_is_due_a_beat_later(conn: Connection) -> None:
    planted(conn)
    planted(conn, "slow", policy={"discovery_every": 7200})
    assert len(tick(conn).opened) == 2
    due = [row[0] for row in rows(conn, "SELECT next_at FROM schedules ORDER BY source_id")]
    assert due == [micros(NOW + 30 * MINUTE), micros(NOW + 2 * HOUR)]
    assert tick(conn, at=MINUTE).opened == ()


@unit_of_work
def test_starts_are_staggered_within_the_time_set(conn: Connection) -> None:
    for i in range(20):
        planted(conn, f"s{i}")
    tick(conn, how=replace(HOW, stagger=MINUTE, chance=Random(4)))
    begins = [row[0] for row in rows(conn, "SELECT not_before FROM jobs")]
    assert len(set(begins)) == 20
    assert all(micros(NOW) <= at < micros(NOW + MINUTE) for at in begins)
    assert {row[0] for row in rows(conn, "SELECT next_at FROM lanes")} == set(begins)


@unit_of_work
def test_sources_start_in_the_order_of_their_priority(conn: Connection) -> None:
    never = planted(conn, "never-ran")
    fresh = planted(conn, "ran-lately", last_run_at=NOW - HOUR)
    rich = planted(conn, "ran-lately-and-rich", last_run_at=NOW - HOUR, items_seen=10_000)
    failing = planted(conn, "failing", last_run_at=NOW - DAY, consecutive_failures=4)
    old = planted(conn, "long-ago", last_run_at=NOW - 9 * DAY)
    tick(conn)
    started = [row[0] for row in rows(conn, "SELECT source_id FROM runs ORDER BY id")]
    assert started == [old, never, rich, fresh, failing]


@unit_of_work
def test_a_full_queue_lets_the_first_in_and_backs_off_when_most_are_turned_away(conn: Connection) -> None:
    for i in range(4):
        planted(conn, f"s{i}")
    small = replace(HOW, limits=QueueLimits(per_site=1000, in_all=1))
    ticked = tick(conn, how=small)
    assert len(ticked.opened) == 1
    assert list(ticked.held_back.values()) == [[Gate.QUEUE_FULL]] * 3
    backoff = key_values.read(conn, "scheduler_backoff")
    assert (backoff["pause"], backoff["until"]) == (60, (NOW + MINUTE).isoformat())


@unit_of_work
def test_l10_9_a_site_with_a_full_queue_holds_up_no_other_site(conn: Connection) -> None:
    for i in range(4):
        planted(conn, f"s{i}", domain="busy.test")
    planted(conn, "calm")
    small = replace(HOW, limits=QueueLimits(per_site=TYPICAL_RUN, in_all=1000))
    ticked = tick(conn, how=small)
    assert len(ticked.opened) == 2, "one of each site, on one adapter"
    assert list(ticked.held_back.values()) == [[Gate.QUEUE_FULL]] * 3
    assert key_values.read(conn, "scheduler_backoff") is None, "two sites were served, none was turned away"
    planted(conn, "later")
    assert len(tick(conn, at=SECOND, how=small).opened) == 1


@unit_of_work
def test_l10_9_a_site_without_pending_jobs_is_served_while_others_fill_the_queue(conn: Connection) -> None:
    crowd = planted(conn, "crowd")
    planted(conn, "newcomer")
    adoption.adopt_sources(conn, HOW, now=NOW)
    enqueue(conn, run(conn, crowd), [str(i) for i in range(12)])
    ticked = tick(conn, how=replace(HOW, limits=QueueLimits(per_site=100, in_all=10)))
    assert len(ticked.opened) == 1
    assert list(ticked.held_back) == ["crowd"]


@unit_of_work
def test_a_pause_doubles_when_it_is_over_and_not_before(conn: Connection) -> None:
    planted(conn, "busy")
    small = replace(HOW, limits=QueueLimits(per_site=1000, in_all=1))
    tick(conn, how=small)
    planted(conn, "s1")
    tick(conn, at=SECOND, how=small)
    assert key_values.read(conn, "scheduler_backoff")["pause"] == 60
    planted(conn, "s2")
    tick(conn, at=10 * SECOND, how=small)
    assert key_values.read(conn, "scheduler_backoff")["pause"] == 60, "nothing was asked for during the pause"
    tick(conn, at=2 * MINUTE, how=small)
    assert key_values.read(conn, "scheduler_backoff")["pause"] == 120
    conn.execute(update(jobs).values(status="done"))
    conn.execute(update(run_rows).values(status="completed"))
    tick(conn, at=HOUR)
    assert key_values.read(conn, "scheduler_backoff")["until"] is None


def silent_run(conn: Connection) -> int:
    planted(conn)
    return tick(conn).opened[0]


@unit_of_work
def test_a_silent_run_with_nothing_in_line_has_failed(conn: Connection) -> None:
    run_id = silent_run(conn)
    conn.execute(update(jobs).values(status="done"))
    assert tick(conn, at=29 * MINUTE).opened == ()
    tick(conn, at=31 * MINUTE)
    sql = "SELECT status, error_code, finished_at IS NOT NULL FROM runs WHERE id = :id"
    ((status, code, finished),) = rows(conn, sql, id=run_id)
    assert (status, code, bool(finished)) == ("failed", "stalled", True)
    assert rows(conn, "SELECT consecutive_failures, last_run_status FROM sources") == [(1, "failed")]


@pytest.mark.parametrize(
    "waits",
    [
        pytest.param("pending", id="its turn"),
        pytest.param("orphaned", id="a job whose driver died"),
        pytest.param("parked", id="a known moment"),
        pytest.param("just woken", id="a moment that has just come"),
    ],
)
@unit_of_work
def test_a_run_that_waits_is_not_stalled(conn: Connection, waits: str) -> None:
    run_id = silent_run(conn)
    status = {"pending": "pending", "orphaned": "running"}.get(waits, "done")
    conn.execute(update(jobs).values(status=status, token=1))
    if waits in ("parked", "just woken"):
        runs.park(conn, [run_id], NOW + (5 * HOUR if waits == "parked" else 2 * HOUR - MINUTE))
    tick(conn, at=2 * HOUR)
    assert one(conn, "SELECT status FROM runs WHERE id = 1") == "running"


@unit_of_work
def test_a_job_that_a_living_driver_never_ends_is_a_stall(conn: Connection) -> None:
    silent_run(conn)
    conn.execute(update(jobs).values(status="running", token=1))
    conn.execute(update(lane_rows).values(lease_owner="a", lease_until=NOW + 3 * HOUR, lease_token=1))
    tick(conn, at=2 * HOUR)
    assert one(conn, "SELECT status FROM runs WHERE id = 1") == "failed"
    assert one(conn, "SELECT status FROM jobs WHERE run_id = 1") == "stale"


@unit_of_work
def test_a_lane_that_sleeps_on_a_silent_runs_jobs_is_woken(conn: Connection) -> None:
    """It never should; if it does, the next tick puts it right."""
    silent_run(conn)
    conn.execute(update(lane_rows).values(next_at=None))
    tick(conn, at=HOUR)
    assert lane_reads.next_look_at(conn, owner="a", now=NOW) == NOW + HOUR


@unit_of_work
def test_a_run_of_a_source_whose_cooldown_is_over_is_the_probe(conn: Connection) -> None:
    planted(conn)
    adoption.adopt_sources(conn, HOW, now=NOW)
    circuit_is(CircuitState.OPEN, NOW - SECOND)(conn, 1)
    assert len(tick(conn).opened) == 1
    assert circuits.read(conn, [CircuitKey(1)])[CircuitKey(1)].state is CircuitState.HALF_OPEN


@pytest.mark.parametrize(
    ("fetcher", "way"), [("actor", CircuitWay.ACTOR), ("http", CircuitWay.PAGES)], ids=["actor", "pages"]
)
@unit_of_work
def test_l10_1_the_circuit_of_checks_holds_no_other_run_and_is_not_probed_by_one(
    conn: Connection, fetcher: str, way: CircuitWay
) -> None:
    planted(conn, fetcher=fetcher)
    adoption.adopt_sources(conn, HOW, now=NOW)
    circuit_is(CircuitState.OPEN, NOW + HOUR, way)(conn, 1)
    circuit_is(CircuitState.OPEN, NOW + 9 * HOUR, CircuitWay.CHECKS)(conn, 1)
    assert not tick(conn).opened
    assert len(tick(conn, at=HOUR + MINUTE).opened) == 1, "the circuit of checks is still open"
    checks, own = CircuitKey(1, CircuitWay.CHECKS), CircuitKey(1, way)
    states = {key: circuit.state for key, circuit in circuits.read(conn, [checks, own]).items()}
    assert states == {checks: CircuitState.OPEN, own: CircuitState.HALF_OPEN}


@unit_of_work
def test_l10_1_records_lapse_within_the_hour_while_the_circuit_of_checks_is_open(conn: Connection) -> None:
    how = replace(HOW, kinds=frozenset({RunKind.VERIFICATION}))
    homes = planted(conn)
    adoption.adopt_sources(conn, how, now=NOW)
    schedules.set_next(conn, homes, RunKind.VERIFICATION, next_at=NOW)
    circuit_is(CircuitState.OPEN, NOW + DAY, CircuitWay.CHECKS)(conn, homes)
    pages = Pages(conn, homes)
    for number, hours in enumerate((51, 49, 10)):
        pages.keep(pages.page(staged(number), at=NOW - hours * HOUR))
    lapsed = "SELECT id FROM records WHERE active = 0 AND verification = 'lapsed' ORDER BY id"
    assert not tick(conn, how=how).opened
    assert rows(conn, lapsed) == [(1,)]
    tick(conn, at=HOUR + MINUTE, how=how)
    assert rows(conn, lapsed) == [(1,), (2,)]


@unit_of_work
def test_a_tick_with_nothing_to_do_touches_nothing(conn: Connection) -> None:
    planted(conn)
    tick(conn)
    assert not schedules.any_due(conn, silent_since=NOW - HOUR, now=NOW + SECOND)
    assert tick(conn, at=SECOND) == TickResult()


async def test_two_ticks_at_once_open_one_run_each_for_every_source(postgres: Database) -> None:
    def plant(conn: Connection) -> None:
        for i in range(12):
            planted(conn, f"s{i}", domain=f"site{i % 3}.test")

    await postgres.run(plant)
    ticks = await asyncio.gather(*(postgres.run(dispatch.tick, HOW, now=NOW) for _ in range(4)))
    assert sum(ticked.adopted for ticked in ticks) == 12
    await postgres.run(dispatch.tick, HOW, now=NOW)
    opened = await postgres.run(rows, "SELECT source_id, count(*) FROM runs GROUP BY 1 HAVING count(*) > 1")
    assert opened == []
    assert await postgres.run(one, "SELECT count(*) FROM runs") == 12


@unit_of_work
def test_l10_10_a_tick_beside_a_run_by_hand_adopts_sources_and_opens_no_run(conn: Connection) -> None:
    planted(conn)
    beside = tick(conn, how=replace(HOW, opened_kinds=frozenset()))
    assert (beside.adopted, beside.opened, beside.held_back) == (1, (), {})
    assert len(tick(conn).opened) == 1


@unit_of_work
def test_a_tick_opens_only_the_kinds_that_it_is_told_to_open(conn: Connection) -> None:
    planted(conn)
    others = tick(conn, how=replace(HOW, opened_kinds=frozenset({RunKind.VERIFICATION})))
    assert (others.adopted, others.opened) == (1, [])
    assert len(tick(conn, how=replace(HOW, opened_kinds=frozenset({RunKind.DISCOVERY}))).opened) == 1


@unit_of_work
def test_l10_1_a_pause_that_the_site_asked_for_puts_off_no_collect_of_an_actor(conn: Connection) -> None:
    planted(conn, domain="apartments.com", adapter="apartments", plan="market", fetcher="actor")
    how = replace(HOW, kinds=frozenset({RunKind.COLLECT, RunKind.VERIFICATION}))
    dispatch.tick(conn, how, now=NOW)
    is_cooling(conn, 1)
    shut = held_back_reasons(conn, 1, how, now=NOW + MINUTE)
    cooling = {
        kind for kind, found in shut.items() if any(each.gate is Gate.SITE_COOLING_DOWN for each in found)
    }
    assert ("collect" in shut, cooling) == (True, {"verification"})
