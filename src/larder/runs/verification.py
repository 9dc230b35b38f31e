"""Verification finds what is gone, and tells it from what could not be reached.

Checks come in windows, each with its controls. A window is settled when its last answer is in: if a control
is not there, the site is not itself, and the window proves nothing. Two such windows in a row end the run as
suspect.
"""

from dataclasses import asdict, dataclass, replace
from datetime import datetime

from larder.core.model.job import Purpose
from larder.core.model.run import RunStatus, Seen, Selected, Verdict
from larder.core.policy.verification import CONTROLS, UNDECIDED_TO_SUSPECT, WINDOW
from larder.runs.fold import CloseWindow, End, Select, Selection, Start, State, Step

MOST_WINDOWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifying:
    """Where a verification stands."""

    window: int = 0
    under_way: int = 0
    controls: int = 0
    controls_alive: int = 0
    vouched: bool = False
    """Some check of this window was answered alive."""
    undecided_in_a_row: int = 0
    checked: int = 0
    alive: int = 0
    gone: int = 0
    undecided: int = 0
    suspect: bool = False
    done: bool = False


class _VerificationFold:
    def start(self, start: Start) -> Step:  # noqa: ARG002
        return Step(state=asdict(Verifying(window=1)), ask=(_ask(1),))

    def step(self, state: State, event: Seen | Selected) -> Step:
        here = Verifying(**state)
        if isinstance(event, Selected):
            return _opened(here, event)
        if event.purpose is not Purpose.CHECK:
            return Step(state=state, done=here.done)
        here = _checked(here, event)
        if here.under_way > 0:
            return Step(state=asdict(here))
        return _closed(here)

    def end(self, state: State, *, failed: int, now: datetime) -> End:  # noqa: ARG002
        here = Verifying(**state)
        if here.suspect:
            error = "records that must be there were not: outage, block or relaunch"
            return End(status=RunStatus.SUSPECT, memory={}, error_code="controls_missing", error=error)
        return End(status=RunStatus.COMPLETED, memory={})


VERIFICATION = _VerificationFold()


def _ask(window: int) -> Select:
    return Select(what=Selection.CHECKS, limit=WINDOW - CONTROLS, window=window)


def _opened(here: Verifying, answer: Selected) -> Step:
    if answer.checks == 0:
        return Step(state=asdict(replace(here, done=True)), done=True)
    here = replace(
        here,
        under_way=answer.checks + answer.controls,
        controls=answer.controls,
        controls_alive=0,
        vouched=False,
    )
    return Step(state=asdict(here))


def _checked(here: Verifying, seen: Seen) -> Verifying:
    alive = seen.verdict is Verdict.ALIVE
    here = replace(here, under_way=here.under_way - 1)
    if seen.control:
        return replace(here, controls_alive=here.controls_alive + alive)
    return replace(
        here,
        checked=here.checked + 1,
        alive=here.alive + alive,
        gone=here.gone + (seen.verdict is Verdict.GONE),
        undecided=here.undecided + (seen.verdict is Verdict.UNDECIDED),
        vouched=here.vouched or alive,
    )


def _closed(here: Verifying) -> Step:
    itself = here.controls_alive == here.controls
    decided = itself and (here.controls > 0 or here.vouched)
    row = here.undecided_in_a_row if itself else here.undecided_in_a_row + 1
    row = 0 if decided else row
    suspect = row >= UNDECIDED_TO_SUSPECT
    over = suspect or here.window >= MOST_WINDOWS
    closing = CloseWindow(window=here.window, decided=decided)
    here = replace(here, undecided_in_a_row=row, suspect=suspect, done=over)
    if over:
        return Step(state=asdict(here), done=True, close=closing)
    here = replace(here, window=here.window + 1)
    return Step(state=asdict(here), ask=(_ask(here.window),), close=closing)
