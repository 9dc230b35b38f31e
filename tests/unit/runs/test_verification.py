import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.model.run import CheckResult, PageSeen, PagesSelected, RunStatus, Trigger, WindowClosed
from larder.core.model.source import Plan
from larder.core.policy.scheduling.cadence import Cadence
from larder.core.policy.scheduling.learned import Arrivals, Changes
from larder.core.policy.scheduling.spending import CHECKS_SHARE, Spending, SpendingPlan, Spent
from larder.core.policy.trust import verification as policy
from larder.runs.fold import CloseWindow, FoldStep, LastRun, Selection, SelectPages
from larder.runs.verification import VERIFICATION
from tests.unit.runs.events import NOW, check, detail, size, start

ALIVE, STRIKE, UNDECIDED = CheckResult.ALIVE, CheckResult.STRIKE, CheckResult.UNDECIDED


def asked(step: FoldStep) -> SelectPages:
    (ask,) = step.ask
    assert isinstance(ask, SelectPages)
    return ask


def opened(step: FoldStep, checks: int, controls: int = 3) -> FoldStep:
    return VERIFICATION.step(
        step.state, PagesSelected(checks=checks, controls=controls, pages=checks + controls)
    )


def answered(
    step: FoldStep, checks: Sequence[CheckResult], controls: Sequence[CheckResult] = (ALIVE,) * 3
) -> FoldStep:
    """A window whose answers all come in; the step that closes it."""
    step = opened(step, len(checks), len(controls))
    events = [check(v, control=True) for v in controls] + [check(v) for v in checks]
    for event in events:
        assert step.close is None, "closed before its last answer"
        step = VERIFICATION.step(step.state, event)
    return step


def closed(step: FoldStep, **came: int) -> FoldStep:
    assert step.close is not None
    return VERIFICATION.step(step.state, WindowClosed(**came))


def test_a_window_is_fifty_with_three_controls_in_it() -> None:
    assert (policy.WINDOW, policy.CONTROLS) == (50, 3)
    ask = asked(VERIFICATION.start(start()))
    assert (ask.what, ask.limit, ask.window) == (Selection.CHECKS, 47, 1)


def test_l12_a_budget_ends_checks_and_leaves_the_rest_to_the_index() -> None:
    step = VERIFICATION.start(replace(start(), spending=with_checks_left(60)))
    assert asked(step).limit == 47
    step = closed(answered(step, [ALIVE] * 47), alive=47)
    assert asked(step).limit == 10 - policy.CONTROLS
    step = closed(answered(step, [ALIVE] * 7), alive=7)
    assert asked(step).limit == 0
    assert opened(step, 0, 0).done
    assert asked(VERIFICATION.start(replace(start(), spending=with_checks_left(None)))).limit == 47


def with_checks_left(requests: int | None) -> SpendingPlan:
    """A plan whose budget allows so many checks; None: it has no budget."""
    budget = 0 if requests is None else round(requests / CHECKS_SHARE)
    return SpendingPlan(
        arrivals=Arrivals(),
        changes=Changes(),
        index_pages=10,
        spending=Spending(requests_per_day=budget),
        rate=2,
        spent=Spent(requests=budget),
    )


def test_a_recheck_takes_only_what_fell_below_the_line() -> None:
    assert asked(VERIFICATION.start(start(trigger=Trigger.RECHECK))).what is Selection.FADED
    for trigger in (Trigger.SCHEDULED, Trigger.MANUAL, Trigger.RETRY):
        assert asked(VERIFICATION.start(start(trigger=trigger))).what is Selection.CHECKS


@pytest.mark.parametrize(
    ("pages", "decided"),
    [
        pytest.param(["a", "a", "a"], False, id="all alike"),
        pytest.param(["a", "a", "b"], True, id="one differs"),
        pytest.param(["", "", ""], True, id="HEAD has no pages"),
        pytest.param(["a", "", ""], True, id="one page alone"),
    ],
)
def test_l10_25_a_window_whose_pages_are_all_alike_proves_nothing(pages: list[str], decided: bool) -> None:
    step = opened(VERIFICATION.start(start()), 2, 1)
    for number, shows in enumerate(pages):
        seen = replace(check(ALIVE, control=not number), shows=shows, address=str(number))
        step = VERIFICATION.step(step.state, seen)
    assert step.close == CloseWindow(window=1, decided=decided)


def test_l10_25_records_of_one_address_may_look_alike() -> None:
    step = opened(VERIFICATION.start(start()), 2, 1)
    for number in range(3):
        seen = replace(check(ALIVE, control=not number), shows="an agenda", address="agenda")
        step = VERIFICATION.step(step.state, seen)
    assert step.close == CloseWindow(window=1, decided=True)


def test_l10_24_a_check_of_all_that_lies_ahead_of_now_does_not_put_off_the_next() -> None:
    memory = {"checked_all_at": (NOW + timedelta(days=30)).isoformat()}
    cadence = Cadence(plan=Plan.INDEX)
    assert VERIFICATION.trigger(cadence, memory, NOW) is Trigger.SCHEDULED
    last = LastRun(memory=memory, trigger=Trigger.RECHECK)
    assert VERIFICATION.next_at(cadence, NOW, last) <= NOW + timedelta(hours=6)


