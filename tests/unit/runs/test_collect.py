from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.model.run import PageSeen, RunStatus
from larder.runs.collect import COLLECT, MAX_ITEMS
from larder.runs.fold import DetailPage, FoldStep
from tests.unit.runs.events import NOW, detail, page, pages_of, size, start, unread


def collect(*pages: PageSeen, **source: Any) -> tuple[FoldStep, list[int]]:
    """Give a collect these pages, one for each that it asks for; its last step and the pages it asked for."""
    step = COLLECT.start(start(**source))
    asked = pages_of(step.ask)
    for each in pages:
        assert not step.done, "it was over before"
        step = COLLECT.step(step.state, each)
        asked += pages_of(step.ask)
    return step, asked


def status(step: FoldStep, failed: int = 0) -> RunStatus:
    return COLLECT.end(step.state, failed=failed, now=NOW).status


def test_it_reads_from_the_first_page_to_the_one_that_says_it_is_the_last() -> None:
    step, asked = collect(page(new=3, last=False), page(known=3, last=False), page(new=1, last=True))
    assert (step.done, asked) == (True, [1, 2, 3])
    assert status(step) is RunStatus.COMPLETED


def test_known_pages_do_not_end_it() -> None:
    """A full read is a full read, also where nothing is new."""
    step, asked = collect(page(known=10, shows="a"), page(known=10, shows="b"), page(known=4, shows="c"))
    assert (step.done, asked) == (False, [1, 2, 3, 4])


@pytest.mark.parametrize(
    "echo",
    [pytest.param("b", id="the last page again"), pytest.param("a", id="the first page again")],
)
def test_a_page_that_echoes_another_is_beyond_the_end(echo: str) -> None:
    step, asked = collect(page(new=2, shows="a"), page(new=2, shows="b"), page(known=2, shows=echo))
    assert (step.done, asked) == (True, [1, 2, 3])
    assert step.state["taken"] == 4
    assert status(step) is RunStatus.COMPLETED


def test_it_stops_at_a_hundred_items_unless_told_otherwise() -> None:
    assert MAX_ITEMS == 100
    step, _ = collect(page(new=60), page(new=39))
    assert not step.done
    step, _ = collect(page(new=60), page(new=40))
    assert step.done
    step, _ = collect(page(new=60), page(new=40), max_items_per_run=101)
    assert not step.done


def test_it_stops_at_the_number_of_pages_it_was_told() -> None:
    step, asked = collect(page(new=1), page(new=1), max_pages=2)
    assert (step.done, asked) == (True, [1, 2])


def test_new_rows_get_their_own_page_read_unless_the_source_has_none() -> None:
    step = COLLECT.step(COLLECT.start(start()).state, page(new=2, known=3))
    assert [ask.identity_key for ask in step.ask if isinstance(ask, DetailPage)] == ["PID:0", "PID:1"]
    step = COLLECT.step(COLLECT.start(start(params={"details": False})).state, page(new=2))
    assert not any(isinstance(ask, DetailPage) for ask in step.ask)


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        pytest.param([unread()], RunStatus.FAILED, id="the first page cannot be read"),
        pytest.param([unread(missing=True)], RunStatus.FAILED, id="there is no first page"),
        pytest.param([page()], RunStatus.COMPLETED, id="an empty agenda is a fact"),
        pytest.param(
            [page(new=1), unread(missing=True)], RunStatus.COMPLETED, id="a missing page is the end"
        ),
        pytest.param([page(new=1), page()], RunStatus.COMPLETED, id="so is one without rows"),
        pytest.param([page(new=1), unread()], RunStatus.PARTIAL, id="one that cannot be read is not"),
        pytest.param(
            [page(new=1, last=False), unread(missing=True)],
            RunStatus.COMPLETED,
            id="a dangling link behind the last page",
        ),
        pytest.param(
            [page(new=1, last=False, advertised=5), unread(missing=True)],
            RunStatus.PARTIAL,
            id="a promised page is missing and rows are advertised",
        ),
        pytest.param(
            [page(new=1, last=False, advertised=5), page()],
            RunStatus.PARTIAL,
            id="a promised page is empty and rows are advertised",
        ),
    ],
)
def test_how_it_ends(pages: list[PageSeen], expected: RunStatus) -> None:
    step, _ = collect(*pages)
    assert step.done
    assert status(step) is expected


def test_failed_items_make_it_partial() -> None:
    step, _ = collect(page(new=1, last=True))
    assert status(step, failed=1) is RunStatus.PARTIAL


def test_what_comes_after_its_end_changes_nothing() -> None:
    step, _ = collect(page(new=1, last=True))
    for late in (detail(), detail(read=False), page(new=5)):
        after = COLLECT.step(step.state, late)
        assert (after.state, after.ask, after.done) == (step.state, (), True)


@settings(deadline=None, max_examples=20)
@given(st.integers(min_value=1, max_value=300))
def test_its_state_does_not_grow(pages: int) -> None:
    names = count()
    step, _ = collect(
        *(page(new=90, known=9, shows=f"{next(names):016x}") for _ in range(pages)), max_items_per_run=10**9
    )
    assert step.state["taken"] == 99 * pages
    assert size(step.state) < 800
