from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.model.run import PageSeen, PagesSelected, RunStatus
from larder.runs import sweep
from larder.runs.fold import FoldStep, RunEnd, Selection, SelectPages
from larder.runs.sweep import SWEEP
from tests.unit.runs.events import NOW, detail, page, pages_of, size, start, unread


def walk(index: int, memory: Mapping[str, Any] | None = None, **source: Any) -> tuple[list[int], RunEnd]:
    """One sweep over an index of so many pages that say which is the last; the pages it read, and its end."""
    step = SWEEP.start(start(memory, **source))
    read: list[int] = []
    while not step.done:
        (ask,) = step.ask
        if isinstance(ask, SelectPages):
            step = SWEEP.step(step.state, PagesSelected(pages=0))
            continue
        read += pages_of(step.ask)
        beyond = read[-1] > index
        seen = (
            unread(missing=True) if beyond else page(known=90, last=read[-1] == index, advertised=90 * index)
        )
        step = SWEEP.step(step.state, seen)
    return read, SWEEP.end(step.state, failed=0, now=NOW)


def test_the_numbers() -> None:
    assert (sweep.PAGES, sweep.OVERLAP, sweep.DETAILS, sweep.WINDOW) == (50, 5, 100, 50)


def test_l10_11_overlap_pages_and_detail_refresh_are_settings_of_a_source() -> None:
    own = {"sweep_overlap": 2, "sweep_pages": 10, "detail_refresh_hours": 6}
    _, end = walk(200, params=own)
    read, _ = walk(200, end.memory, params=own)
    assert read == list(range(8, 18))
    step = SWEEP.start(start(params=own))
    step = SWEEP.step(step.state, page(known=90, last=True, advertised=90))
    (ask,) = step.ask
    assert isinstance(ask, SelectPages)
    assert ask.older_than == timedelta(hours=6)


def test_l10_11_a_deployment_sets_the_limits_of_sources_that_set_none() -> None:
    step = SWEEP.start(
        replace(start(params={"sweep_pages": 7}), limits={"sweep_pages": 3, "sweep_details": 1})
    )
    assert (step.state["pages_left"], step.state["details_left"]) == (7, 1)


def test_without_a_checkpoint_it_starts_at_the_first_page() -> None:
    read, end = walk(200)
    assert read == list(range(1, 51))
    assert (end.memory["sweep_start_page"], end.memory["last_page"]) == (1, 50)
    assert end.certificate is None


def test_it_goes_on_five_pages_before_where_the_last_one_stopped() -> None:
    _, end = walk(200)
    read, end = walk(200, end.memory)
    assert read == list(range(45, 95))
    assert (end.memory["sweep_start_page"], end.memory["last_page"]) == (45, 94)


def test_a_pass_that_ends_where_more_rows_follow_proves_nothing() -> None:
    step = SWEEP.start(replace(start(), numbered=False))
    step = SWEEP.step(step.state, page(known=90, last=False))
    end = SWEEP.end(step.state, failed=0, now=NOW)
    assert (end.status, end.error_code, end.certificate) == (RunStatus.PARTIAL, "next_page_unknown", None)


def test_it_never_starts_below_the_first_page() -> None:
    read, _ = walk(200, {"last_page": 3})
    assert read[0] == 1


@settings(deadline=None)
@given(st.integers(min_value=1, max_value=400))
def test_a_pass_leaves_no_page_out_ends_in_a_certificate_and_the_next_starts_anew(index: int) -> None:
    memory: Mapping[str, Any] = {}
    walked: list[int] = []
    for _ in range(20):
        read, end = walk(index, memory)
        assert read == list(range(read[0], read[0] + len(read))), "contiguous"
        assert len(read) <= 50
        walked += read
        memory = end.memory
        if end.certificate is not None:
            break
    assert set(walked) == set(range(1, index + 1))
    assert end.certificate is not None
    assert (end.certificate["pages"], end.certificate["rows"]) == (len(walked), 90 * len(walked))
    assert (end.certificate["last_page"], end.certificate["advertised"]) == (index, 90 * index)
    assert end.certificate["overlap_rows"] == 90 * (len(walked) - index)
    assert end.certificate["overlap_known"] == end.certificate["overlap_rows"]
    assert walk(index, memory)[0][0] == 1


def test_a_source_may_set_its_own_numbers() -> None:
    read, _ = walk(200, params={"sweep_pages": 7})
    assert read == list(range(1, 8))


def after(*pages: PageSeen, memory: Mapping[str, Any] | None = None) -> FoldStep:
    step = SWEEP.start(start(memory))
    for each in pages:
        step = SWEEP.step(step.state, each)
    return step


CHECKPOINT = {"last_page": 60, "sweep_start_page": 11, "pass": {"began_at": NOW.isoformat(), "pages": 60}}


