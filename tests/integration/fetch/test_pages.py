"""The everyday: a page comes, with what there is to know about it."""

import gzip
import hashlib
from datetime import timedelta

import pytest

from larder.core.model.job import Slot
from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch import Method
from tests.integration.fetch.hostile import SITE, Hostile, Stage, reply


async def test_a_page_comes_with_all_there_is_to_know(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(b"<p>hi", Content_Type="text/html", ETag='"1"', X_Powered_By="magic")
    got = await stage.fetch(server.url("/a"))
    assert (got.outcome, got.status, got.body, got.error) == (FetchOutcome.OK, 200, b"<p>hi", "")
    assert got.content_hash == hashlib.sha256(b"<p>hi").hexdigest()
    assert got.headers == {"content-type": "text/html", "etag": '"1"'}
    assert [(hop.url, hop.status) for hop in got.hops] == [(server.url("/a"), 200)]
    assert server.paths() == ["/robots.txt", "/a"]
    assert server.log[1].headers["user-agent"] == "Larder/0 (+https://larder.test)"


async def test_a_compressed_page_is_hashed_as_its_content(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(gzip.compress(b"<p>hi"), Content_Encoding="gzip")
    got = await stage.fetch(server.url("/a"))
    assert got.body == b"<p>hi"
    assert got.content_hash == hashlib.sha256(b"<p>hi").hexdigest()


async def test_head_brings_no_body_and_no_hash(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(b"x" * 99, Content_Encoding="gzip")
    got = await stage.fetch(server.url("/a"), method=Method.HEAD)
    assert (got.outcome, got.body, got.content_hash) == (FetchOutcome.OK, b"", None)
    assert server.log[-1].method == "HEAD"


async def test_validators_are_sent_and_their_answer_understood(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(status="304 Not Modified")
    got = await stage.fetch(server.url("/a"), etag='"1"', last_modified="Sun, 01 Mar 2026 12:00:00 GMT")
    assert (got.outcome, got.content_hash) == (FetchOutcome.NOT_MODIFIED, None)
    sent = server.log[-1].headers
    assert (sent["if-none-match"], sent["if-modified-since"]) == ('"1"', "Sun, 01 Mar 2026 12:00:00 GMT")


async def test_connections_are_kept_alive(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(b"x")
    for _ in range(5):
        assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.OK
    assert server.connections == 1


async def test_cookies_stay_with_their_source(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(b"x", Set_Cookie="sid=1; Path=/")
    for jar in ("one", "one", "two", None):
        await stage.fetch(server.url("/a"), jar=jar, headers={"Cookie": "given=1"})
    sent = [request.headers.get("cookie") for request in server.log if request.path == "/a"]
    assert sent == ["given=1", "given=1; sid=1", "given=1", "given=1"]


async def test_redirects_are_followed_hop_by_hop_each_on_a_slot(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(status="301 Moved Permanently", Location="/b")
    server.scripts["/b"] = reply(status="302 Found", Location=server.url("/c?d"))
    server.scripts["/c"] = reply(b"there")
    got = await stage.fetch(server.url("/a"), slot=stage.slots.slot())
    assert (got.outcome, got.final_url, got.body) == (FetchOutcome.OK, server.url("/c?d"), b"there")
    assert [hop.status for hop in got.hops] == [301, 302, 200]
    assert stage.slots.reserved == [server.url("/a"), server.url("/b"), server.url("/c?d")]


async def test_every_hop_obeys_the_robots_of_where_it_leads(server: Hostile, stage: Stage) -> None:
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nDisallow: /private")
    server.scripts["/a"] = reply(status="302 Found", Location="/private")
    got = await stage.fetch(server.url("/a"))
    assert (got.outcome, got.final_url) == (FetchOutcome.ROBOTS_BLOCKED, server.url("/private"))
    assert server.paths() == ["/robots.txt", "/a"]


@pytest.mark.parametrize("way", ["same", "www", "other host"])
async def test_a_sources_own_headers_go_to_its_own_host_only(way: str, server: Hostile, stage: Stage) -> None:
    host = {"same": SITE, "www": f"www.{SITE}", "other host": f"cdn.{SITE}"}[way]
    server.scripts["/a"] = reply(status="302 Found", Location=server.url("/b", host=host))
    server.scripts["/b"] = reply(b"x")
    await stage.fetch(server.url("/a", host=SITE), headers={"Authorization": "secret"}, etag='"1"')
    sent = server.log[-1].headers
    assert server.paths()[-1] == "/b"
    assert (sent.get("authorization"), sent.get("if-none-match")) == (
        (None, None) if way == "other host" else ("secret", '"1"')
    )


async def test_a_url_is_sent_as_it_was_given(server: Hostile, stage: Stage) -> None:
    await stage.fetch(server.url("/a%7e/%C3%a9/../é?q=a+b&c=%2F&d=é#part"))
    assert server.paths()[-1] == "/a%7e/%C3%A9?q=a+b&c=%2F&d=%C3%A9"


@pytest.mark.parametrize("agent", [None, "Mozilla/5.0 (configured)"])
async def test_a_configured_user_agent_replaces_ours(
    agent: str | None, server: Hostile, stage: Stage
) -> None:
    await stage.fetch(server.url("/a"), user_agent=agent)
    assert server.log[-1].headers["user-agent"] == (agent or "Larder/0 (+https://larder.test)")


@pytest.mark.parametrize("blank", [" {} ", "\t{}\n", "{}:80 ", "{}\x00", "{}\udcff"])
async def test_no_url_makes_it_raise(blank: str, server: Hostile, stage: Stage) -> None:
    got = await stage.fetch(blank.format(server.url("/a")), headers={"X": "1"})
    assert got.outcome in (FetchOutcome.NOT_FOUND, FetchOutcome.ERROR)


@pytest.mark.parametrize("value", ["a\r\nb", "a\x00b"])
async def test_no_header_makes_it_raise_or_slips_another_in(
    value: str, server: Hostile, stage: Stage
) -> None:
    got = await stage.fetch(server.url("/a"), headers={"X": value})
    assert (got.outcome, got.status) == (FetchOutcome.ERROR, None)
    assert server.paths() == ["/robots.txt"]


async def test_waiting_for_a_turn_is_not_the_sites_time(server: Hostile, stage: Stage) -> None:
    opens = stage.clock.now() + timedelta(minutes=1)
    got = await stage.fetch(
        server.url("/a"), slot=Slot(opens_at=opens, closes_at=opens + timedelta(minutes=1))
    )
    assert timedelta(0) < got.duration < timedelta(seconds=30)
