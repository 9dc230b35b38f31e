"""Monitor fetches targets (watched URLs) that are due, by priority, a window at a time."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, PagesSelected, RunKind, RunStatus
from larder.core.model.source import Plan
from larder.runs.fold import Event, Fold, FoldStep, RunEnd, RunStart, Selection, SelectPages, State

EVERY = timedelta(minutes=1)
"""How often a source checks which of its targets are due."""
WINDOW = 50
MAX_ITEMS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """The state of a monitor."""

    limit: int = MAX_ITEMS
    under_way: int = 0
    looked_at: int = 0
    failed: int = 0
    done: bool = False


class _MonitorFold(Fold):
    kind = RunKind.MONITOR
    plans = frozenset({Plan.MONITOR})
    rank = 2
    every = EVERY
    extracts = starts_at_once = reads_targets = True

    def start(self, start: RunStart) -> FoldStep:
        state = Monitor(limit=start.source.max_items_per_run or MAX_ITEMS)
        return FoldStep(state=asdict(state), ask=(_ask(state),))

    def step(self, state: State, event: Event) -> FoldStep:
        here = Monitor(**state)
        if isinstance(event, PagesSelected):
            here = replace(here, under_way=event.pages, done=event.pages == 0)
            return FoldStep(state=asdict(here), done=here.done)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.TARGET:
            return FoldStep(state=state, done=here.done)
        here = replace(
            here,
            under_way=here.under_way - 1,
            looked_at=here.looked_at + 1,
            failed=here.failed + (not event.read),
        )
        if here.under_way > 0:
            return FoldStep(state=asdict(here))
        if here.looked_at >= here.limit:
            return FoldStep(state=asdict(replace(here, done=True)), done=True)
        return FoldStep(state=asdict(here), ask=(_ask(here),))

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        here = Monitor(**state)
        if here.looked_at and here.failed == here.looked_at:
            error = f"none of {here.looked_at} targets could be read"
            return RunEnd(status=RunStatus.FAILED, memory={}, error_code="no_target_read", error=error)
        return RunEnd(status=RunStatus.PARTIAL if failed else RunStatus.COMPLETED, memory={})


MONITOR = _MonitorFold()


def _ask(here: Monitor) -> SelectPages:
    return SelectPages(what=Selection.TARGETS, limit=min(WINDOW, here.limit - here.looked_at))
