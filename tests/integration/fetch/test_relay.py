"""Pages through a relay, and what the relay says of itself."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.core.model.source import Kind, Source
from larder.stages.fetch.relay import Relayed, RelayFailure, RelayFetcher, RelayService
from larder.stages.fetch.request import FetchRequest
from tests.integration.fetch.bee import KEY, Bee, Behind, relay_server
from tests.integration.fetch.hostile import SITE, Hostile, Stage, reply


@pytest.fixture
async def bee() -> AsyncIterator[Bee]:
    async with relay_server() as running:
        yield running


async def relay(stage: Stage, bee: Bee, url: str, *, key: str = KEY, **request: Any) -> Relayed:
    service = RelayService(url=bee.url, key=key)
    fetcher = RelayFetcher(stage.client, stage.gate, stage.clock, service=service)
    return await fetcher.relay(FetchRequest(url=url, **{"local_site": SITE, **request}))


def source(**params: Any) -> Source:
    return Source(
        id=1, slug="s", name="S", kind=Kind.PRODUCT, site_id=1, adapter="product", url="", params=params
    )


async def test_a_page_comes_through_with_what_it_cost(server: Hostile, stage: Stage, bee: Bee) -> None:
    bee.pages[server.url("/a")] = Behind(b"<p>hi")
    got = await relay(stage, bee, server.url("/a"), slot=stage.slots.slot())
    fetched = got.fetched
    assert (fetched.outcome, fetched.status, fetched.body) == (FetchOutcome.OK, 200, b"<p>hi")
    assert (fetched.fetcher, fetched.final_url, got.cost) == ("relay", server.url("/a"), 1)
    assert [hop.url for hop in fetched.hops] == [server.url("/a")]
    assert fetched.headers == {"content-type": "text/html", "date": fetched.headers["date"]}
    assert server.paths() == ["/robots.txt"], (
        "the site is asked for its rules by us, for the page by the relay"
    )
    assert stage.slots.reserved == [server.url("/a")], "the job's slot went on robots.txt"


async def test_robots_and_guard_are_asked_before_the_relay(server: Hostile, stage: Stage, bee: Bee) -> None:
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nDisallow: /private")
    stage.names.answers["inside.other"] = ["127.0.0.1"]
    assert (await relay(stage, bee, server.url("/private"))).fetched.outcome is FetchOutcome.ROBOTS_BLOCKED
    private = await relay(stage, bee, f"http://inside.other:{server.port}/a")
    assert (private.fetched.outcome, private.fetched.error) == (
        FetchOutcome.ERROR,
        "guard: 127.0.0.1 is loopback",
    )
    assert (await relay(stage, bee, "https://nowhere.invalid/")).fetched.outcome is FetchOutcome.DNS_ERROR
    assert bee.calls == []


async def test_where_a_relay_was_led_is_judged_too(server: Hostile, stage: Stage, bee: Bee) -> None:
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nDisallow: /private")
    bee.pages[server.url("/a")] = Behind(b"x", resolved=server.url("/b"))
    bee.pages[server.url("/c")] = Behind(b"x", resolved=server.url("/private"))
    followed = await relay(stage, bee, server.url("/a"))
    assert (followed.fetched.outcome, followed.fetched.final_url) == (FetchOutcome.OK, server.url("/b"))
    refused = await relay(stage, bee, server.url("/c"))
    assert (refused.fetched.outcome, refused.fetched.body, refused.cost) == (
        FetchOutcome.ROBOTS_BLOCKED,
        b"",
        1,
    )


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(403, FetchOutcome.BLOCKED), (404, FetchOutcome.NOT_FOUND), (410, FetchOutcome.GONE)],
)
async def test_the_sites_own_answer_is_told_as_such(
    status: int, outcome: FetchOutcome, server: Hostile, stage: Stage, bee: Bee
) -> None:
    bee.pages[server.url("/a")] = Behind(b"no", status=status)
    got = await relay(stage, bee, server.url("/a"))
    assert (got.fetched.outcome, got.fetched.status, got.failure) == (outcome, status, None)


FAULTS = {
    "wrong key": ({"key": "wrong"}, {}, RelayFailure.SPENT, FetchOutcome.ERROR),
    "no credit": ({}, {"credits": 0}, RelayFailure.SPENT, FetchOutcome.ERROR),
    "payment required": ({}, {"fault": "402"}, RelayFailure.SPENT, FetchOutcome.ERROR),
    "too many at once": ({}, {"at_once": 0}, RelayFailure.BUSY, FetchOutcome.ERROR),
    "unavailable": ({}, {"fault": "503"}, RelayFailure.DOWN, FetchOutcome.ERROR),
    "hangs up": ({}, {"fault": "cut"}, RelayFailure.DOWN, FetchOutcome.ERROR),
    "not there": ({}, {"url": "http://127.0.0.1:9/"}, RelayFailure.DOWN, FetchOutcome.ERROR),
    "could not get it": ({}, {"pages": {}}, None, FetchOutcome.ERROR),
    "did not understand": ({}, {"fault": "400"}, None, FetchOutcome.ERROR),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS.keys())
async def test_what_is_wrong_with_the_relay_is_not_the_sites_fault(
    case: tuple[dict[str, Any], dict[str, Any], RelayFailure | None, FetchOutcome],
    server: Hostile,
    stage: Stage,
    bee: Bee,
) -> None:
    given, faults, trouble, outcome = case
    bee.pages[server.url("/a")] = Behind(b"x")
    for name, value in faults.items():
        setattr(bee, name, value)
    got = await relay(stage, bee, server.url("/a"), **given)
    assert (got.failure, got.fetched.outcome, got.fetched.status, got.cost) == (trouble, outcome, None, 0)
    assert got.fetched.error.startswith("relay: ")
    assert KEY not in got.fetched.error
    assert got.fetched.waiting is (trouble is RelayFailure.BUSY)


async def test_scripts_are_paid_for_only_where_they_are_needed(
    server: Hostile, stage: Stage, bee: Bee
) -> None:
    bee.pages[server.url("/a")] = Behind(b"x")
    plain = await relay(stage, bee, server.url("/a"))
    scripted = await relay(stage, bee, server.url("/a"), javascript=True)
    asked = {"premium_proxy": True, "country_code": "nl", "api_key": "other", "url": "http://elsewhere.test"}
    premium = await relay(stage, bee, server.url("/a"), source=source(relay=asked))
    assert [got.cost for got in (plain, scripted, premium)] == [1, 5, 5]
    assert [call["render_js"] for call in bee.calls] == ["false", "true", "false"]
    last = bee.calls[-1]
    assert (last["premium_proxy"], last["country_code"]) == ("true", "nl")
    assert (last["api_key"], last["url"]) == (KEY, server.url("/a")), "a source cannot change these"


def test_a_key_does_not_show_itself() -> None:
    assert KEY not in repr(RelayService(url="https://relay.test/", key=KEY))
