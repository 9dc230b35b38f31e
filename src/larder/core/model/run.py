"""A run is one execution of one run kind over one source."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from larder.core.model.item import NextPage, RowShape
from larder.core.model.job import Purpose


class RunKind(StrEnum):
    """The kinds of runs."""

    COLLECT = "collect"
    DISCOVERY = "discovery"
    SWEEP = "sweep"
    VERIFICATION = "verification"
    MONITOR = "monitor"
    SCOUT = "scout"


class RunStatus(StrEnum):
    """The status of a run. `partial`: some items failed, the rest is saved."""

    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    STOPPED = "stopped"
    SUSPECT = "suspect"

    @property
    def open(self) -> bool:
        """Whether the run has not ended."""
        return self in (RunStatus.RUNNING, RunStatus.PAUSED)


class CheckResult(StrEnum):
    """What one check says about a record."""

    ALIVE = "alive"
    STRIKE = "strike"
    GONE = "gone"
    UNDECIDED = "undecided"


class Trigger(StrEnum):
    """What opened a run."""

    SCHEDULED = "scheduled"
    MANUAL = "manual"
    RETRY = "retry"
    RECHECK = "recheck"


_AFTER = {
    RunStatus.RUNNING: frozenset(RunStatus) - {RunStatus.RUNNING},
    RunStatus.PAUSED: frozenset({RunStatus.RUNNING, RunStatus.STOPPED, RunStatus.FAILED}),
}


def may_become(current: RunStatus, new: RunStatus) -> bool:
    """The allowed transitions of a run; a closed run stays closed."""
    return new in _AFTER.get(current, frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecord:
    """A record that a page showed for the first time."""

    identity_key: str
    url: str | None
    incomplete: bool = False
    """What its row says is too little for a record: its own page must be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFindings:
    """The evidence of an index page about records that it should show."""

    stable: bool = False
    """Its rows are in the order in which they were before."""
    rows: int = 0
    """Records that it shows."""
    missed: int = 0
    """Records that are not among their neighbours, for the first time."""
    again: int = 0
    """Rows that were missed at the last look and are there."""
    pending: int = 0
    """Records that were missed before and take another look."""
    unseen: int = 0
    """Records that are not shown any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSeen:
    """One finished page of a run, as its fold receives it."""

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
    indexes: Sequence[str] = ()
    """Further index pages that it names: the sitemaps of a sitemap index."""
    advertised: int | None = None
    check_result: CheckResult | None = None
    """What a check says about its record."""
    control: bool = False
    """The check was of a record that must be there."""
    shows: str = ""
    """A short name for the rows on the page in their order, or for the text of a check's page."""
    address: str = ""
    """A short name for the address that was asked for."""
    row_names: Sequence[str] = ()
    """A short name for each row."""
    row_shapes: Sequence[RowShape] = ()
    """How the page builds its rows, where it has enough of them to tell."""
    changed: int = 0
    """Known records whose content it changed."""
    price_changed: bool = False
    """It showed another price than was known of a record."""
    findings: IndexFindings = field(default_factory=IndexFindings)

    @property
    def rows(self) -> int:
        """How many rows the page showed."""
        return len(self.new) + len(self.known) + len(self.incomplete) + self.left_out


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesSelected:
    """What a selection found."""

    checks: int = 0
    controls: int = 0
    pages: int = 0
    """Pages that were queued, checks included."""
    hours: float = 0.0
    """Since detail pages among them were last read, all added up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed:
    """The result of a closed window of checks."""

    alive: int = 0
    struck: int = 0
    gone: int = 0
    undecided: int = 0
    """Checks without a conclusion."""
