"""The interface of run kinds: traits, start, step, end; the state is plain JSON between steps."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar

from larder.core.model.item import RowShape
from larder.core.model.run import PageSeen, PagesSelected, RunKind, RunStatus, Trigger, WindowClosed
from larder.core.model.source import Plan, Source
from larder.core.policy.run_limits import limit_of
from larder.core.policy.scheduling.cadence import Cadence
from larder.core.policy.scheduling.spending import NOTHING_SPENT, SpendingPlan, Spent

State = Mapping[str, Any]
Event = PageSeen | PagesSelected | WindowClosed
"""The events of a fold: a page is finished, a selection was resolved, a window was closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """Requests an index page: by its URL where a link was followed, else by its number."""

    number: int
    url: str | None = None
    row_shapes: Sequence[RowShape] = ()
    """Row shapes of earlier pages of the index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailPage:
    """Requests a record's own page."""

    url: str
    identity_key: str
    incomplete: bool = False
    """There is no record yet: its row has too little data."""


class Selection(StrEnum):
    """A choice of pages that only the store can make, in windows of bounded size."""

    STALEST = "stalest"
    """Rows seen by this run whose own page was never read, or not lately; the stalest first."""
    CHECKS = "checks"
    """Records that may be gone, with the controls of their window."""
    FADED = "faded"
    """Of the records to check, only those that fell below 40."""
    TARGETS = "targets"
    """Targets that are due, by priority."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectPages:
    """Requests a window of pages from the store; the answer is `PagesSelected`."""

    what: Selection
    limit: int
    window: int = 0
    older_than: timedelta | None = None
    """Only detail pages that were last read longer ago than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPage:
    """Requests a document of the feed that names a source's targets."""

    url: str
    read_at: datetime
    """When this reading of the feed began: the same for all its documents."""


Request = IndexPage | DetailPage | FeedPage | SelectPages


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStart:
    """The inputs of a run: its source, and the memory of the last run of its kind."""

    source: Source
    memory: Mapping[str, Any] = field(default_factory=dict)
    trigger: Trigger = Trigger.SCHEDULED
    numbered: bool = True
    """The adapter knows the address of each index page by its number."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """Limits that the deployment sets for all its sources."""
    spending: SpendingPlan | None = None
    """The spending of a source with the plan `adaptive`."""
    top_read_at: datetime | None = None
    """When the last complete discovery of such a source began."""
    now: datetime

    def limit(self, name: str) -> int:
        """A limit of this run: its source's, else the deployment's, else the default."""
        return int(limit_of(name, self.source.params, self.limits))


@dataclass(frozen=True, slots=True, kw_only=True)
class LastRun:
    """What the time of the next run depends on, besides the cadence."""

    memory: State = field(default_factory=dict)
    trigger: Trigger = Trigger.SCHEDULED
    next_fading_at: Callable[[], datetime | None] = lambda: None
    """Reads from the store when the next record falls below the threshold."""
    memory_of: Callable[[RunKind], State] = lambda _: {}
    """Reads from the store the memory of the last run of another kind."""
    spent: Callable[[], Spent] = lambda: NOTHING_SPENT
    """Reads from the store what the source spent lately."""


NO_LAST_RUN = LastRun()


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseWindow:
    """All checks of a window are finished; the answer is `WindowClosed`."""

    window: int
    decided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldStep:
    """The state after a step, the pages it requests, and whether it is done."""

    state: State
    ask: tuple[Request, ...] = ()
    done: bool = False
    close: CloseWindow | None = None
    unasked: tuple[DetailPage, ...] = ()
    """Detail pages that `max_items_per_run` leaves out."""
    feed_read_at: datetime | None = None
    """When the completed reading of the feed began: targets that it did not name have left the feed."""
    pause: str | None = None
    """Why the run is paused after this step: a person decides whether it continues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """How a run ended, and the memory for the next one of its kind."""

    status: RunStatus
    memory: Mapping[str, Any]
    trusted_again: bool = False
    """The source answers normally again: an alert about suspect runs is resolved."""
    certificate: Mapping[str, Any] | None = None
    error_code: str | None = None
    error: str | None = None
    limit: str | None = None
    """The setting that ended it before the index did."""
    advertised: int | None = None
    rows: int = 0
    """Rows that the site advertises, and rows that its pages showed."""


class Fold(ABC):
    """A run kind: its traits, and its state machine. A kind overrides what differs from the defaults."""

    kind: ClassVar[RunKind]
    plans: ClassVar[frozenset[Plan]]
    """The plans whose sources have runs of this kind."""
    rank: ClassVar[int]
    """Its place in a site's lane; the smallest goes first."""
    every: ClassVar[timedelta]
    """How long after one run the next is due."""
    adjustable: ClassVar[bool] = True
    """A source or a deployment may set another interval, as `<kind>_every`."""
    reads_index: ClassVar[bool] = False
    extracts: ClassVar[bool] = False
    """It reads items from pages, so drift is judged by it."""
    starts_at_once: ClassVar[bool] = False
    """A new source begins with it; other kinds wait for their first interval."""
    marks_discovered: ClassVar[bool] = False
    """Rows of its index pages count as discovered: the watermark of later runs."""
    reads_targets: ClassVar[bool] = False
    """It runs only while some target of its source is due, or the feed that names them."""

    def trigger(self, cadence: Cadence, memory: State, now: datetime) -> Trigger:  # noqa: ARG002
        """The trigger of a run that the schedule opens now."""
        return Trigger.SCHEDULED

    def next_at(self, cadence: Cadence, now: datetime, last: LastRun = NO_LAST_RUN) -> datetime:  # noqa: ARG002
        """When the next run is due."""
        return now + cadence.interval(self.kind, self.every)

    def reads_feed(self, source: Source, memory: State, now: datetime) -> bool:  # noqa: ARG002
        """Whether the feed that names the source's targets is due."""
        return False

    @abstractmethod
    def start(self, start: RunStart) -> FoldStep:
        """The first step."""

    @abstractmethod
    def step(self, state: State, event: Event) -> FoldStep:
        """The step after a page is finished (or will never come), a selection was resolved, or a window was
        closed.
        """

    @abstractmethod
    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:
        """The end of the run, after all its pages are finished, `failed` of them without success."""
