"""Where alerts arise: runs that go on failing, a queue that turns runs away, adapters that no longer read."""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import pytest
from sqlalchemy import Connection, select, text

from larder import adapters
from larder.core.model.outcome import DropReason, FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind, RunStatus
from larder.core.policy.alerting import AlertName
from larder.core.policy.scheduling.backpressure import QueueLimits
from larder.core.policy.trust.circuit import Circuit, CircuitState, CircuitWay
from larder.core.policy.trust.drift import AdapterHealth
from larder.core.policy.trust.loss import LeftOut, Loss
from larder.core.policy.trust.yields import PageYield
from larder.engine.commit import circuits, finish_runs
from larder.engine.progress.run_progress import RunProgress
from larder.engine.quality import drift, no_items
from larder.engine.scheduling.dispatch import tick
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs import RunEnd
from larder.store.operations import adapter_health
from larder.store.operations import circuits as circuit_rows
from larder.store.operations.circuits import CircuitKey
from larder.store.operations.notifications import alerts
from larder.store.pages import pages
from larder.store.pages.blobs import BodyLocation
from larder.store.pages.page_rows import NewPage, PageReading
from larder.store.queue import jobs, runs, sources
from larder.store.queue.jobs import JobPage
from larder.store.tables import alerts as table
from larder.store.tables import schedules
from tests.contract import world
from tests.contract.world import HOUR, MINUTE, NOW, unit_of_work

HOW = DispatchSettings(
    adapters={adapter.id: adapter for adapter in adapters.known()}, chance=random.Random(1)
)


def still_open(conn: Connection) -> list[tuple[str, str]]:
    found = conn.execute(select(table.c.name, table.c.subject).where(table.c.resolved_at.is_(None)))
    return sorted((row.name, row.subject) for row in found)


def end(conn: Connection, source_id: int, *statuses: RunStatus) -> None:
    for status in statuses:
        finish_runs.update_source_health(conn, source_id, status, now=NOW)


@unit_of_work
def test_a_source_whose_runs_fail_three_times_in_a_row_is_told_until_one_does_not(conn: Connection) -> None:
    homes = world.source(conn)
    end(conn, homes, RunStatus.FAILED, RunStatus.FAILED)
    assert still_open(conn) == []
    end(conn, homes, RunStatus.FAILED)
    assert still_open(conn) == [("run_failed", "homes")]
    end(conn, homes, RunStatus.PARTIAL)
    assert still_open(conn) == []


@unit_of_work
def test_failed_runs_are_not_told_where_the_circuit_says_so_already(conn: Connection) -> None:
    homes = world.source(conn)
    alerts.raise_alert(conn, AlertName.CIRCUIT_TRIPPED, "P3", "homes", "5 fetches failed", now=NOW)
    end(conn, homes, *[RunStatus.FAILED] * 5)
    assert still_open(conn) == [("circuit_tripped", "homes")]


def progress_of(conn: Connection, source_id: int, kind: RunKind) -> RunProgress:
    run_id = world.run(conn, source_id, kind)
    source = sources.load(conn, [source_id])[source_id]
    return RunProgress.of(runs.load(conn, [run_id])[run_id], source, HOW.adapters["listing"])


def doubt(conn: Connection, source_id: int) -> None:
    """A verification that could not trust what it saw."""
    entry = progress_of(conn, source_id, RunKind.VERIFICATION)
    end = RunEnd(status=RunStatus.SUSPECT, memory={}, error="controls were not there")
    finish_runs._alert_suspect(conn, entry, end, now=NOW)


@unit_of_work
def test_a_run_in_doubt_is_told_unless_the_circuit_says_so_already(conn: Connection) -> None:
    homes, cars = world.source(conn), world.source(conn, "cars")
    alerts.raise_alert(conn, AlertName.CIRCUIT_TRIPPED, "P3", "homes", "5 fetches failed", now=NOW)
    doubt(conn, homes)
    doubt(conn, cars)
    assert still_open(conn) == [("circuit_tripped", "homes"), ("run_suspect", "cars")]


UNREAD = Loss(status=RunStatus.FAILED, code="pages_not_read", message="9 pages not read")
LEFT_OUT = Loss(status=RunStatus.FAILED, code="nothing_stored", message="9 listings found, none stored")


