"""Runs fetches concurrently and returns finished pages; a page stored before a crash is not fetched again."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from larder.core.model.job import Purpose, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName
from larder.core.policy.retry import FETCH_TIMEOUT
from larder.core.policy.trust.head_trust import CheckMethod, needs_get
from larder.core.policy.trust.verification import result_of_response
from larder.core.ports import Clock
from larder.engine.processing.stored_page import as_fetched
from larder.engine.request_identity import Identity
from larder.engine.work_items import NO_WAIT, BatchWait, FetchedWork, Work, requests_of
from larder.engine.worker.rate_limits import Pacer
from larder.sdk.urls import canonical_url
from larder.stages.fetch.actor.call import ActorJob
from larder.stages.fetch.actor.fetcher import ActorFetcher
from larder.stages.fetch.exchange import Method
from larder.stages.fetch.request import Fetcher, FetchRequest
from larder.store.database import Connection, Database
from larder.store.database.write_errors import is_unavailable
from larder.store.pages import pages
from larder.store.pages.blobs import Blobs
from larder.store.pages.page_rows import PageRow
from larder.store.queue import jobs

STORE_AWAY = timedelta(minutes=1)
BATCH = 64
"""Maximum pages returned together: the most that a crash can cost."""


class NetworkFetchTasks:
    """One asyncio task for each job in flight."""

    def __init__(
        self,
        *,
        fetcher: Fetcher,
        database: Database,
        blobs: Blobs,
        clock: Clock,
        identity: Identity | None = None,
        actors: ActorFetcher | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._actors = actors
        self._identity = identity or Identity()
        self._database = database
        self._blobs = blobs
        self._clock = clock
        self._pacer = Pacer(clock)
        self._stopping = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._done: asyncio.Queue[FetchedWork | None] = asyncio.Queue()

    def start(self, work: Work) -> None:
        """Start one job."""
        task = asyncio.create_task(self._run(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def wake(self) -> None:
        """Make `wait_finished` return at once."""
        self._done.put_nowait(None)

    def stop(self) -> None:
        """Give up slots that tasks wait for; `wait_finished` returns at once."""
        self._stopping = True
        self._pacer.stop()
        self.wake()

    async def wait_finished(self, until: datetime, wait: BatchWait = NO_WAIT) -> Sequence[FetchedWork]:
        """Finished work, at most a batch; waits for the first, or until then.

        With `wait` the first waits for others, while any is in flight: one transaction for all.
        """
        work = await self._take(max((until - self._clock.now()).total_seconds(), 0))
        loop = asyncio.get_running_loop()
        ends, full = loop.time() + wait.longest.total_seconds(), min(wait.pages, BATCH)
        while work and len(work) < full and await self._more_may_come() and loop.time() < ends:
            work += await self._take(ends - loop.time(), BATCH - len(work))
        return [each for each in work if each is not None]

    async def _more_may_come(self) -> bool:
        """Whether anything is in flight; a task that has just ended counts until the loop turns once."""
        await asyncio.sleep(0)
        return bool(self._tasks) and not self._stopping

    async def _take(self, seconds: float, limit: int = BATCH) -> list[FetchedWork | None]:
        """Finished work and wake-up calls, at least one unless the time is over."""
        try:
            work = [await asyncio.wait_for(self._done.get(), seconds)]
        except TimeoutError:
            return []
        while len(work) < limit and not self._done.empty():
            work.append(self._done.get_nowait())
        return work

    async def cancel_all(self) -> None:
        """Cancel what is in flight."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, work: Work) -> None:
        """Run one job. An internal error ends this attempt; the job is always returned."""
        try:
            result = await self._work(work)
        except Exception as error:  # noqa: BLE001 - a job without a result would be under way for ever
            failed = self._failed(work, f"{type(error).__name__}: {error}"[:500])
            result = FetchedWork(work=work, fetched=self._later(failed) if is_unavailable(error) else failed)
        self._done.put_nowait(result)

    async def _work(self, work: Work) -> FetchedWork:
        if work.job.stage is not Stage.FETCH:
            return await self._read(work)
        if work.job.request.purpose is Purpose.CHECK:
            return await self._check(work)
        if work.source.fetcher is FetcherName.ACTOR and work.job.request.purpose is Purpose.INDEX:
            return await self._call(work)
        return await self._fetch(work)

    async def _call(self, work: Work) -> FetchedWork:
        """Call an actor; its dataset replaces the source's index."""
        if self._actors is None:
            failed = self._failed(work, "no provider of actors is configured: set LARDER_APIFY_TOKEN")
            return FetchedWork(work=work, fetched=replace(failed, fetcher=FetcherName.ACTOR))
        job = ActorJob(
            job_id=work.job.id,
            run_id=work.job.run_id,
            token=work.lane.token,
            url=work.job.request.url,
            source=work.source,
            context=work.job.request.context,
        )
        return FetchedWork(work=work, fetched=await self._actors.fetch(job))

    async def _check(self, work: Work) -> FetchedWork:
        """Check by HEAD where it is trusted; evidence against a record always comes from a GET."""
        method = CheckMethod(work.job.request.context.get("method", CheckMethod.GET))
        if method is CheckMethod.GET:
            return await self._fetch(work)
        head = await self._fetch(work, method=Method.HEAD)
        result = result_of_response(head.fetched.outcome)
        moved = canonical_url(head.fetched.final_url) != canonical_url(head.fetched.url)
        if head.fetched.waiting or (
            method is CheckMethod.HEAD and not moved and not needs_get(result, head.fetched.status)
        ):
            return head
        without_slot = replace(work, job=replace(work.job, slot=None))
        by_get = await self._fetch(without_slot)
        by_get = replace(by_get, head_requests=requests_of(head.fetched))
        if method is CheckMethod.BOTH:
            return replace(by_get, work=work, head=head.fetched)
        return replace(by_get, work=_asked_by_get(work))

    async def _fetch(self, work: Work, *, method: Method = Method.GET) -> FetchedWork:
        slot = work.job.slot
        if slot is not None and not await self._pacer.turn(work.lane, slot):
            return FetchedWork(work=work, fetched=self._missed(work))
        timed_out = (work.job.last_error or "").startswith(FetchOutcome.TIMEOUT)
        proxied = bool(work.source.params.get("proxies"))
        if work.lane.proxies and not proxied:
            slot = None  # the lane's width includes the proxies; this request reserves a slot of its own
        request = FetchRequest(
            url=work.job.request.url,
            method=method,
            slot=slot,
            proxied=proxied,
            source=work.source,
            fetcher=FetcherName.HTTP if work.job.request.purpose is Purpose.FEED else None,
            jar=work.source.slug,
            user_agent=self._identity.user_agent(work.source),
            headers=await self._identity.headers(work.source),
            timeout=FETCH_TIMEOUT * 2 if timed_out else FETCH_TIMEOUT,
            local_site=work.lane.domain if work.lane.local else None,
            etag=work.last.etag if work.last else None,
            last_modified=work.last.last_modified if work.last else None,
        )
        if work.job.suspect:
            await self._database.run(jobs.touch, work.job.id)
        fetched = await self._fetcher.fetch(request)
        if fetched.outcome is FetchOutcome.NOT_MODIFIED and work.last is not None:
            fetched = replace(fetched, content_hash=work.last.content_hash)
        return FetchedWork(work=work, fetched=fetched)

    def _missed(self, work: Work) -> Fetched:
        return replace(self._failed(work, "slot missed"), retry_at=self._clock.now(), waiting=True)

    def _failed(self, work: Work, error: str) -> Fetched:
        now, url = self._clock.now(), work.job.request.url
        return Fetched(outcome=FetchOutcome.ERROR, url=url, final_url=url, fetched_at=now, error=error)

    def _later(self, failed: Fetched) -> Fetched:
        """A job that waits, as our own store is unavailable.

        No attempt is counted, and nothing against its source.
        """
        return replace(failed, retry_at=self._clock.now() + STORE_AWAY, waiting=True)

    async def _read(self, work: Work) -> FetchedWork:
        """Load a stored page; a lost one is fetched again."""
        page = await self._database.run(_stored, work.job.page_id or 0)
        try:
            body = await self._body(page)
        except OSError as error:  # the blob store is unavailable, the page is not lost: wait
            return FetchedWork(work=work, fetched=self._later(self._failed(work, str(error))))
        if page is None or body is None:
            return FetchedWork(work=work, fetched=self._failed(work, "stored page is lost"))
        return FetchedWork(work=work, fetched=as_fetched(page, body), page_id=page.id)

    async def _body(self, page: PageRow | None) -> bytes | None:
        if page is None:
            return None
        if page.content_hash is None:
            return b""
        return await self._blobs.get(page.location, page.content_hash) if page.location else None


def _asked_by_get(work: Work) -> Work:
    """Whether a GET repeats the check because HEAD decided nothing."""
    context = {**work.job.request.context, "method": CheckMethod.GET.value}
    return replace(work, job=replace(work.job, request=replace(work.job.request, context=context)))


def _stored(conn: Connection, page_id: int) -> PageRow | None:
    return pages.load(conn, [page_id]).get(page_id)
