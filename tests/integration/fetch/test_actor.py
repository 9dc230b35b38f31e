"""A hosted actor, called over real HTTP: the retry table, money, and that no run is started twice."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName, Kind, Source, Tier
from larder.core.policy.quota import Quota
from larder.engine.clock import VirtualClock
from larder.stages.fetch.actor.apify import Apify
from larder.stages.fetch.actor.call import ActorCall, ActorJob
from larder.stages.fetch.actor.fetcher import MAY_ARRIVE_FOR, POLL, ActorFetcher
from larder.stages.fetch.terms import TermsGate
from tests.integration.fetch.apify_server import CUT, HANG, TOKEN, ApifyServer, apify_server
from tests.integration.fetch.hostile import DecidedSites

SOURCE = Source(
    id=1,
    slug="boston",
    name="Boston",
    kind=Kind.LISTING,
    site_id=1,
    adapter="apartments",
    url="https://www.apartments.com/boston-ma/",
    params={"actor": "someone/apartments"},
    fetcher=FetcherName.ACTOR,
)
MINUTE = timedelta(minutes=1)
ROWS = [{"id": "a1", "propertyName": "One"}, {"id": "a2", "propertyName": "Two"}]


class Died(Exception):
    """The process was killed here."""


@dataclass
class Book:
    """Calls in memory, through JSON as in the store; it may lose the job, or die at a moment."""

    stored: dict[str, Any] | None = None
    ours: bool = True
    left: Quota = field(default_factory=Quota)
    cost: float = 0
    alerts: list[str] = field(default_factory=list)
    keeps: int = 0
    dies_at: int | None = None

    async def keep(self, job: ActorJob, call: ActorCall, *, cost: float = 0) -> bool:  # noqa: ARG002
        self.keeps += 1
        if self.keeps == self.dies_at:
            raise Died
        if self.ours:
            self.stored = orjson.loads(orjson.dumps(call.stored()))
            self.cost += cost
        return self.ours

    async def quota(self) -> Quota:
        return self.left

    async def quota_spent(self, source: Source, said: str) -> None:
        self.alerts.append(f"{source.slug}: {said}")


@dataclass
class Caller:
    """A job and its call, step by step; each step may be another process."""

    server: ApifyServer
    clock: VirtualClock
    book: Book = field(default_factory=Book)
    source: Source = SOURCE
    sites: DecidedSites = field(default_factory=DecidedSites)
    token: str = TOKEN
    max_wait: timedelta = timedelta(seconds=60)

    async def step(self) -> Fetched:
        api = Apify(self.token, url=self.server.url, max_wait=self.max_wait)
        context = {"actor": self.book.stored} if self.book.stored else {}
        job = ActorJob(job_id=7, run_id=3, token=1, url=self.source.url, source=self.source, context=context)
        terms = TermsGate(self.sites, need_review=True)
        return await ActorFetcher(api, self.book, self.clock, terms=terms).fetch(job)

    async def wait(self, times: int = 1) -> list[timedelta]:
        """Steps that end in waiting, each after the wait of the one before; how long each is to wait."""
        waits = []
        for _ in range(times):
            began = self.clock.now()
            got = await self.step()
            assert got.waiting, got.error
            assert got.retry_at is not None
            waits.append(got.retry_at - began)
            self.clock.advance(got.retry_at)
        return waits

    async def to_the_end(self) -> Fetched:
        """Step after step, while the actor does its work at once."""
        while (got := await self.step()).waiting:
            for run in self.server.runs:
                run.finish(*ROWS)
            assert got.retry_at is not None
            self.clock.advance(got.retry_at)
        return got


@pytest.fixture
async def caller() -> AsyncIterator[Caller]:
    clock = VirtualClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    async with apify_server(clock.now) as server:
        yield Caller(server, clock)


async def test_start_wait_read(caller: Caller) -> None:
    assert await caller.wait(3) == [POLL] * 3
    caller.server.runs[0].finish(*ROWS)
    got = await caller.step()
    assert (got.outcome, got.payload, got.fetcher) == (FetchOutcome.OK, ROWS, FetcherName.ACTOR)
    assert orjson.loads(got.body) == ROWS
    assert len(caller.server.runs) == 1
    assert caller.server.calls == ["limits", "start", "look", "look", "look", "items"]


async def test_what_the_actor_is_asked_for(caller: Caller) -> None:
    caller.source = replace(SOURCE, max_items_per_run=30)
    await caller.wait()
    (run,) = caller.server.runs
    assert run.input == {
        "startUrls": [{"url": SOURCE.url}],
        "maxItems": 30,
        "larderKey": "boston/3/7/1",
    }
    assert run.timeout == 600


async def test_a_source_may_say_what_to_ask(caller: Caller) -> None:
    params = {**SOURCE.params, "input": {"search": "Boston, MA"}, "actor_key": False}
    caller.source = replace(SOURCE, params=params)
    await caller.wait()
    assert caller.server.runs[0].input == {"search": "Boston, MA"}


async def test_at_most_so_many_items_as_the_source_wants(caller: Caller) -> None:
    caller.source = replace(SOURCE, max_items_per_run=2)
    await caller.wait()
    caller.server.runs[0].finish(*[{"id": n} for n in range(9)])
    assert (await caller.step()).payload == [{"id": 0}, {"id": 1}]


@pytest.mark.parametrize(
    ("trouble", "waits", "status"),
    [
        (429, [5 * MINUTE, 5 * MINUTE, 5 * MINUTE], 429),
        (500, [MINUTE, 2 * MINUTE, 4 * MINUTE], 500),
        (503, [MINUTE, 2 * MINUTE, 4 * MINUTE], 503),
        (CUT, [MINUTE / 2, MINUTE, 2 * MINUTE], None),
    ],
    ids=["429", "500", "503", "network"],
)
@pytest.mark.parametrize("call", ["limits", "look"])
async def test_the_retry_table(
    caller: Caller, call: str, trouble: int | str, waits: list[timedelta], status: int | None
) -> None:
    if call == "look":
        await caller.wait()
    caller.server.faults = [(call, trouble)] * 4
    assert await caller.wait(3) == waits
    got = await caller.step()
    assert (got.waiting, got.outcome, got.status) == (False, FetchOutcome.ERROR, status)
    assert len(caller.server.runs) == (call == "look")


async def test_an_api_that_says_nothing_counts_as_network(caller: Caller) -> None:
    caller.max_wait = timedelta(seconds=0.3)
    caller.server.faults = [("limits", HANG)]
    assert await caller.wait() == [MINUTE / 2]


async def test_trouble_that_passed_does_not_add_up(caller: Caller) -> None:
    await caller.wait()
    for _ in range(4):
        caller.server.faults = [("look", 503)]
        assert await caller.wait(2) == [MINUTE, POLL]


async def test_a_timed_out_run_is_tried_twice_more_with_twice_the_time(caller: Caller) -> None:
    for attempt in range(3):
        await caller.wait()
        caller.server.runs[-1].finish(status="TIMED-OUT")
        if attempt < 2:
            assert await caller.wait() == [timedelta(0)]
    got = await caller.step()
    assert (got.outcome, got.waiting) == (FetchOutcome.TIMEOUT, False)
    assert [run.timeout for run in caller.server.runs] == [600, 1200, 1200]
    assert len({run.input["larderKey"] for run in caller.server.runs}) == 3
    assert caller.book.cost == pytest.approx(0.75)


async def test_a_run_that_does_not_end_is_ended(caller: Caller) -> None:
    await caller.wait()
    caller.clock.advance(caller.clock.now() + timedelta(seconds=700))
    assert await caller.wait() == [timedelta(0)]
    assert caller.server.runs[0].status == "ABORTED"
    await caller.wait()
    assert len(caller.server.runs) == 2


@pytest.mark.parametrize("status", ["FAILED", "ABORTED"])
async def test_a_broken_run_is_not_tried_again(caller: Caller, status: str) -> None:
    await caller.wait()
    caller.server.runs[0].finish(status=status)
    got = await caller.step()
    assert (got.outcome, got.waiting) == (FetchOutcome.ERROR, False)
    assert status in got.error
    assert len(caller.server.runs) == 1


@pytest.mark.parametrize("state", ["READY", "TIMING-OUT", "ABORTING"])
async def test_a_run_on_its_way_is_waited_for(caller: Caller, state: str) -> None:
    await caller.wait()
    caller.server.runs[0].status = state
    assert await caller.wait() == [POLL]


async def test_a_start_whose_answer_was_lost_is_found_again(caller: Caller) -> None:
    caller.server.swallow_start = True
    assert await caller.wait(2) == [MINUTE / 2, POLL]
    caller.server.runs[0].finish(*ROWS)
    assert (await caller.step()).payload == ROWS
    assert len(caller.server.runs) == 1


@pytest.mark.parametrize("dies_at", [1, 2, 3], ids=["before the start", "id not stored", "cost not counted"])
async def test_a_process_that_dies_goes_on_with_the_same_run(caller: Caller, dies_at: int) -> None:
    """Kept are, in this order: that a start is sent, the run's id, its cost."""
    caller.book.dies_at = dies_at
    with pytest.raises(Died):
        await caller.to_the_end()
    assert (await caller.to_the_end()).payload == ROWS
    assert len(caller.server.runs) == 1
    assert caller.book.cost == 0.25


