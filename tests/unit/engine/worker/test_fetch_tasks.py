"""Fetch tasks: one task per job, whatever it is, hands back exactly one result."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from larder.core.model.job import Job, PageRequest, Purpose, Slot, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.site import POLITENESS, Preset
from larder.core.model.source import Kind, Source
from larder.engine.clock import SystemClock, VirtualClock
from larder.engine.request_identity import Identity
from larder.engine.work_items import BatchWait, FetchedWork, Work
from larder.engine.worker.fetch_tasks import NetworkFetchTasks
from larder.stages.fetch.request import FetchRequest
from larder.store.database import inline_database
from larder.store.pages.blobs import PackedBlobs
from larder.store.queue.lanes import Lane

NOW = datetime(2026, 3, 1, tzinfo=UTC)
URL = "https://shop.test/a"


class Fetching:
    """A fetch stage that raises, or says what it was asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: list[FetchRequest] = []

    async def fetch(self, request: FetchRequest) -> Fetched:
        self.asked.append(request)
        if self.error is not None:
            raise self.error
        return Fetched(outcome=FetchOutcome.OK, url=URL, final_url=URL, fetched_at=NOW, status=200)


def work(**params: Any) -> Work:
    request = PageRequest(url=URL, purpose=Purpose.DETAIL)
    source = Source(
        id=1, slug="shop", name="S", kind=Kind.PRODUCT, site_id=1, adapter="product", url=URL, params=params
    )
    job = Job(id=1, run_id=1, source_id=1, site_id=1, request=request, stage=Stage.FETCH, attempts=0)
    politeness = POLITENESS[Preset.GENTLE]
    lane = Lane(site_id=1, domain="shop.test", local=False, token=1, open_at=NOW, politeness=politeness)
    return Work(job=job, source=source, lane=lane)


async def carried(fetching: Fetching, asked: Work, tmp_path: Any, **rest: Any) -> FetchedWork:
    fetch_tasks = NetworkFetchTasks(
        fetcher=fetching,
        database=inline_database(),
        blobs=PackedBlobs(tmp_path),
        clock=VirtualClock(NOW),
        **rest,
    )
    fetch_tasks.start(asked)
    async with asyncio.timeout(60):
        (only,) = await fetch_tasks.wait_finished(NOW + timedelta(seconds=10))
    return only


async def test_what_breaks_in_our_own_house_ends_an_attempt_and_no_more(tmp_path: Any) -> None:
    got = await carried(Fetching(RuntimeError("a bug")), work(), tmp_path)
    assert (got.fetched.outcome, got.fetched.error) == (FetchOutcome.ERROR, "RuntimeError: a bug")
    assert not got.fetched.waiting


async def test_a_database_that_is_away_costs_the_job_no_attempt_and_its_source_no_trust(
    tmp_path: Any,
) -> None:
    got = await carried(Fetching(ConnectionRefusedError("nobody there")), work(), tmp_path)
    assert (got.fetched.waiting, got.fetched.retry_at) == (True, NOW + timedelta(minutes=1))


async def test_a_source_is_asked_for_with_its_own_words(tmp_path: Any) -> None:
    async def reveal(name: str) -> str:
        return name.upper()

    fetching = Fetching()
    asked = work(headers={"X-Key": "secret:key"}, user_agents=["one"])
    await carried(fetching, asked, tmp_path, identity=Identity(reveal=reveal))
    (request,) = fetching.asked
    assert (request.headers, request.user_agent) == ({"X-Key": "KEY"}, "one")
    assert (request.jar, request.source) == ("shop", asked.source)


async def test_without_its_secret_nothing_is_asked(tmp_path: Any) -> None:
    fetching = Fetching()
    got = await carried(fetching, work(headers={"X-Key": "secret:key"}), tmp_path)
    assert got.fetched.error == "Terminal: the secret 'key' is not stored"
    assert fetching.asked == []


async def test_what_waits_for_its_slot_comes_back_unsent_when_we_stop(tmp_path: Any) -> None:
    clock, fetching, asked = SystemClock(), Fetching(), work()
    opens = clock.now() + timedelta(hours=1)
    slot = Slot(opens_at=opens, closes_at=opens + timedelta(minutes=1))
    fetch_tasks = NetworkFetchTasks(
        fetcher=fetching, database=inline_database(), blobs=PackedBlobs(tmp_path), clock=clock
    )
    fetch_tasks.start(replace(asked, job=replace(asked.job, slot=slot)))
    await asyncio.sleep(0)
    fetch_tasks.stop()
    async with asyncio.timeout(60):
        while not (came := await fetch_tasks.wait_finished(opens)):
            pass
    assert ([each.fetched.waiting for each in came], fetching.asked) == ([True], [])


class Gated(Fetching):
    """A fetch stage whose pages of one address come when they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()

    async def fetch(self, request: FetchRequest) -> Fetched:
        if request.url != URL:
            await self.open.wait()
        return await super().fetch(request)


async def test_l14_a_page_of_a_slow_site_waits_for_others_while_any_is_in_flight(tmp_path: Any) -> None:
    fetching, asked = Gated(), work()
    fetch_tasks = NetworkFetchTasks(
        fetcher=fetching, database=inline_database(), blobs=PackedBlobs(tmp_path), clock=SystemClock()
    )
    later = replace(asked.job, id=2, request=replace(asked.job.request, url=f"{URL}?2"))
    until, wait = SystemClock().now() + timedelta(hours=1), BatchWait(timedelta(hours=1), 64)
    fetch_tasks.start(asked)
    fetch_tasks.start(replace(asked, job=later))
    async with asyncio.timeout(60):
        (first,) = await fetch_tasks.wait_finished(until)
        fetch_tasks.wake()
        waiting = asyncio.create_task(fetch_tasks.wait_finished(until, wait))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not waiting.done()
        fetching.open.set()
        (second,) = await waiting  # nothing else is in flight: the rest of the hour is not waited for
    assert (first.work.job.id, second.work.job.id) == (1, 2)


async def test_l11_a_full_batch_waits_for_nothing_more(tmp_path: Any) -> None:
    fetching, asked = Gated(), work()
    fetch_tasks = NetworkFetchTasks(
        fetcher=fetching, database=inline_database(), blobs=PackedBlobs(tmp_path), clock=SystemClock()
    )
    until, wait = SystemClock().now() + timedelta(hours=1), BatchWait(timedelta(hours=1), 2)
    slow = replace(asked.job.request, url=f"{URL}?slow")
    for job in (asked.job, replace(asked.job, id=2), replace(asked.job, id=3, request=slow)):
        fetch_tasks.start(replace(asked, job=job))
    async with asyncio.timeout(60):
        came = await fetch_tasks.wait_finished(until, wait)
    assert [each.work.job.id for each in came] == [1, 2]
    await fetch_tasks.cancel_all()
