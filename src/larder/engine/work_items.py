"""The values that the engine carries from stage to stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from larder.core.model.item import Dropped, Extracted, Failed, Quarantined, Staged
from larder.core.model.job import Job
from larder.core.model.page import Fetched, LastPage
from larder.core.model.run import CheckResult
from larder.core.model.source import Source
from larder.core.ports import Chance
from larder.store.queue.lanes import Lane

LEASE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """The driver that claims jobs: its name, its randomness, how long it leases a lane."""

    owner: str
    chance: Chance
    lease: timedelta = LEASE


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A claimed job with all that is needed to do it."""

    job: Job
    source: Source
    lane: Lane
    last: LastPage | None = None
    """What this URL gave last time, if today's adapter read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedWork:
    """Work whose fetch has ended; `page_id` once its page is stored."""

    work: Work
    fetched: Fetched
    page_id: int | None = None
    head: Fetched | None = None
    """What HEAD said, where a check asked both ways."""

    @property
    def unchanged(self) -> bool:
        """The page says what it said last time, to the byte: there is nothing to read in it."""
        last = self.work.last
        return last is not None and bool(last.content_hash) and self.fetched.content_hash == last.content_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessedPage:
    """Work that has been through parse and normalize, or got as far as it will."""

    work: Work
    fetched: Fetched
    page_id: int | None
    reading: Extracted | Failed | None = None
    unchanged: bool = False
    """Not read, because it is as it was."""
    staged: Sequence[Staged] = ()
    dropped: Sequence[Dropped] = ()
    quarantined: Sequence[Quarantined] = ()
    trace: str = ""
    """Set where reading raised, or where writing was refused."""
    refused: str = ""
    """Why the database would not take what the page showed."""
    verdict: CheckResult | None = None
    """What a check says about its record."""
    head: CheckResult | None = None
    """What HEAD alone said, where both ways were asked."""


class FetchTasks(Protocol):
    """Who fetches: real fetch_tasks over the network, virtual ones in the simulator."""

    def start(self, work: Work) -> None:
        """Start one job; it turns up in `finished`."""
        ...

    async def wait_finished(self, until: datetime) -> Sequence[FetchedWork]:
        """What has been fetched; waits for the first, or until then."""
        ...

    def stop(self) -> None:
        """Send nothing more: what waits for its slot comes back unsent, and `finished` returns at once."""
        ...

    async def cancel_all(self) -> None:
        """Let go of everything that is under way."""
        ...
