"""The values that the engine passes from stage to stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from larder.core.model.item import Dropped, Extracted, Failed, Item, Quarantined, Staged
from larder.core.model.job import Job
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import FeedAddress, Fetched, LastPage
from larder.core.model.run import CheckResult
from larder.core.model.source import FetcherName, Source
from larder.core.ports import Chance

if TYPE_CHECKING:
    from larder.store.queue.lanes import Lane

LEASE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A worker: its name, its randomness, how long it leases a lane."""

    owner: str
    chance: Chance
    lease: timedelta = LEASE
    max_lanes: int | None = None
    """The most lanes that it takes, so that other workers get some; None: no limit."""
    drivers: int = 1
    """Drivers that share the lanes, this one among them: each takes an equal part."""

    @property
    def shares(self) -> bool:
        """Whether other workers write into the same database."""
        return self.drivers > 1 or self.max_lanes is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A claimed job with the data for doing it."""

    job: Job
    source: Source
    lane: "Lane"
    last: LastPage | None = None
    """The last page of this URL, if the same adapter version read it."""


_NOTHING_SENT = frozenset({FetchOutcome.ROBOTS_BLOCKED, FetchOutcome.TERMS})


def requests_of(fetched: Fetched) -> int:
    """How many requests a fetch sent to the site, each redirect included."""
    if fetched.waiting or fetched.outcome in _NOTHING_SENT or fetched.fetcher == FetcherName.ACTOR:
        return 0
    return max(1, len(fetched.hops))


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedWork:
    """Work whose fetch has ended; `page_id` once its page is stored."""

    work: Work
    fetched: Fetched
    page_id: int | None = None
    head: Fetched | None = None
    """The response to HEAD, where a check sent both HEAD and GET."""
    head_requests: int = 0
    """HEAD requests sent before it."""

    @property
    def requests(self) -> int:
        """How many requests the fetch sent, each redirect included."""
        return self.head_requests + requests_of(self.fetched)

    @property
    def unchanged(self) -> bool:
        """Whether the body is the same as last time, byte for byte."""
        last = self.work.last
        return last is not None and bool(last.content_hash) and self.fetched.content_hash == last.content_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument:
    """The addresses on its source's site that one document of a feed names."""

    things: Sequence[FeedAddress] = ()
    """Pages that become targets."""
    others: Sequence[FeedAddress] = ()
    """Pages of a rarer shape: they become no targets, and a target among them has not left the feed."""
    elsewhere: int = 0
    """Addresses on other sites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessedPage:
    """A page after parse and normalize, or as far as it got."""

    work: Work
    fetched: Fetched
    page_id: int | None
    reading: Extracted | Failed | None = None
    unchanged: bool = False
    """Not parsed, because its body is the same as last time."""
    staged: Sequence[Staged] = ()
    valid: Sequence[Item] = ()
    """The items that were staged, as the page shows them."""
    dropped: Sequence[Dropped] = ()
    quarantined: Sequence[Quarantined] = ()
    trace: str = ""
    """Set where parsing raised or the database rejected rows."""
    refused: str = ""
    """Why the database rejected the page's rows."""
    check_result: CheckResult | None = None
    """What a check says about its record."""
    head: CheckResult | None = None
    """The result of HEAD alone, if a check sent both."""
    feed: FeedDocument | None = None
    """The addresses of a feed of targets."""
    parse_ms: int | None = None
    """How long parsing and normalizing took; None where the page was not parsed."""
    text_hash: str = ""
    """A hash of the visible text of a check's page."""


class BatchWait(NamedTuple):
    """How long the first page of a batch waits for others."""

    longest: timedelta
    pages: int
    """The number of pages that fills the batch."""


NO_WAIT = BatchWait(timedelta(0), 1)


class FetchTasks(Protocol):
    """Runs fetches: over the network, or virtually in the simulator."""

    def start(self, work: Work) -> None:
        """Start one job; `wait_finished` returns it."""
        ...

    async def wait_finished(self, until: datetime, wait: BatchWait = NO_WAIT) -> Sequence[FetchedWork]:
        """Fetched work; waits for the first, at most until then. `wait`: how it may wait for others."""
        ...

    def wake(self) -> None:
        """Make `wait_finished` return although no fetch has ended."""
        ...

    def stop(self) -> None:
        """Send nothing more: jobs that wait for a slot come back unsent, `wait_finished` returns."""
        ...

    async def cancel_all(self) -> None:
        """Cancel everything in flight."""
        ...