async def test_a_start_that_never_arrived_is_made_again_when_it_cannot_arrive_any_more(
    caller: Caller,
) -> None:
    caller.server.faults = [("start", CUT)]
    assert await caller.wait() == [MINUTE / 2]
    assert caller.server.runs == []
    assert await caller.wait() == [MAY_ARRIVE_FOR - MINUTE / 2]
    assert await caller.wait() == [POLL]
    assert len(caller.server.runs) == 1


async def test_another_ones_run_is_not_taken_for_ours(caller: Caller) -> None:
    stranger = Caller(caller.server, caller.clock, source=replace(SOURCE, slug="newark"))
    await stranger.wait()
    caller.server.faults = [("start", CUT)]
    await caller.wait(3)
    assert [run.input["larderKey"].split("/")[0] for run in caller.server.runs] == ["newark", "boston"]


async def test_a_job_that_was_given_away_starts_nothing(caller: Caller) -> None:
    caller.book.ours = False
    assert (await caller.step()).waiting
    assert caller.server.runs == []


async def test_the_providers_budget_is_looked_at_before_a_run(caller: Caller) -> None:
    caller.server.spent = caller.server.budget
    got = await caller.step()
    assert (got.status, got.waiting) == (402, False)
    assert got.error == "the provider's monthly budget is spent (100.00 of 100.00 USD)"
    assert caller.server.runs == []
    assert caller.book.alerts == [f"boston: {got.error}"]


