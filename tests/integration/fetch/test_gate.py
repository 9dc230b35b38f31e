"""Before every request: the guard, robots.txt and a slot, in this order, and what comes of a no."""

import asyncio
from datetime import timedelta

import pytest

from larder.core.model.job import Slot
from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch import Permit, Refusal, RobotsState
from larder.stages.fetch.exchange import Answer, Exchange
from tests.integration.fetch.hostile import SITE, Hostile, Request, Script, Stage, fetch_stage, reply

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


async def robots_state(stage: Stage, server: Hostile) -> RobotsState | None:
    entry = await stage.robots.get(server.url("").rstrip("/"))
    return entry.state if entry else None


async def test_what_robots_txt_disallows_is_not_asked_for(server: Hostile, stage: Stage) -> None:
    server.scripts["/robots.txt"] = reply(
        b"User-agent: *\nDisallow: /private\n\nUser-agent: larder\nDisallow: /a"
    )
    server.scripts["/private"] = reply(b"x")
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.ROBOTS_BLOCKED
    assert (await stage.fetch(server.url("/private"))).outcome is FetchOutcome.OK
    assert server.paths() == ["/robots.txt", "/private"]


async def test_a_disallow_takes_effect_at_the_next_refresh(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(b"x")
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.OK
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nDisallow: /")
    stage.clock.ahead += DAY - MINUTE
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.OK
    stage.clock.ahead += 2 * MINUTE
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.ROBOTS_BLOCKED


@pytest.mark.parametrize(
    ("status", "strict", "outcome"),
    [
        ("404 Not Found", True, FetchOutcome.OK),
        ("410 Gone", True, FetchOutcome.OK),
        ("418 Teapot", True, FetchOutcome.OK),
        ("401 Unauthorized", True, FetchOutcome.ROBOTS_BLOCKED),
        ("403 Forbidden", True, FetchOutcome.ROBOTS_BLOCKED),
        ("403 Forbidden", False, FetchOutcome.OK),
    ],
)
async def test_answers_other_than_a_file(
    status: str, strict: bool, outcome: FetchOutcome, server: Hostile
) -> None:
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nDisallow: /", status=status)
    server.scripts["/a"] = reply(b"x")
    async with fetch_stage(strict=strict) as stage:
        assert (await stage.fetch(server.url("/a"))).outcome is outcome


async def cut(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def half(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *")
    writer.close()


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(reply(status="429 Too Many Requests"), id="429"),
        pytest.param(reply(status="503 Service Unavailable"), id="5xx"),
        pytest.param(cut, id="unreachable"),
        pytest.param(half, id="half a file"),
        pytest.param(reply(status="302 Found", Location="/robots.txt"), id="a circle"),
        pytest.param(reply(status="302 Found", Location="http://10.0.0.1/robots.txt"), id="into the network"),
    ],
)
async def test_a_site_that_cannot_say_is_closed_after_three_tries(
    script: Script, server: Hostile, stage: Stage
) -> None:
    server.scripts["/robots.txt"] = script
    server.scripts["/a"] = reply(b"x")
    got = []
    for _ in range(4):
        got.append(await stage.fetch(server.url("/a")))
        stage.clock.ahead += MINUTE
    assert [one.waiting for one in got] == [True, True, False, False]
    assert [one.outcome for one in got[2:]] == [FetchOutcome.ROBOTS_BLOCKED] * 2
    assert all(one.retry_at is not None for one in got)
    assert "/a" not in server.paths()


async def test_a_closed_site_is_asked_again_and_opens(server: Hostile, stage: Stage) -> None:
    server.scripts["/robots.txt"] = reply(status="500 Oops")
    server.scripts["/a"] = reply(b"x")
    for _ in range(3):
        await stage.fetch(server.url("/a"))
        stage.clock.ahead += MINUTE
    assert await robots_state(stage, server) is RobotsState.CLOSED
    asked = server.paths().count("/robots.txt")
    await stage.fetch(server.url("/a"))
    assert server.paths().count("/robots.txt") == asked
    server.scripts["/robots.txt"] = reply(b"")
    stage.clock.ahead += 10 * MINUTE
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.OK


async def test_robots_txt_may_lie_elsewhere(server: Hostile, stage: Stage) -> None:
    server.scripts["/robots.txt"] = reply(status="301 Moved", Location=server.url("/r", host=f"cdn.{SITE}"))
    server.scripts["/r"] = reply(b"User-agent: *\nDisallow: /a")
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.ROBOTS_BLOCKED
    assert server.paths() == ["/robots.txt", "/r"]


async def test_a_huge_robots_txt_is_read_up_to_its_limit(server: Hostile, stage: Stage) -> None:
    rules = b"User-agent: *\nDisallow: /a\n"
    server.scripts["/robots.txt"] = reply(rules + b"#" * 20_000_000)
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.ROBOTS_BLOCKED


async def test_many_jobs_ask_for_robots_txt_once(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(b"x")
    got = await asyncio.gather(*(stage.fetch(server.url("/a")) for _ in range(20)))
    assert {one.outcome for one in got} == {FetchOutcome.OK}
    assert server.paths().count("/robots.txt") == 1


async def test_every_origin_has_its_own(server: Hostile, stage: Stage) -> None:
    for host in (f"www.{SITE}", f"cdn.{SITE}"):
        await stage.fetch(server.url("/a", host=host))
    assert server.paths().count("/robots.txt") == 2


async def test_the_sites_wish_for_distance_is_kept_with_its_rules(server: Hostile, stage: Stage) -> None:
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nCrawl-delay: 7")
    await stage.fetch(server.url("/a"))
    entry = await stage.robots.get(server.url("").rstrip("/"))
    assert entry is not None
    assert entry.crawl_delay == timedelta(seconds=7)


async def test_robots_txt_takes_the_jobs_slot_and_the_page_another(server: Hostile, stage: Stage) -> None:
    for _ in range(2):
        await stage.fetch(server.url("/a"), slot=stage.slots.slot())
    assert server.paths() == ["/robots.txt", "/a", "/a"]
    assert stage.slots.reserved == [server.url("/a")]


async def test_a_job_without_a_turn_goes_back_with_the_time(server: Hostile, stage: Stage) -> None:
    until = stage.clock.now() + MINUTE
    stage.slots.refusal = Refusal.wait("the lane is full", until=until)
    got = await stage.fetch(server.url("/a"))
    assert (got.waiting, got.retry_at, got.error) == (True, until, "the lane is full")
    assert server.log == []


async def test_a_slot_far_away_is_not_waited_for(server: Hostile, stage: Stage) -> None:
    opens = stage.clock.now() + DAY
    got = await stage.fetch(server.url("/a"), slot=Slot(opens_at=opens, closes_at=opens + MINUTE))
    assert (got.waiting, got.retry_at, server.log) == (True, opens, [])


async def test_a_slot_is_not_used_before_it_opens(server: Hostile, stage: Stage) -> None:
    opens = stage.clock.now() + MINUTE
    got = await stage.fetch(server.url("/a"), slot=Slot(opens_at=opens, closes_at=opens + MINUTE))
    assert got.status == 404
    assert stage.clock.now() >= opens


async def test_a_slot_that_closed_is_not_used(server: Hostile, stage: Stage) -> None:
    past = stage.clock.now() - MINUTE
    got = await stage.fetch(server.url("/a"), slot=Slot(opens_at=past, closes_at=past))
    assert (got.waiting, got.error, server.log) == (True, "slot missed", [])


async def test_the_deadline_is_looked_at_when_the_connection_stands(server: Hostile, stage: Stage) -> None:
    """A process that was frozen between its permit and its request keeps silent."""
    permit = await stage.gate.admit(server.url("/a"), stage.slots.slot(), local_site=SITE)
    assert isinstance(permit, Permit)
    asked = len(server.log)
    resolve = stage.names.resolve

    async def frozen(host: str, port: int = 0, family: int = 0) -> object:
        stage.clock.ahead += timedelta(hours=1)
        return await resolve(host, port, family)

    stage.names.resolve = frozen  # type: ignore[assignment,method-assign]
    await stage.client.close()
    answer = await stage.client.send(Exchange(), permit)
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.waiting) == ("slot missed", True)
    assert (server.connections, len(server.log)) == (2, asked)


async def test_a_permit_is_good_for_one_request(server: Hostile, stage: Stage) -> None:
    permit = await stage.gate.admit(server.url("/a"), local_site=SITE)
    assert isinstance(permit, Permit)
    first = await stage.client.send(Exchange(), permit)
    second = await stage.client.send(Exchange(), permit)
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert (first.status, second.status, server.paths().count("/a")) == (404, None, 1)


async def test_a_hop_without_a_slot_ends_the_attempt(server: Hostile, stage: Stage) -> None:
    async def lead_on_and_fill(request: Request, writer: asyncio.StreamWriter) -> None:
        stage.slots.refusal = Refusal.wait("the lane is full", until=stage.clock.now() + MINUTE)
        await reply(status="302 Found", Location="/b")(request, writer)

    server.scripts["/a"] = lead_on_and_fill
    got = await stage.fetch(server.url("/a"))
    assert (got.outcome, got.waiting, len(got.hops)) == (FetchOutcome.ERROR, False, 1)
    assert got.retry_at is not None


async def test_cancelling_leaves_nothing_behind(server: Hostile, stage: Stage) -> None:
    asked = asyncio.Event()

    async def hang(request: Request, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.Event().wait()

    server.scripts["/a"] = hang
    server.scripts["/b"] = reply(b"x")
    task = asyncio.create_task(stage.fetch(server.url("/a")))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await stage.fetch(server.url("/b"))).outcome is FetchOutcome.OK
