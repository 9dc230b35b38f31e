"""A run is one execution of one run kind over one source."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from larder.core.model.item import NextPage
from larder.core.model.job import Purpose


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


class CheckResult(StrEnum):
    """What one check says about a record."""

    ALIVE = "alive"
    STRIKE = "strike"
    GONE = "gone"
    UNDECIDED = "undecided"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecord:
    """A record that a page showed for the first time."""

    identity_key: str
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSeen:
    """What one page of a run turned out to be: all that its next step may know."""

    purpose: Purpose
    at: datetime
    number: int | None = None
    read: bool = True
    """False where the page never came or could not be read."""
    missing: bool = False
    """The site says that there is no such page (404, 410)."""
    new: Sequence[NewRecord] = ()
    known: Sequence[datetime | None] = ()
    """One for each row we knew: when a discovery first saw it (None: other runs did)."""
    incomplete: Sequence[NewRecord] = ()
    """Rows that say too little to be records before their own page is read."""
    left_out: int = 0
    """Rows that were there and of which none was made a record."""
    last: bool | None = None
    next_page: NextPage | None = None
    advertised: int | None = None
    verdict: CheckResult | None = None
    """What a check says about its record."""
    control: bool = False
    """The check was of a record that must be there."""
    shows: str = ""
    """A short name for the rows on the page, in their order: equal rows, equal name."""
    row_names: Sequence[str] = ()
    """A short name for each row."""

    @property
    def rows(self) -> int:
        """How many rows the page showed."""
        return len(self.new) + len(self.known) + len(self.incomplete) + self.left_out


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesSelected:
    """What the store had to offer when a run asked for a selection."""

    checks: int = 0
    controls: int = 0
    pages: int = 0
    """Pages that were put in line, checks included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed:
    """What a window of checks came to when it was closed."""

    alive: int = 0
    struck: int = 0
    gone: int = 0
    undecided: int = 0
    """Of these nothing was concluded."""