async def test_the_providers_rate_limit_is_looked_at_before_a_run(caller: Caller) -> None:
    caller.server.busy = caller.server.at_once
    assert await caller.wait() == [5 * MINUTE]
    caller.server.busy = 0
    await caller.wait()
    assert len(caller.server.runs) == 1


@pytest.mark.parametrize(
    ("used", "tier", "runs"),
    [(10, Tier.HOT, 0), (9, Tier.COOL, 0), (9, Tier.HOT, 1), (1, Tier.COOL, 1)],
    ids=["spent", "short, not urgent", "short, urgent", "plenty"],
)
async def test_our_own_budget_too(caller: Caller, used: float, tier: Tier, runs: int) -> None:
    caller.book.left = Quota(used=used, allowed=10)
    caller.source = replace(SOURCE, tier=tier)
    got = await caller.step()
    assert len(caller.server.runs) == runs
    assert (got.status == 402) is (runs == 0)
    assert got.waiting is (runs == 1)


async def test_a_wrong_token_is_told_without_being_shown(caller: Caller) -> None:
    caller.token = "apify_api_wrong"
    got = await caller.step()
    assert (got.status, got.waiting) == (401, False)
    assert caller.token not in f"{got!r}{caller.book.stored}"


async def test_a_source_without_an_actor_says_what_is_missing(caller: Caller) -> None:
    caller.source = replace(SOURCE, params={})
    got = await caller.step()
    assert "LARDER_ACTORS" in got.error
    assert caller.server.calls == []


async def test_an_answer_of_unknown_shape_is_the_servers_fault(caller: Caller) -> None:
    await caller.wait()
    caller.server.runs[0].shown = lambda: {"id": "run1"}  # type: ignore[method-assign]
    assert await caller.wait() == [MINUTE]


@pytest.mark.parametrize("how", ["blocked", "unreviewed"])
async def test_l10_23_no_actor_is_sent_to_a_site_that_must_not_be_asked(how: str, caller: Caller) -> None:
    getattr(caller.sites, how).add("apartments.com")
    got = await caller.step()
    assert (got.outcome, got.waiting) == (FetchOutcome.TERMS, False)
    assert "apartments.com" in got.error
    assert caller.server.calls == []
