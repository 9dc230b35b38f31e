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
    """The result of one check of a record."""

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
    """Its row has too little data for a record: its own page must be read."""
    lacks: str = ""
    """What such a row lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFindings:
    """The evidence of an index page about records that it should show."""

    stable: bool = False
    """Its rows are in the order in which they were before."""
    rows: int = 0
    """Records that it shows."""
    missed: int = 0
    """Records missing between their neighbours for the first time."""
    again: int = 0
    """Records that were missing at the last look and are there now."""
    pending: int = 0
    """Records that were missing before and need another look."""
    unseen: int = 0
    """Records that count as no longer listed."""


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
    """One entry for each known row: when a discovery first saw it (None: another run kind did)."""
    incomplete: Sequence[NewRecord] = ()
    """Rows with too little data for a record before their own page is read."""
    left_out: int = 0
    """Rows on the page that became no record."""
    last: bool | None = None
    next_page: NextPage | None = None
    indexes: Sequence[str] = ()
    """Further index pages that it names: the sitemaps of a sitemap index."""
    advertised: int | None = None
    check_result: CheckResult | None = None
    """The result, if the page was fetched for a check."""
    control: bool = False
    """Whether the check was a control: of a record that must be there."""
    shows: str = ""
    """A digest of the page's rows in their order, or of the text of a check's page."""
    address: str = ""
    """A digest of the requested address."""
    row_names: Sequence[str] = ()
    """A digest of each row."""
    row_shapes: Sequence[RowShape] = ()
    """The page's row shapes, if it has enough rows to tell."""
    changed: int = 0
    """Known records whose content the page changed."""
    price_changed: bool = False
    """Whether the page shows another price than the known one."""
    findings: IndexFindings = field(default_factory=IndexFindings)

    @property
    def rows(self) -> int:
        """How many rows the page showed."""
        return len(self.new) + len(self.known) + len(self.incomplete) + self.left_out


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesSelected:
    """The result of a selection."""

    checks: int = 0
    controls: int = 0
    pages: int = 0
    """Pages that were queued, checks included."""
    hours: float = 0.0
    """Hours since the detail pages among them were last read, added up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed:
    """The result of a closed window of checks."""

    alive: int = 0
    struck: int = 0
    gone: int = 0
    undecided: int = 0
    """Checks without a conclusion."""
