"""Verification finds records that are gone, and tells them from records that could not be reached.

Checks come in windows with controls. A window is closed when its last answer is in; if a control is missing,
or all pages are alike, it proves nothing. Two such windows in a row, even in two runs, end the run as
suspect. A recheck, between the runs that take all candidates, takes records that fell below the threshold.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from larder.core.model.job import Purpose
from larder.core.model.run import (
    CheckResult,
    PageSeen,
    PagesSelected,
    RunKind,
    RunStatus,
    Trigger,
    WindowClosed,
)
from larder.core.model.source import Plan
from larder.core.policy.scheduling.cadence import Cadence
from larder.core.policy.trust.verification import CONTROLS, WINDOW, Suspicion, Window
from larder.runs.fold import (
    NO_LAST_RUN,
    CloseWindow,
    Event,
    Fold,
    FoldStep,
    LastRun,
    RunEnd,
    RunStart,
    Selection,
    SelectPages,
    State,
)
from larder.runs.fold_state import as_state

EVERY = timedelta(hours=6)
FADED_EVERY = timedelta(hours=1)
"""The least time between two runs, however many records fall below the threshold."""
MAX_WINDOWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifying:
    """The state of a verification."""

    everything: bool = True
    """All candidates, or only those below the threshold."""
    checked_all_at: str | None = None
    """When a run last took all candidates; the start of this run, if it does."""
    window: int = 1
    under_way: int = 0
    controls: int = 0
    controls_alive: int = 0
    vouched: bool = False
    """Some answer of this window was alive."""
    first_page: Sequence[str] = ()
    """What the first page of this window showed, and its address."""
    alike: bool = False
    """Another address of this window showed the same."""
    differ: bool = False
    """Some page of this window showed something else."""
    undecided_in_a_row: int = 0
    checked: int = 0
    alive: int = 0
    struck: int = 0
    gone: int = 0
    undecided: int = 0
    suspect: bool = False
    checks_left: int | None = None
    """Requests that the budget of the plan `adaptive` allows; None: as many as there are candidates."""
    done: bool = False

    @property
    def itself(self) -> bool:
        """Whether the site worked normally: all controls were alive, and its pages were not all alike."""
        return self.controls_alive == self.controls and (self.differ or not self.alike)


class _VerificationFold(Fold):
    kind = RunKind.VERIFICATION
    plans = frozenset({Plan.MARKET, Plan.INDEX, Plan.AGENDA, Plan.ADAPTIVE})
    rank = 5
    every = EVERY

    def trigger(self, cadence: Cadence, memory: State, now: datetime) -> Trigger:
        """Recheck for runs between two that take all candidates; they take only faded records."""
        last = _checked_all_at(memory, now)
        full = last is None or now - last >= cadence.interval(self.kind, self.every)
        return Trigger.SCHEDULED if full else Trigger.RECHECK

    def next_at(self, cadence: Cadence, now: datetime, last: LastRun = NO_LAST_RUN) -> datetime:
        """Earlier than scheduled, but at most hourly, if a record falls below the threshold before."""
        full = _checked_all_at(last.memory, now) if last.trigger is Trigger.RECHECK else None
        due = (full or now) + cadence.interval(self.kind, self.every)
        fades_at = last.next_fading_at()
        return due if fades_at is None else min(due, max(fades_at, now + FADED_EVERY))

    def start(self, start: RunStart) -> FoldStep:
        everything = start.trigger is not Trigger.RECHECK
        state = Verifying(
            everything=everything,
            checked_all_at=start.now.isoformat() if everything else start.memory.get("checked_all_at"),
            undecided_in_a_row=start.memory.get("undecided_in_a_row") or 0,
            checks_left=start.spending.checks_left if start.spending else None,
        )
        return FoldStep(state=as_state(state), ask=(_ask(state),))

    def step(self, state: State, event: Event) -> FoldStep:
        verification = Verifying(**state)
        if isinstance(event, PagesSelected):
            return _window_opened(verification, event)
        if isinstance(event, WindowClosed):
            return _window_closed(verification, event)
        if event.purpose is not Purpose.CHECK:
            return FoldStep(state=state, done=verification.done)
        verification = _checked(verification, event)
        if verification.under_way > 0:
            return FoldStep(state=as_state(verification))
        return FoldStep(
            state=as_state(verification),
            close=CloseWindow(window=verification.window, decided=verification.itself),
        )

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        verification = Verifying(**state)
        memory = {
            "checked_all_at": verification.checked_all_at,
            "undecided_in_a_row": verification.undecided_in_a_row,
        }
        if verification.suspect:
            error = "the control records were not found: outage, block or relaunch"
            return RunEnd(status=RunStatus.SUSPECT, memory=memory, error_code="controls_missing", error=error)
        return RunEnd(
            status=RunStatus.COMPLETED, memory=memory, trusted_again=not verification.undecided_in_a_row
        )


VERIFICATION = _VerificationFold()


def _checked_all_at(memory: State, now: datetime) -> datetime | None:
    """When all candidates were last checked; a time in the future is an error of a clock."""
    stored = memory.get("checked_all_at")
    at = None if stored is None else datetime.fromisoformat(stored)
    return None if at is None or at > now else at


def _ask(verification: Verifying) -> SelectPages:
    selection = Selection.CHECKS if verification.everything else Selection.FADED
    left = WINDOW if verification.checks_left is None else verification.checks_left
    limit = max(0, min(WINDOW, left) - CONTROLS)
    return SelectPages(what=selection, limit=limit, window=verification.window)


def _window_opened(verification: Verifying, answer: PagesSelected) -> FoldStep:
    if answer.checks == 0:
        return FoldStep(state=as_state(replace(verification, done=True)), done=True)
    asked, left = answer.checks + answer.controls, verification.checks_left
    verification = replace(
        verification,
        under_way=asked,
        checks_left=None if left is None else left - asked,
        controls=answer.controls,
        controls_alive=0,
        vouched=False,
        first_page=(),
        alike=False,
        differ=False,
    )
    return FoldStep(state=as_state(verification))


def _checked(verification: Verifying, seen: PageSeen) -> Verifying:
    alive = seen.check_result is CheckResult.ALIVE
    verification = replace(
        _compared(verification, seen),
        under_way=verification.under_way - 1,
        vouched=verification.vouched or alive,
    )
    if seen.control:
        return replace(verification, controls_alive=verification.controls_alive + alive)
    return replace(verification, checked=verification.checked + 1)


def _compared(verification: Verifying, seen: PageSeen) -> Verifying:
    """The verification after comparing the page with the first page of its window."""
    if not seen.shows:
        return verification
    if not verification.first_page:
        return replace(verification, first_page=(seen.shows, seen.address))
    shown, address = verification.first_page
    unchanged = seen.shows == shown
    return replace(
        verification,
        alike=verification.alike or (unchanged and seen.address != address),
        differ=verification.differ or not unchanged,
    )


def _window_closed(verification: Verifying, window: WindowClosed) -> FoldStep:
    before = Suspicion(undecided_in_a_row=verification.undecided_in_a_row)
    after = before.after(_window_result(verification))
    over = after.suspect or verification.window >= MAX_WINDOWS
    verification = replace(
        verification,
        alive=verification.alive + window.alive,
        struck=verification.struck + window.struck,
        gone=verification.gone + window.gone,
        undecided=verification.undecided + window.undecided,
        undecided_in_a_row=after.undecided_in_a_row,
        suspect=after.suspect,
        done=over,
    )
    if over:
        return FoldStep(state=as_state(verification), done=True)
    verification = replace(verification, window=verification.window + 1)
    return FoldStep(state=as_state(verification), ask=(_ask(verification),))


def _window_result(verification: Verifying) -> Window:
    if not verification.itself:
        return Window.UNDECIDED
    return Window.DECIDED if verification.vouched else Window.UNVOUCHED