@pytest.mark.parametrize(
    ("told", "subject", "lost", "quiet"),
    [
        (AlertName.CIRCUIT_TRIPPED, "homes", UNREAD, True),
        (AlertName.CIRCUIT_TRIPPED, "homes", LEFT_OUT, True),
        (AlertName.CIRCUIT_TRIPPED, "homes (checks)", UNREAD, False),
        (AlertName.CIRCUIT_TRIPPED, "cars", UNREAD, False),
        (AlertName.ADAPTER_DISABLED, "listing on homes", UNREAD, True),
        (AlertName.FAILURE_RATE, "listing on homes", UNREAD, True),
        (AlertName.FAILURE_RATE, "listing on homes", LEFT_OUT, False),
        (AlertName.ZERO_PRICE, "listing on homes", UNREAD, False),
        (AlertName.NO_ITEMS, "homes", UNREAD, True),
    ],
)
@unit_of_work
def test_what_a_run_lost_is_told_unless_an_open_alert_says_so_already(
    conn: Connection, told: AlertName, subject: str, lost: Loss, quiet: bool
) -> None:
    entry = progress_of(conn, world.source(conn), RunKind.DISCOVERY)
    alerts.raise_alert(conn, told, told.severity, subject, "it is known", now=NOW)
    finish_runs._alert_loss(conn, entry, lost, now=NOW)
    assert still_open(conn) == sorted([(told, subject), *([] if quiet else [("rows_lost", "homes")])])


@pytest.mark.parametrize(("more", "quiet"), [({}, True), ({"no_date": LeftOut(items=1)}, False)])
@unit_of_work
def test_prices_of_0_are_told_once_unless_more_was_lost(
    conn: Connection, more: dict[str, LeftOut], quiet: bool
) -> None:
    entry = progress_of(conn, world.source(conn), RunKind.DISCOVERY)
    entry.left_out = {"zero_price": LeftOut(items=9), "oos_no_price": LeftOut(items=1), **more}
    alerts.raise_alert(conn, AlertName.ZERO_PRICE, "P2", "listing on homes", "9 prices of 0", now=NOW)
    finish_runs._alert_loss(conn, entry, LEFT_OUT, now=NOW)
    told = [("zero_price", "listing on homes")]
    assert still_open(conn) == (told if quiet else [("rows_lost", "homes"), *told])


OPEN = Circuit(state=CircuitState.OPEN, failures=5, trips=1, until=NOW + HOUR)


@pytest.mark.parametrize(
    ("fetcher", "held", "subjects"),
    [
        ("http", CircuitWay.PAGES, []),
        ("actor", CircuitWay.ACTOR, ["homes (checks)"]),
        ("actor", None, ["homes (checks)"]),
        ("http", None, ["homes"]),
    ],
)
@unit_of_work
def test_blocked_checks_are_told_unless_the_pages_they_ask_for_are_held_anyway(
    conn: Connection, fetcher: str, held: CircuitWay | None, subjects: list[str]
) -> None:
    homes = world.source(conn, fetcher=fetcher)
    circuit_rows.write(conn, {CircuitKey(homes, held): OPEN} if held else {})
    trip(conn, homes, CircuitWay.CHECKS)
    assert still_open(conn) == [("circuit_tripped", subject) for subject in subjects]


def trip(conn: Connection, source_id: int, way: CircuitWay, was: Circuit | None = None) -> None:
    """A circuit opens, or closes where it was open."""
    key, source = CircuitKey(source_id, way), sources.load(conn, [source_id])[source_id]
    before, after = (was, Circuit()) if was else (Circuit(), OPEN)
    circuit_rows.write(conn, {key: after})
    circuits._alert(conn, key, source, before, after, now=NOW)


@pytest.mark.parametrize("first", [CircuitWay.CHECKS, CircuitWay.PAGES])
@unit_of_work
def test_l10_1_an_outage_of_a_site_is_one_incident_whichever_circuit_opens_first(
    conn: Connection, first: CircuitWay
) -> None:
    homes = world.source(conn)
    other = CircuitWay.PAGES if first is CircuitWay.CHECKS else CircuitWay.CHECKS
    trip(conn, homes, first)
    trip(conn, homes, other)
    told = conn.execute(text("SELECT subject FROM alerts WHERE name = 'circuit_tripped'")).all()
    assert [row.subject for row in told] == ["homes"]
    trip(conn, homes, first, OPEN)
    assert still_open(conn) == [("circuit_tripped", "homes")], "the other one is still open"
    trip(conn, homes, other, OPEN)
    assert still_open(conn) == []


@unit_of_work
def test_l10_1_blocked_checks_do_not_explain_what_a_collect_lost(conn: Connection) -> None:
    entry = progress_of(conn, world.source(conn), RunKind.DISCOVERY)
    trip(conn, entry.source.id, CircuitWay.CHECKS)
    finish_runs._alert_loss(conn, entry, UNREAD, now=NOW)
    assert still_open(conn) == [("circuit_tripped", "homes"), ("rows_lost", "homes")]


def dispatcher(per_site: int) -> DispatchSettings:
    return DispatchSettings(
        adapters={adapter.id: adapter for adapter in adapters.known()},
        chance=random.Random(1),
        strict=False,
        limits=QueueLimits(per_site=per_site),
    )


