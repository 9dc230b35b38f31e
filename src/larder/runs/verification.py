"""Verification finds records that are gone, and tells them from records that could not be reached.

Checks come in windows with controls. A window is closed when its last answer is in; if a control is missing,
or all pages are alike, it proves nothing. Two such windows in a row, even in two runs, end the run as
suspect. A recheck, between the runs that take all candidates, takes only records that fell below the line.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
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

EVERY = timedelta(hours=6)
FADED_EVERY = timedelta(hours=1)
"""The least time between two runs, however many records fall below the line."""
MAX_WINDOWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifying:
    """The state of a verification."""

    everything: bool = True
    """All candidates, or only those below the line."""
    checked_all_at: str | None = None
    """When a run last took all candidates; this one's start, if it does."""
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
    done: bool = False

    @property
    def itself(self) -> bool:
        """The site was itself: all controls were alive, and its pages were not all alike."""
        return self.controls_alive == self.controls and (self.differ or not self.alike)


class _VerificationFold(Fold):
    kind = RunKind.VERIFICATION
    plans = frozenset({Plan.MARKET, Plan.INDEX, Plan.AGENDA, Plan.ADAPTIVE})
    rank = 5
    every = EVERY

    def trigger(self, cadence: Cadence, memory: State, now: datetime) -> Trigger:
        """Between two runs that take all candidates, those of the faded alone are rechecks."""
        last = _checked_all_at(memory, now)
        full = last is None or now - last >= cadence.interval(self.kind, self.every)
        return Trigger.SCHEDULED if full else Trigger.RECHECK

    def next_at(self, cadence: Cadence, now: datetime, last: LastRun = NO_LAST_RUN) -> datetime:
        """Sooner, but at most hourly, when a record falls below the line before."""
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
        )
        return FoldStep(state=asdict(state), ask=(_ask(state),))

    def step(self, state: State, event: Event) -> FoldStep:
        here = Verifying(**state)
        if isinstance(event, PagesSelected):
            return _opened(here, event)
        if isinstance(event, WindowClosed):
            return _closed(here, event)
        if event.purpose is not Purpose.CHECK:
            return FoldStep(state=state, done=here.done)
        here = _checked(here, event)
        if here.under_way > 0:
            return FoldStep(state=asdict(here))
        return FoldStep(state=asdict(here), close=CloseWindow(window=here.window, decided=here.itself))

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        here = Verifying(**state)
        memory = {"checked_all_at": here.checked_all_at, "undecided_in_a_row": here.undecided_in_a_row}
        if here.suspect:
            error = "the control records were not found: outage, block or relaunch"
            return RunEnd(status=RunStatus.SUSPECT, memory=memory, error_code="controls_missing", error=error)
        return RunEnd(status=RunStatus.COMPLETED, memory=memory, trusted_again=not here.undecided_in_a_row)


VERIFICATION = _VerificationFold()


def _checked_all_at(memory: State, now: datetime) -> datetime | None:
    """When all candidates were checked last; a time ahead of now is a clock's error."""
    stored = memory.get("checked_all_at")
    at = None if stored is None else datetime.fromisoformat(stored)
    return None if at is None or at > now else at


def _ask(here: Verifying) -> SelectPages:
    what = Selection.CHECKS if here.everything else Selection.FADED
    return SelectPages(what=what, limit=WINDOW - CONTROLS, window=here.window)


def _opened(here: Verifying, answer: PagesSelected) -> FoldStep:
    if answer.checks == 0:
        return FoldStep(state=asdict(replace(here, done=True)), done=True)
    here = replace(
        here,
        under_way=answer.checks + answer.controls,
        controls=answer.controls,
        controls_alive=0,
        vouched=False,
        first_page=(),
        alike=False,
        differ=False,
    )
    return FoldStep(state=asdict(here))


def _checked(here: Verifying, seen: PageSeen) -> Verifying:
    alive = seen.check_result is CheckResult.ALIVE
    here = replace(_compared(here, seen), under_way=here.under_way - 1, vouched=here.vouched or alive)
    if seen.control:
        return replace(here, controls_alive=here.controls_alive + alive)
    return replace(here, checked=here.checked + 1)


def _compared(here: Verifying, seen: PageSeen) -> Verifying:
    """Compare what the page shows with the first page of its window."""
    if not seen.shows:
        return here
    if not here.first_page:
        return replace(here, first_page=(seen.shows, seen.address))
    shown, address = here.first_page
    same = seen.shows == shown
    return replace(
        here, alike=here.alike or (same and seen.address != address), differ=here.differ or not same
    )


def _closed(here: Verifying, came: WindowClosed) -> FoldStep:
    before = Suspicion(undecided_in_a_row=here.undecided_in_a_row)
    after = before.after(_worth(here))
    over = after.suspect or here.window >= MAX_WINDOWS
    here = replace(
        here,
        alive=here.alive + came.alive,
        struck=here.struck + came.struck,
        gone=here.gone + came.gone,
        undecided=here.undecided + came.undecided,
        undecided_in_a_row=after.undecided_in_a_row,
        suspect=after.suspect,
        done=over,
    )
    if over:
        return FoldStep(state=asdict(here), done=True)
    here = replace(here, window=here.window + 1)
    return FoldStep(state=asdict(here), ask=(_ask(here),))


def _worth(here: Verifying) -> Window:
    if not here.itself:
        return Window.UNDECIDED
    return Window.DECIDED if here.vouched else Window.UNVOUCHED
