"""Virtual time: the real driver, dispatch and store, without network, threads or waiting.

Only fetching and (unless real HTML is requested) parsing are replaced. A request is answered by the simulated
site as of the moment at which the request's slot opens; time jumps from one event to the next.
"""

import heapq
import random
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

from larder import adapters
from larder.core.model.job import Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.core.policy.scheduling.cadence import TICK_DISTRIBUTED
from larder.core.policy.trust.head_trust import CheckMethod, needs_get
from larder.core.policy.trust.verification import result_of_response
from larder.engine.clock import VirtualClock
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import NO_WAIT, BatchWait, FetchedWork, Work, Worker, requests_of
from larder.engine.worker.driver import Driver
from larder.sim.site import SimRequest, SimResponse, SimSite
from larder.store.database import InlineDatabase, inline_database
from larder.store.migrations import upgrade
from larder.store.pages.blobs import content_hash
from larder.store.queue import sources

T = TypeVar("T")
AnswerFunction = Callable[[Work, datetime], Fetched]
"""The answer of the simulated sites to a request at a moment."""


@dataclass(slots=True, kw_only=True)
class VirtualFetchTasks:
    """Fetches that end in virtual time, in the order in which they would."""

    clock: VirtualClock
    answer: AnswerFunction
    head: AnswerFunction | None = None
    """The same for HEAD; None: checks always use GET."""
    latency: timedelta = timedelta(milliseconds=200)
    requests: int = 0
    _queue: list[tuple[datetime, int, Work]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=count)

    def start(self, work: Work) -> None:
        """Queue the request for the time its slot opens."""
        opens = work.job.slot.opens_at if work.job.slot else self.clock.now()
        heapq.heappush(self._queue, (max(opens, self.clock.now()) + self.latency, next(self._number), work))

    async def wait_finished(
        self,
        until: datetime,
        wait: BatchWait = NO_WAIT,  # noqa: ARG002
    ) -> Sequence[FetchedWork]:
        """Jump to the next page that comes in, or to `until`."""
        if not self._queue or self._queue[0][0] > until:
            self.clock.advance(until)
            return ()
        ends, _, work = heapq.heappop(self._queue)
        self.clock.advance(ends)
        return (self._carry(work, ends - self.latency),)

    def _carry(self, work: Work, at: datetime) -> FetchedWork:
        """Answer like the real fetch tasks: evidence against a record always comes from a GET."""
        self.requests += 1
        method = CheckMethod(work.job.request.context.get("method", CheckMethod.GET))
        if self.head is None or method is CheckMethod.GET or work.job.stage is not Stage.FETCH:
            return FetchedWork(work=work, fetched=self.answer(work, at))
        head = self.head(work, at)
        if method is CheckMethod.HEAD and not needs_get(result_of_response(head.outcome), head.status):
            return FetchedWork(work=work, fetched=head)
        self.requests += 1
        fetched = self.answer(work, at)
        both = head if method is CheckMethod.BOTH else None
        return FetchedWork(work=work, fetched=fetched, head=both, head_requests=requests_of(head))

    def wake(self) -> None:
        """Does nothing: nothing waits in virtual time."""

    def stop(self) -> None:
        """Does nothing: nothing waits in virtual time."""

    async def cancel_all(self) -> None:
        """Cancel all queued requests."""
        self._queue.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class SimWeb:
    """Answers for the sites it knows, by name; `html`: as pages to be parsed, not as parsed values."""

    sites: Mapping[str, SimSite]
    html: bool = False

    @classmethod
    def of(cls, sites: Iterable[SimSite], *, html: bool = False) -> "SimWeb":
        """The web of these sites."""
        return cls(sites={site.name: site for site in sites}, html=html)

    def __call__(self, work: Work, at: datetime) -> Fetched:
        """The answer to one request."""
        url = work.job.request.url
        request = SimRequest.of(url)
        site = self.sites[urlsplit(url).hostname or ""]
        answer = site.answer(request, at)
        rows = None if self.html else site.payload(request, answer)
        if rows is not None:
            return Fetched(
                outcome=FetchOutcome.OK, url=url, final_url=url, fetched_at=at, status=200, payload=rows
            )
        return _as_html(site.respond(request, at), url, at)

    def head(self, work: Work, at: datetime) -> Fetched:
        """The answer to the same request without its body."""
        url = work.job.request.url
        answer = self.sites[urlsplit(url).hostname or ""].answer(SimRequest.of(url, "HEAD"), at)
        return _as_html(SimResponse(status=answer.status, headers=answer.headers, cut=answer.cut), url, at)


def _as_html(response: SimResponse, url: str, at: datetime) -> Fetched:
    status, location = response.status, response.headers.get("Location")
    return Fetched(
        outcome=FetchOutcome.OK if location else _outcome(status, cut=response.cut),
        url=url,
        final_url=urljoin(url, location) if location else url,
        fetched_at=at,
        status=status or None,
        headers={name.lower(): value for name, value in response.headers.items()},
        body=response.body,
        content_hash=content_hash(response.body) if response.body else None,
        retry_at=_retry_at(response, at),
    )


def _retry_at(response: SimResponse, at: datetime) -> datetime | None:
    method = response.headers.get("Retry-After")
    return None if method is None else at + timedelta(seconds=int(method))


_OUTCOMES = {
    200: FetchOutcome.OK,
    403: FetchOutcome.BLOCKED,
    404: FetchOutcome.NOT_FOUND,
    410: FetchOutcome.GONE,
    429: FetchOutcome.BLOCKED,
}


def _outcome(status: int, *, cut: bool) -> FetchOutcome:
    return FetchOutcome.ERROR if cut else _OUTCOMES.get(status, FetchOutcome.ERROR)


class VirtualLarder:
    """A complete Larder in virtual time, on a database of its own."""

    def __init__(
        self,
        web: SimWeb,
        *,
        start: datetime,
        seed: int = 0,
        database: InlineDatabase | None = None,
        kinds: frozenset[RunKind] = frozenset({RunKind.DISCOVERY}),
        tick_every: timedelta = TICK_DISTRIBUTED,
    ) -> None:
        self.clock = VirtualClock(start)
        self.database = database or inline_database()
        self.database.now(upgrade.create)
        rng = random.Random(seed)  # noqa: S311 - luck, not secrecy
        self.fetch_tasks = VirtualFetchTasks(clock=self.clock, answer=web, head=web.head)
        self.driver = Driver(
            database=self.database,
            clock=self.clock,
            fetch_tasks=self.fetch_tasks,
            worker=Worker(owner="virtual", chance=rng),
            dispatcher=DispatchSettings(
                adapters={adapter.id: adapter for adapter in adapters.known()},
                chance=rng,
                strict=False,
                kinds=kinds,
            ),
            tick_every=tick_every,
        )

    def add_source(self, **row: Any) -> int:
        """Add a source."""
        return self.database.now(sources.add, row, now=self.clock.now())

    def run(self, until: datetime) -> None:
        """Drive until `until`, in virtual time."""
        run_inline(self.driver.run(until=until))


def run_inline(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never really waits, without an event loop."""
    try:
        work.send(None)
    except StopIteration as ended:
        result: T = ended.value
        return result
    work.close()
    raise RuntimeError("virtual time must not wait for the real one")