@pytest.mark.parametrize(
    ("memory", "pages", "ended", "status", "goes_on_at"),
    [
        pytest.param(
            {}, [page(known=9), unread(missing=True)], "end", RunStatus.COMPLETED, 1, id="no such page"
        ),
        pytest.param({}, [page(known=9), page()], "end", RunStatus.COMPLETED, 1, id="a page without rows"),
        pytest.param(
            {},
            [page(known=9, shows="a"), page(known=9, shows="a")],
            "end",
            RunStatus.COMPLETED,
            1,
            id="an echo",
        ),
        pytest.param({}, [unread()], "broken", RunStatus.FAILED, 1, id="nothing came"),
        pytest.param({}, [page()], "broken", RunStatus.FAILED, 1, id="an index without rows proves nothing"),
        pytest.param({}, [unread(missing=True)], "broken", RunStatus.FAILED, 1, id="no index at all"),
        pytest.param(
            {},
            [*[page(known=9)] * 20, unread()],
            "broken",
            RunStatus.PARTIAL,
            15,
            id="an outage on the way keeps its place",
        ),
        pytest.param(
            {"pages": 40},
            [*[page(known=9, last=False)] * 20, unread(missing=True)],
            "broken",
            RunStatus.PARTIAL,
            15,
            id="a promised page that is missing is an outage",
        ),
        pytest.param(
            CHECKPOINT, [unread()], "broken", RunStatus.FAILED, 55, id="an outage at the checkpoint"
        ),
        pytest.param(
            {**CHECKPOINT, "vain_since": (NOW - timedelta(hours=3)).isoformat()},
            [unread()],
            "broken",
            RunStatus.FAILED,
            1,
            id="for hours: from the first page",
        ),
        pytest.param(
            CHECKPOINT,
            [unread(missing=True)],
            "shrunk",
            RunStatus.COMPLETED,
            1,
            id="the index is shorter now",
        ),
    ],
)
def test_how_it_ends_and_where_the_next_one_begins(
    memory: Mapping[str, Any], pages: list[PageSeen], ended: str, status: RunStatus, goes_on_at: int
) -> None:
    step = after(*pages, memory=memory)
    end = SWEEP.end(step.state, failed=0, now=NOW)
    assert (step.state["ended"], end.status) == (ended, status)
    assert (end.certificate is not None) == (ended == "end")
    assert pages_of(SWEEP.start(start(end.memory)).ask) == [goes_on_at]


def test_an_outage_of_two_hours_takes_no_pass_back_to_the_first_page_however_often_it_tries() -> None:
    memory: Mapping[str, Any] = CHECKPOINT
    for minutes in range(0, 150, 15):
        at = NOW + timedelta(minutes=minutes)
        asked = SWEEP.start(replace(start(memory), now=at))
        assert pages_of(asked.ask) == [55]
        memory = SWEEP.end(SWEEP.step(asked.state, unread()).state, failed=0, now=at).memory
    later = NOW + timedelta(hours=3)
    asked = SWEEP.start(replace(start(memory), now=later))
    end = SWEEP.end(SWEEP.step(asked.state, unread()).state, failed=0, now=later)
    assert pages_of(SWEEP.start(start(end.memory)).ask) == [1]


def test_a_pass_that_was_interrupted_is_the_same_pass() -> None:
    step = after(*[page(known=90)] * 20, unread())
    memory = SWEEP.end(step.state, failed=0, now=NOW).memory
    again = SWEEP.start(start(memory))
    assert again.state["passing"]["pages"] == 20


def test_a_killed_sweep_knows_after_every_page_where_it_is() -> None:
    """The checkpoint is the state, and that is written with the page."""
    for n in range(1, 50):
        step = after(*[page(known=90)] * n)
        assert (step.state["last_page"], pages_of(step.ask)) == (n, [n + 1])
        cut_off = SWEEP.end(step.state, failed=0, now=NOW)
        assert cut_off.memory["last_page"] == n


def asked_for(step: FoldStep) -> int:
    (ask,) = step.ask
    assert isinstance(ask, SelectPages)
    assert ask.what is Selection.STALEST
    return ask.limit


def test_the_stalest_hundred_get_their_own_page_read_in_two_windows() -> None:
    step = after(page(known=90, last=True))
    assert asked_for(step) == 50
    step = SWEEP.step(step.state, PagesSelected(pages=50))
    assert (asked_for(step), step.done) == (50, False)
    step = SWEEP.step(step.state, PagesSelected(pages=50))
    assert (step.ask, step.done, step.state["details"]) == ((), True, 100)


def test_fewer_are_enough_where_no_more_are_stale() -> None:
    step = SWEEP.step(after(page(known=90, last=True)).state, PagesSelected(pages=49))
    assert (step.ask, step.done, step.state["details"]) == ((), True, 49)


def test_a_source_may_want_no_details() -> None:
    step = SWEEP.step(SWEEP.start(start(params={"sweep_details": 0})).state, page(known=9, last=True))
    assert (step.ask, step.done) == ((), True)


def test_details_neither_move_it_nor_end_it() -> None:
    step = after(page(known=9))
    for each in (detail(), detail(read=False)):
        assert SWEEP.step(step.state, each).state == step.state
    over = SWEEP.step(after(page(known=9, last=True)).state, PagesSelected(pages=9))
    assert SWEEP.step(over.state, detail()).done


def test_failed_details_make_it_partial() -> None:
    step = after(page(known=9, last=True))
    assert SWEEP.end(step.state, failed=2, now=NOW).status is RunStatus.PARTIAL


def test_new_rows_on_the_overlap_show_that_rows_moved() -> None:
    memory = {"last_page": 50, "pass": {"began_at": NOW.isoformat()}}
    step = after(page(new=2, known=88), page(known=90), memory=memory)
    passing = step.state["passing"]
    assert (passing["overlap_rows"], passing["overlap_known"], passing["new"]) == (180, 178, 2)


@settings(deadline=None)
@given(st.integers(min_value=1, max_value=60))
def test_its_state_does_not_grow(pages: int) -> None:
    step = after(*(page(new=90, known=9, shows=f"{n:016x}") for n in range(pages)))
    assert size(step.state) < 1_000
