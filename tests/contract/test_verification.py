"""Who is in doubt, who may vouch for a site, and what a closed window leaves behind; on both databases."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection, text

from larder.core.model.job import Purpose
from larder.core.model.run import RunKind, WindowClosed
from larder.engine.progress import selections as engine
from larder.engine.verification import windows
from larder.runs.fold import CloseWindow, Selection, SelectPages
from larder.store.dataset import verifications
from larder.store.dataset.verifications import NewVerification
from larder.store.queue import runs, selections, stale_work
from larder.store.queue.selections import CandidateRules
from larder.store.tables.columns import micros
from tests.contract.world import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    SECOND,
    Pages,
    enqueue,
    one,
    rows,
    run,
    source,
    staged,
    unit_of_work,
)


def doubt(**values: Any) -> CandidateRules:
    given = {
        "started": NOW,
        "unseen_since": NOW - DAY,
        "verified_before": NOW - DAY,
        "struck_before": NOW - 3 * HOUR,
    }
    return CandidateRules(**{**given, **values})


def seen(conn: Connection, source_id: int, number: int, *, ago: Any, **columns: Any) -> int:
    """A record that was last seen so long ago; further columns by name, moments as such."""
    pages = Pages(conn, source_id)
    ((record_id,),) = [p.ids for p in pages.keep(pages.page(staged(number), at=NOW - ago))]
    for name, value in columns.items():
        stored = micros(value) if isinstance(value, datetime) else value
        conn.execute(text(f"UPDATE records SET {name} = :v WHERE id = :id"), {"v": stored, "id": record_id})
    return record_id


def names(found: Any) -> list[str]:
    return [row.identity_key for row in found]


@unit_of_work
def test_in_doubt_are_the_faded_then_the_unseen_then_the_lapsed(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, ago=23 * HOUR)
    seen(conn, homes, 2, ago=24 * HOUR)
    seen(conn, homes, 3, ago=30 * HOUR)
    seen(conn, homes, 4, ago=30 * HOUR + 30 * MINUTE)
    seen(conn, homes, 5, ago=40 * HOUR)
    seen(conn, homes, 6, ago=80 * HOUR, active=0, verification="lapsed")
    seen(conn, homes, 7, ago=80 * HOUR, active=0, verification="gone")
    found = selections.list_verification_candidates(conn, homes, doubt(), now=NOW, limit=47)
    assert names(found) == ["PID:5", "PID:4", "PID:3", "PID:2", "PID:6"]
    assert names(selections.list_verification_candidates(conn, homes, doubt(), now=NOW, limit=3)) == [
        "PID:5",
        "PID:4",
        "PID:3",
    ]
    faded = selections.list_verification_candidates(conn, homes, doubt(faded_only=True), now=NOW, limit=47)
    assert names(faded) == ["PID:5", "PID:4"]


@pytest.mark.parametrize(
    ("columns", "asked"),
    [
        pytest.param({"verified_at": NOW - 24 * HOUR}, True, id="found alive a day ago"),
        pytest.param({"verified_at": NOW - 24 * HOUR + SECOND}, False, id="found alive within a day"),
        pytest.param({"checked_at": NOW - SECOND}, True, id="checked before this run"),
        pytest.param({"checked_at": NOW}, False, id="checked by this run"),
        pytest.param({"struck_at": NOW - 3 * HOUR}, True, id="struck three hours ago"),
        pytest.param({"struck_at": NOW - 3 * HOUR + SECOND}, False, id="struck within three hours"),
        pytest.param({"url": None}, False, id="without an address"),
        pytest.param({"ends_at": NOW + SECOND}, True, id="an event that is still to end"),
        pytest.param({"ends_at": NOW}, False, id="an event that is over"),
    ],
)
@unit_of_work
def test_what_spares_a_record_that_was_not_seen_for_a_day(
    conn: Connection, columns: dict[str, Any], asked: bool
) -> None:
    homes = source(conn)
    seen(conn, homes, 1, ago=25 * HOUR, **columns)
    assert bool(selections.list_verification_candidates(conn, homes, doubt(), now=NOW, limit=47)) is asked


@unit_of_work
def test_sources_are_kept_apart(conn: Connection) -> None:
    homes, flats = source(conn), source(conn, "flats", domain="flats.test")
    seen(conn, homes, 1, ago=25 * HOUR)
    assert selections.list_verification_candidates(conn, flats, doubt(), now=NOW, limit=47) == []
    assert selections.next_fading_at(conn, flats, now=NOW) is None
    assert list(selections.list_recently_seen(conn, flats, since=NOW - DAY * 9, limit=9)) == []


@unit_of_work
def test_when_the_next_record_falls_below_the_line(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, ago=40 * HOUR)
    assert selections.next_fading_at(conn, homes, now=NOW) is None
    seen(conn, homes, 2, ago=30 * HOUR)
    seen(conn, homes, 3, ago=HOUR)
    assert selections.next_fading_at(conn, homes, now=NOW) == NOW + 30 * MINUTE


@unit_of_work
def test_the_latest_seen_vouch_for_a_site(conn: Connection) -> None:
    homes = source(conn)
    for number, ago in enumerate((HOUR, 2 * HOUR, 3 * HOUR, 3 * HOUR + SECOND)):
        seen(conn, homes, number, ago=ago)
    found = selections.list_recently_seen(conn, homes, since=NOW - 3 * HOUR, limit=9)
    assert names(found) == ["PID:0", "PID:1", "PID:2"]


@unit_of_work
def test_else_the_latest_found_alive_unless_something_is_held_against_them(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, ago=9 * DAY, verified_at=NOW - 2 * DAY)
    seen(conn, homes, 2, ago=9 * DAY, verified_at=NOW - DAY)
    seen(conn, homes, 3, ago=9 * DAY, verified_at=NOW - 8 * DAY)
    seen(conn, homes, 4, ago=9 * DAY, verified_at=NOW - DAY, strikes=1)
    found = selections.list_recently_verified(conn, homes, since=NOW - 7 * DAY, limit=9)
    assert names(found) == ["PID:2", "PID:1"]


@unit_of_work
def test_a_window_has_its_controls_first_in_the_middle_and_last(conn: Connection) -> None:
    homes = source(conn)
    in_doubt = {seen(conn, homes, n, ago=25 * HOUR) for n in range(60)}
    shown = {seen(conn, homes, n, ago=HOUR) for n in range(100, 110)}
    run_id = run(conn, homes, RunKind.VERIFICATION)
    picked = pick(conn, homes, run_id, window=1)
    asked = [page.context for page in picked.pages]
    assert (picked.selected.checks, picked.selected.controls, picked.selected.pages) == (47, 3, 50)
    assert [n for n, page in enumerate(asked) if page["control"]] == [0, 24, 49]
    assert {page["record"] for page in asked if page["control"]} <= shown
    assert {page["record"] for page in asked if not page["control"]} <= in_doubt
    assert {page.purpose for page in picked.pages} == {Purpose.CHECK}
    others = [page.context["record"] for page in pick(conn, homes, run_id, window=2).pages]
    assert {asked[n]["record"] for n in (0, 24, 49)} != {others[n] for n in (0, 24, 49)}


@unit_of_work
def test_rows_whose_own_page_was_never_read_vouch_last(conn: Connection) -> None:
    """An index may show rows that lead nowhere."""
    homes = source(conn)
    seen(conn, homes, 1, ago=25 * HOUR)
    for n in range(100, 120):
        seen(conn, homes, n, ago=MINUTE)
    read = {seen(conn, homes, n, ago=HOUR, last_scraped_at=NOW - HOUR) for n in range(200, 204)}
    pages = pick(conn, homes, run(conn, homes, RunKind.VERIFICATION), window=1).pages
    assert {page.context["record"] for page in pages if page.context["control"]} <= read


@unit_of_work
def test_the_only_one_that_can_vouch_is_asked_first_and_last(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, ago=25 * HOUR)
    voucher = seen(conn, homes, 2, ago=HOUR)
    picked = pick(conn, homes, run(conn, homes, RunKind.VERIFICATION), window=1)
    assert [page.context["record"] == voucher for page in picked.pages] == [True, False, True]
    assert (picked.selected.checks, picked.selected.controls) == (1, 2)


@unit_of_work
def test_the_first_twenty_checks_ask_both_ways_and_controls_always_with_get(conn: Connection) -> None:
    homes = source(conn)
    for n in range(47):
        seen(conn, homes, n, ago=25 * HOUR)
    for n in range(100, 103):
        seen(conn, homes, n, ago=HOUR)
    run_id = run(conn, homes, RunKind.VERIFICATION)
    methods = [page.context["method"] for page in pick(conn, homes, run_id, window=1).pages]
    assert methods == ["both"] * 20 + ["get"] * 30
    trust = "UPDATE sources SET head_checks = 21, head_compared = 20, head_agreed = 20"
    conn.execute(text(trust))
    asked = pick(conn, homes, run_id, window=2).pages
    assert [page.context["method"] for page in asked if page.context["control"]] == ["get"] * 3
    checks = [page.context["method"] for page in asked if not page.context["control"]]
    assert (checks.count("head"), checks.count("both")) == (46, 1)


def pick(conn: Connection, source_id: int, run_id: int, *, window: int) -> engine.SelectedPages:
    here = runs.load(conn, [run_id])[run_id]
    ask = SelectPages(what=Selection.CHECKS, limit=47, window=window)
    return engine.resolve(conn, ask, here, Pages(conn, source_id).source, now=NOW)


# -- closing a window --------------------------------------------------------------------------------------


def checked(
    run_id: int, record_id: int, outcome: str, *, after: int, control: bool = False
) -> NewVerification:
    status = {"alive": 200, "strike": 404, "gone": 410}.get(outcome)
    at = micros(NOW + after * SECOND)
    return NewVerification(record_id, run_id, None, at, "get", status, outcome, "", 1, int(control))


def close(conn: Connection, homes: int, run_id: int, *, decided: bool = True) -> WindowClosed:
    ends = NOW + MINUTE
    return windows.close_window(
        conn, run_id, CloseWindow(window=1, decided=decided), Pages(conn, homes).source, now=ends
    )


@unit_of_work
def test_a_closed_window_leaves_standings_evidence_and_news(conn: Connection) -> None:
    homes = source(conn)
    run_id = run(conn, homes, RunKind.VERIFICATION)
    alive = seen(conn, homes, 1, ago=25 * HOUR, strikes=1, struck_at=NOW - 9 * HOUR)
    first = seen(conn, homes, 2, ago=25 * HOUR)
    second = seen(conn, homes, 3, ago=29 * HOUR, strikes=1, struck_at=NOW - 4 * HOUR)
    told = seen(conn, homes, 4, ago=25 * HOUR)
    silent = seen(conn, homes, 5, ago=25 * HOUR)
    control = seen(conn, homes, 9, ago=HOUR)
    answers = [(alive, "alive"), (first, "strike"), (second, "strike"), (told, "gone"), (silent, "undecided")]
    verifications.add(
        conn,
        [
            checked(run_id, control, "alive", after=0, control=True),
            *(checked(run_id, record, said, after=n + 1) for n, (record, said) in enumerate(answers)),
            checked(run_id, control, "alive", after=9, control=True),
        ],
    )
    closed = close(conn, homes, run_id)
    assert closed == WindowClosed(alive=1, struck=1, gone=2, undecided=1)
    standings = rows(conn, "SELECT id, active, verification, strikes, base FROM records ORDER BY id")
    assert standings == [
        (alive, 1, "verified", 0, 80),
        (first, 1, "pending", 1, 100),
        (second, 0, "gone", 2, 100),
        (told, 0, "gone", 0, 100),
        (silent, 1, "pending", 0, 100),
        (control, 1, None, 0, 100),
    ]
    assert rows(conn, "SELECT record_id FROM changes WHERE change = 'gone' ORDER BY 1") == [
        (second,),
        (told,),
    ]
    assert rows(conn, "SELECT DISTINCT settled FROM verifications") == [(1,)]
    assert one(conn, f"SELECT deactivated_at FROM records WHERE id = {told}") == micros(NOW + 4 * SECOND)
    assert one(conn, f"SELECT verified_at FROM records WHERE id = {alive}") == micros(NOW + SECOND)


@pytest.mark.parametrize(
    ("decided", "controls"),
    [
        pytest.param(False, (0, 9), id="a control was missing"),
        pytest.param(True, (), id="nothing vouched for the site"),
        pytest.param(True, (0,), id="nothing after it"),
        pytest.param(True, (9,), id="nothing before it"),
    ],
)
@unit_of_work
def test_what_proves_nothing_is_kept_as_that(
    conn: Connection, decided: bool, controls: tuple[int, ...]
) -> None:
    homes = source(conn)
    run_id = run(conn, homes, RunKind.VERIFICATION)
    record = seen(conn, homes, 1, ago=25 * HOUR, strikes=1, struck_at=NOW - 9 * HOUR)
    control = seen(conn, homes, 9, ago=HOUR)
    vouching = [checked(run_id, control, "alive", after=at, control=True) for at in controls]
    verifications.add(conn, [*vouching, checked(run_id, record, "strike", after=5)])
    assert close(conn, homes, run_id, decided=decided) == WindowClosed(undecided=1)
    assert rows(conn, f"SELECT active, verification, strikes FROM records WHERE id = {record}") == [
        (1, "pending", 1)
    ]
    assert rows(conn, "SELECT status, outcome, reason FROM verifications WHERE control = 0") == [
        (404, "undecided", "the control checks failed: outage, block or relaunch")
    ]


@unit_of_work
def test_a_source_may_want_more_strikes_or_other_times(conn: Connection) -> None:
    homes = source(conn, params={"strikes_to_gone": 3, "strikes_apart_hours": 1, "unseen_for_hours": 6})
    rules = windows.verification_rules(Pages(conn, homes).source)
    assert (rules.strikes_to_gone, rules.strikes_apart, rules.unseen_for) == (3, HOUR, 6 * HOUR)
    flats = source(conn, "flats", domain="flats.test")
    rules = windows.verification_rules(Pages(conn, flats).source)
    assert (rules.strikes_to_gone, rules.strikes_apart) == (2, 3 * HOUR)
    assert (rules.unseen_for, rules.alive_for) == (24 * HOUR, 24 * HOUR)


@unit_of_work
def test_at_confidence_zero_and_unconfirmed_a_record_lapses(conn: Connection) -> None:
    homes = source(conn)
    dead = seen(conn, homes, 1, ago=50 * HOUR)
    seen(conn, homes, 2, ago=50 * HOUR - SECOND)
    seen(conn, homes, 3, ago=60 * HOUR, verified_at=NOW - 50 * HOUR)
    over = seen(conn, homes, 4, ago=60 * HOUR, verified_at=NOW - 50 * HOUR, ends_at=NOW)
    assert sorted(verifications.lapse_records(conn, homes, now=NOW)) == [dead, over]
    assert rows(conn, f"SELECT active, verification FROM records WHERE id = {dead}") == [(0, "lapsed")]
    assert verifications.lapse_records(conn, homes, now=NOW) == []


# -- jobs nobody took --------------------------------------------------------------------------------------


@unit_of_work
def test_what_nobody_took_for_a_day_is_put_aside_and_can_be_put_back(conn: Connection) -> None:
    first = run(conn, source(conn), now=NOW - 3 * DAY)
    conn.execute(text("UPDATE runs SET open_jobs = 3"))
    enqueue(conn, first, ["old"], now=NOW - DAY - SECOND)
    enqueue(conn, first, ["held"], now=NOW - 2 * DAY, not_before=NOW + HOUR)
    enqueue(conn, first, ["young"], now=NOW - DAY)
    assert stale_work.mark_stale(conn, before=NOW - DAY, now=NOW) == 1
    standing = "SELECT url, status FROM jobs ORDER BY id"
    assert rows(conn, standing) == [("old", "stale"), ("held", "pending"), ("young", "pending")]
    assert one(conn, "SELECT open_jobs FROM runs") == 2
    assert stale_work.requeue(conn, first, now=NOW) == {1}
    assert rows(conn, standing)[0] == ("old", "pending")
    assert one(conn, "SELECT open_jobs FROM runs") == 3
    assert stale_work.mark_stale(conn, before=NOW - DAY, now=NOW) == 0