def test_when_all_were_checked_last_is_remembered_through_rechecks() -> None:
    first = VERIFICATION.end(VERIFICATION.start(start()).state, failed=0, now=NOW).memory
    assert first["checked_all_at"] == NOW.isoformat()
    memory = {"checked_all_at": "2026-03-02T07:00:00+00:00"}
    again = VERIFICATION.start(start(memory, trigger=Trigger.RECHECK))
    assert (
        VERIFICATION.end(again.state, failed=0, now=NOW).memory["checked_all_at"] == memory["checked_all_at"]
    )


def test_without_candidates_it_is_over_at_once() -> None:
    step = opened(VERIFICATION.start(start()), 0, 0)
    assert (step.done, step.ask, step.close) == (True, (), None)
    assert VERIFICATION.end(step.state, failed=0, now=NOW).status is RunStatus.COMPLETED


def test_a_window_is_closed_with_its_last_answer_and_the_next_one_is_asked_for_then() -> None:
    step = answered(VERIFICATION.start(start()), [STRIKE] * 47)
    assert step.close == CloseWindow(window=1, decided=True)
    assert step.ask == ()
    step = closed(step, struck=47)
    assert (asked(step).window, step.done) == (2, False)


@pytest.mark.parametrize("missing", [STRIKE, UNDECIDED, CheckResult.GONE])
def test_one_control_that_is_not_alive_makes_the_window_undecided(missing: CheckResult) -> None:
    step = answered(VERIFICATION.start(start()), [STRIKE] * 3, [ALIVE, missing, ALIVE])
    assert step.close == CloseWindow(window=1, decided=False)


def test_two_undecided_windows_in_a_row_make_the_run_suspect() -> None:
    assert policy.UNDECIDED_TO_SUSPECT == 2
    step = closed(answered(VERIFICATION.start(start()), [STRIKE], [STRIKE]), undecided=1)
    assert (step.done, step.state["suspect"]) == (False, False)
    step = closed(answered(step, [STRIKE], [STRIKE]), undecided=1)
    assert (step.done, step.ask) == (True, ())
    end = VERIFICATION.end(step.state, failed=0, now=NOW)
    assert (end.status, end.error_code) == (RunStatus.SUSPECT, "controls_missing")


def test_a_decided_window_in_between_clears_the_suspicion() -> None:
    step = VERIFICATION.start(start())
    for controls in ([STRIKE], [ALIVE], [STRIKE]):
        step = closed(answered(step, [STRIKE], controls))
    assert (step.done, step.state["suspect"]) == (False, False)


def test_one_that_nothing_vouched_for_says_nothing_about_the_site() -> None:
    step = VERIFICATION.start(start())
    step = closed(answered(step, [STRIKE], [STRIKE]))
    step = closed(answered(step, [STRIKE], []))
    assert not step.done
    step = closed(answered(step, [STRIKE], [STRIKE]))
    assert step.state["suspect"]


def test_undecided_windows_are_counted_from_run_to_run() -> None:
    """A small source has but one window a run."""
    first = closed(answered(VERIFICATION.start(start()), [STRIKE], [STRIKE]))
    memory = VERIFICATION.end(first.state, failed=0, now=NOW).memory
    second = closed(answered(VERIFICATION.start(start(memory)), [STRIKE], [STRIKE]))
    assert (second.done, second.state["suspect"]) == (True, True)
    memory = VERIFICATION.end(second.state, failed=0, now=NOW).memory
    third = closed(answered(VERIFICATION.start(start(memory)), [STRIKE], [ALIVE]))
    assert (third.done, third.state["suspect"]) == (False, False)
    assert VERIFICATION.end(third.state, failed=0, now=NOW).status is RunStatus.COMPLETED


def test_it_counts_what_came_of_its_windows() -> None:
    step = answered(VERIFICATION.start(start()), [ALIVE, STRIKE, STRIKE, UNDECIDED])
    step = closed(step, alive=1, struck=1, gone=1, undecided=1)
    step = closed(answered(step, [ALIVE]), alive=1)
    counted = {name: step.state[name] for name in ("checked", "alive", "struck", "gone", "undecided")}
    assert counted == {"checked": 5, "alive": 2, "struck": 1, "gone": 1, "undecided": 1}


def test_controls_are_not_counted_as_checked() -> None:
    step = answered(VERIFICATION.start(start()), [STRIKE], [ALIVE] * 3)
    assert step.state["checked"] == 1


def test_other_pages_change_nothing() -> None:
    step = opened(VERIFICATION.start(start()), 2)
    assert VERIFICATION.step(step.state, detail()).state == step.state


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([ALIVE, STRIKE, UNDECIDED, CheckResult.GONE]), min_size=1, max_size=47),
    st.lists(st.sampled_from([ALIVE, STRIKE, UNDECIDED]), max_size=3),
    st.randoms(use_true_random=False),
)
def test_answers_may_come_in_any_order(
    checks: list[CheckResult], controls: list[CheckResult], luck: random.Random
) -> None:
    events: list[PageSeen] = [check(v, control=True) for v in controls] + [check(v) for v in checks]
    luck.shuffle(events)
    step = opened(VERIFICATION.start(start()), len(checks), len(controls))
    for event in events:
        step = VERIFICATION.step(step.state, event)
    assert step.close == CloseWindow(window=1, decided=all(v is ALIVE for v in controls))
    assert step.state["checked"] == len(checks)


def test_its_state_does_not_grow() -> None:
    step = VERIFICATION.start(start())
    state: Mapping[str, Any] = step.state
    for _ in range(300):
        step = closed(answered(step, [STRIKE] * 5), struck=5)
        state = step.state
    assert state["checked"] == 1500
    assert size(state) < 400
