import pytest

from larder.core.model.run import PagesSelected, RunStatus
from larder.runs.fold import FoldStep, Selection, SelectPages
from larder.runs.monitor import MONITOR, WINDOW
from tests.unit.runs.events import NOW, detail, size, start, target


def asked(step: FoldStep) -> SelectPages:
    (ask,) = step.ask
    assert isinstance(ask, SelectPages)
    assert ask.what is Selection.TARGETS
    return ask


def looked(step: FoldStep, *reads: bool) -> FoldStep:
    """A window of targets, and what became of each."""
    step = MONITOR.step(step.state, PagesSelected(pages=len(reads)))
    for read in reads:
        step = MONITOR.step(step.state, target(read=read))
    return step


def test_targets_come_in_windows_of_fifty_until_none_is_due() -> None:
    assert WINDOW == 50
    step = MONITOR.start(start())
    assert asked(step).limit == 50
    step = looked(step, *[True] * 50)
    assert asked(step).limit == 50
    step = looked(step, *[True] * 3)
    assert asked(step).limit == 50
    step = MONITOR.step(step.state, PagesSelected(pages=0))
    assert (step.done, step.ask, step.state["looked_at"]) == (True, (), 53)


def test_the_next_window_waits_for_the_last_look_of_this_one() -> None:
    step = MONITOR.step(MONITOR.start(start()).state, PagesSelected(pages=2))
    step = MONITOR.step(step.state, target())
    assert (step.ask, step.done) == ((), False)
    assert asked(MONITOR.step(step.state, target())).limit == 50


def test_a_source_may_limit_a_run() -> None:
    step = MONITOR.start(start(max_items_per_run=60))
    step = looked(step, *[True] * 50)
    assert asked(step).limit == 10
    step = looked(step, *[True] * 10)
    assert (step.done, step.ask) == (True, ())


@pytest.mark.parametrize(
    ("reads", "failed", "expected"),
    [
        pytest.param([], 0, RunStatus.COMPLETED, id="nothing was due"),
        pytest.param([True, True], 0, RunStatus.COMPLETED, id="all read"),
        pytest.param([True, False], 1, RunStatus.PARTIAL, id="one could not be read"),
        pytest.param([False, False], 2, RunStatus.FAILED, id="none could"),
    ],
)
def test_how_it_ends(reads: list[bool], failed: int, expected: RunStatus) -> None:
    step = looked(MONITOR.start(start()), *reads)
    assert MONITOR.end(step.state, failed=failed, now=NOW).status is expected


def test_other_pages_change_nothing() -> None:
    step = MONITOR.step(MONITOR.start(start()).state, PagesSelected(pages=2))
    assert MONITOR.step(step.state, detail()).state == step.state


def test_its_state_does_not_grow() -> None:
    step = MONITOR.start(start())
    for _ in range(150):
        step = looked(step, *[True] * 50)
    assert step.state["looked_at"] == 7_500
    assert size(step.state) < 150
