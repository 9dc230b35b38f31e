"""A run is one execution of one run kind over one source."""

from enum import StrEnum


class RunKind(StrEnum):
    """What a run sets out to do."""

    COLLECT = "collect"
    DISCOVERY = "discovery"
    SWEEP = "sweep"
    VERIFICATION = "verification"
    MONITOR = "monitor"
    SCOUT = "scout"


class RunStatus(StrEnum):
    """Where a run stands. `partial`: some items failed, the rest is saved."""

    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    STOPPED = "stopped"
    SUSPECT = "suspect"

    @property
    def open(self) -> bool:
        """More will happen in it."""
        return self in (RunStatus.RUNNING, RunStatus.PAUSED)


class Trigger(StrEnum):
    """Who asked for a run."""

    SCHEDULED = "scheduled"
    MANUAL = "manual"
    RETRY = "retry"
    RECHECK = "recheck"


_AFTER = {
    RunStatus.RUNNING: frozenset(RunStatus) - {RunStatus.RUNNING},
    RunStatus.PAUSED: frozenset({RunStatus.RUNNING, RunStatus.STOPPED, RunStatus.FAILED}),
}


def may_become(current: RunStatus, new: RunStatus) -> bool:
    """The one table of a run's transitions; a closed run stays closed."""
    return new in _AFTER.get(current, frozenset())