@unit_of_work
def test_a_queue_that_turns_runs_away_is_told_at_once_and_again_when_it_lasts(conn: Connection) -> None:
    sources.add(
        conn,
        {"slug": "homes", "kind": "listing", "url": "http://homes.test/listings", "adapter": "listing"},
        now=NOW,
    )

    def beat(now: datetime, room: int) -> None:
        conn.execute(schedules.update().values(next_at=now))
        tick(conn, dispatcher(room), now=now)

    beat(NOW, 0)
    assert still_open(conn) == [("rejections_spike", "scheduler")]
    now = NOW
    while now < NOW + HOUR:
        now += MINUTE
        beat(now, 0)
    assert still_open(conn) == [("rejections_spike", "scheduler"), ("scheduler_backing_off", "scheduler")]
    beat(NOW + 4 * HOUR, 1_000)
    assert still_open(conn) == []


def judged(conn: Connection, source_id: int, batch: PageYield) -> None:
    run_id = world.run(conn, source_id)
    entry = RunProgress.of(
        runs.load(conn, [run_id])[run_id],
        sources.load(conn, [source_id])[source_id],
        dispatcher(1).adapters["listing"],
    )
    entry.drift = batch
    drift.judge_run(conn, entry, now=NOW)
    runs.close(conn, run_id, RunStatus.COMPLETED, now=NOW)


class Gave(NamedTuple):
    """What reading a page gave."""

    items: int
    left_out: Mapping[str, LeftOut] = {}


def read_page(conn: Connection, source_id: int, *, items: int, at: datetime) -> tuple[int, int]:
    """A run that fetched one page, and that page."""
    url = "http://homes.test/listings"
    run_id, ids = read_pages(conn, source_id, {url: Gave(items)}, at=at)
    return run_id, ids[url]


def read_pages(
    conn: Connection,
    source_id: int,
    given: Mapping[str, Gave],
    *,
    at: datetime,
    counted: PageYield | None = None,
) -> tuple[int, dict[str, int]]:
    """A run that fetched these pages, and their numbers; `counted`: for drift, if not all that they gave."""
    run_id = world.run(conn, source_id, now=at)
    ids = {url: _store_page(conn, run_id, source_id, url, gave, at=at) for url, gave in given.items()}
    entry = RunProgress.of(
        runs.load(conn, [run_id])[run_id], sources.load(conn, [source_id])[source_id], HOW.adapters["listing"]
    )
    items = sum(gave.items for gave in given.values())
    entry.drift = counted or PageYield(attempted=len(given), extracted=items, valid=items)
    no_items.compare_with_last_good(conn, entry, now=at)
    runs.close(conn, run_id, RunStatus.COMPLETED, now=at)
    return run_id, ids


def _store_page(conn: Connection, run_id: int, source_id: int, url: str, gave: Gave, *, at: datetime) -> int:
    world.enqueue(conn, run_id, [url])
    job_id = world.one(conn, "SELECT max(id) FROM jobs")
    digest = f"hash-{job_id}"
    got = Fetched(
        outcome=FetchOutcome.OK, url=url, final_url=url, fetched_at=at, body=b"x", content_hash=digest
    )
    pages.set_locations(
        conn, [BodyLocation(content_hash=digest, location=f"at/{job_id}", size=1, stored_size=1)], now=at
    )
    page_id = pages.store(conn, [NewPage(job_id, source_id, got)])[job_id]
    jobs.mark_fetched(conn, [JobPage(job_id, page_id)], now=at)
    reading = PageReading(page_id=page_id, adapter_version="1", items=gave.items, left_out=gave.left_out)
    pages.set_yields(conn, [reading])
    return page_id


@unit_of_work
def test_l10_8_no_items_where_there_were_some_names_both_pages_without_selectors(
    conn: Connection,
) -> None:
    homes = world.source(conn)
    read_page(conn, homes, items=0, at=NOW)
    assert still_open(conn) == [], "there never were any"
    _, good = read_page(conn, homes, items=20, at=NOW + HOUR)
    run_id, bad = read_page(conn, homes, items=0, at=NOW + 2 * HOUR)
    assert still_open(conn) == [("no_items", "homes")]
    row = conn.execute(select(table.c.message, table.c.details)).one()
    assert row.details == {"run": run_id, "page": bad, "last_good_page": good}
    assert f"(page {bad}) gave 20 on 2026-01-05 01:00 (page {good})" in row.message
    read_page(conn, homes, items=3, at=NOW + 3 * HOUR)
    assert still_open(conn) == []


@unit_of_work
def test_l10_8_no_items_names_the_page_that_failed_not_one_that_is_out_of_stock(conn: Connection) -> None:
    shop, lamp, vase = world.source(conn), "http://homes.test/lamp", "http://homes.test/vase"
    read_pages(conn, shop, {lamp: Gave(1), vase: Gave(1)}, at=NOW)
    out_of_stock = {str(DropReason.OOS_NO_PRICE): LeftOut(items=1, details="no price", page=lamp)}
    _, ids = read_pages(conn, shop, {lamp: Gave(0, out_of_stock), vase: Gave(0)}, at=NOW + HOUR)
    assert still_open(conn) == [("no_items", "homes")]
    assert conn.execute(select(table.c.details)).one().details["page"] == ids[vase]


@unit_of_work
def test_l10_8_products_of_unknown_stock_are_items(conn: Connection) -> None:
    shop, lamp = world.source(conn), "http://homes.test/lamp"
    read_pages(conn, shop, {lamp: Gave(1)}, at=NOW)
    unknown = PageYield(attempted=1, failed=1, extracted=1, dropped=1)
    read_pages(conn, shop, {lamp: Gave(1)}, at=NOW + HOUR, counted=unknown)
    assert still_open(conn) == [], "they were stored"


@pytest.mark.parametrize(
    ("told", "subject"),
    [(AlertName.CIRCUIT_TRIPPED, "homes"), (AlertName.ADAPTER_DISABLED, "listing on homes")],
)
@unit_of_work
def test_no_items_are_not_told_where_circuit_or_adapter_say_so_already(
    conn: Connection, told: AlertName, subject: str
) -> None:
    homes = world.source(conn)
    read_page(conn, homes, items=20, at=NOW)
    alerts.raise_alert(conn, told, told.severity, subject, "it is known", now=NOW)
    read_page(conn, homes, items=0, at=NOW + HOUR)
    assert still_open(conn) == [(told, subject)]


UNREADABLE = PageYield(attempted=20, failed=15, extracted=5, valid=5)
READABLE = PageYield(attempted=20, failed=0, extracted=20, valid=20)


@unit_of_work
def test_a_bad_batch_is_told_a_second_one_is_urgent_and_a_good_one_takes_both_back(conn: Connection) -> None:
    homes = world.source(conn)
    judged(conn, homes, UNREADABLE)
    assert still_open(conn) == [("failure_rate", "listing on homes")]
    judged(conn, homes, UNREADABLE)
    both = [("adapter_disabled", "listing on homes"), ("failure_rate", "listing on homes")]
    assert still_open(conn) == both
    judged(conn, homes, READABLE)
    assert still_open(conn) == both, "it is off: a run that was under way proves nothing"
    site_id = sources.load(conn, [homes])[homes].site_id
    adapter_health.write(conn, "listing", site_id, AdapterHealth())
    judged(conn, homes, READABLE)
    assert still_open(conn) == []


@unit_of_work
def test_a_small_run_takes_nothing_back(conn: Connection) -> None:
    homes = world.source(conn)
    judged(conn, homes, UNREADABLE)
    judged(conn, homes, PageYield(attempted=2, extracted=2, valid=2))
    assert still_open(conn) == [("failure_rate", "listing on homes")]


@unit_of_work
def test_readings_that_stop_agreeing_are_told_until_they_agree_again(conn: Connection) -> None:
    """As many pages are read as always; what their rows and their pages say falls apart."""
    homes = world.source(conn)
    agreeing = replace(READABLE, compared=40, agreed=39)
    for _ in range(3):
        judged(conn, homes, agreeing)
    assert still_open(conn) == []
    judged(conn, homes, replace(agreeing, agreed=12))
    assert still_open(conn) == [("agreement_under_baseline", "listing on homes")]
    judged(conn, homes, agreeing)
    assert still_open(conn) == []


@pytest.mark.parametrize("held", [True, False])
@unit_of_work
def test_l10_1_an_alert_about_checks_alone_is_resolved_by_whoever_raised_it(
    conn: Connection, held: bool
) -> None:
    """An earlier version told the checks of every source apart."""
    homes = world.source(conn)
    name = AlertName.CIRCUIT_TRIPPED
    alerts.raise_alert(conn, name, name.severity, "homes (checks)", "5 fetches failed", now=NOW)
    circuit_rows.write(conn, {CircuitKey(homes, CircuitWay.CHECKS): OPEN} if held else {})
    trusted = RunEnd(status=RunStatus.COMPLETED, memory={}, trusted_again=True)
    finish_runs._alert_suspect(conn, progress_of(conn, homes, RunKind.VERIFICATION), trusted, now=NOW)
    assert bool(still_open(conn)) is held
    trip(conn, homes, CircuitWay.CHECKS, OPEN)
    assert still_open(conn) == []
