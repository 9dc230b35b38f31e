"""A server that means harm, over real sockets: each trick ends in its outcome, within its limits."""

import asyncio
import gzip
import random
import ssl
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from tests.integration.fetch.certificates import server_context
from tests.integration.fetch.hostile import (
    SITE,
    Hostile,
    Request,
    Script,
    Stage,
    fetch_stage,
    hostile_server,
    reply,
)

BRIEF = timedelta(seconds=0.2)
"""Enough to see that nothing comes."""
LONGER = timedelta(seconds=4)
"""Enough for a head that comes."""
LONG = timedelta(seconds=60)
MEGABYTE = 1024 * 1024


@contextmanager
def memory_below(limit: int) -> Iterator[None]:
    """Whatever happens in here, no more than this is held at once."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < limit


def raw(*chunks: bytes, then: str = "close") -> Script:
    """Exactly these bytes; afterwards the connection is closed, cut, or left hanging."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        for chunk in chunks:
            writer.write(chunk)
            await writer.drain()
        if then == "hang":
            await asyncio.Event().wait()
        if then == "cut":
            writer.transport.abort()
        else:
            writer.close()

    return answer


async def endless(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + bytes(0x10000) + b"\r\n")
        await writer.drain()


async def dripping(request: Request, writer: asyncio.StreamWriter) -> None:
    """Slow-loris: always something, never everything."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    for _ in range(1_000_000):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


async def dripping_headers(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(1_000_000):
        writer.write(b"X-%d: y\r\n" % number)
        await writer.drain()
        await asyncio.sleep(0.01)


async def continuing(request: Request, writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 50)
        await writer.drain()


HEAD = b"HTTP/1.1 200 OK\r\n"
BOMB = gzip.compress(bytes(40 * MEGABYTE))


@pytest.mark.parametrize(
    ("script", "outcome", "status"),
    [
        pytest.param(raw(then="hang"), "timeout", None, id="never says a word"),
        pytest.param(dripping, "timeout", 200, id="a body drop by drop"),
        pytest.param(dripping_headers, "timeout", None, id="headers drop by drop"),
        pytest.param(continuing, "error", None, id="'continue' without end"),
        pytest.param(
            raw(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 3 + HEAD + b"Content-Length: 1\r\n\r\nx"),
            "ok",
            200,
            id="a few hints before the answer",
        ),
        pytest.param(
            raw(HEAD + b"Content-Length: 9\r\n\r\nx", then="hang"), "timeout", 200, id="stops half-way"
        ),
        pytest.param(
            raw(HEAD + b"Content-Length: 9\r\n\r\nx"), "error", 200, id="promised more than it sent"
        ),
        pytest.param(
            raw(HEAD + b"Content-Length: 9\r\n\r\nx", then="cut"), "error", 200, id="cut in the middle"
        ),
        pytest.param(raw(HEAD + b"Content-Length: -1\r\n\r\n"), "error", None, id="a negative length"),
        pytest.param(
            raw(HEAD + b"Content-Length: x\r\n\r\n"), "error", None, id="a length that is no number"
        ),
        pytest.param(raw(), "error", None, id="hangs up at once"),
        pytest.param(raw(then="cut"), "error", None, id="resets at once"),
        pytest.param(raw(b"SSH-2.0-OpenSSH_9.2\r\n"), "error", None, id="speaks something else"),
        pytest.param(raw(b"\x00" * 1000), "error", None, id="speaks nothing"),
        pytest.param(
            raw(b"HTTP/1.1 200 " + b"O" * 100_000 + b"K\r\n\r\n"), "error", None, id="an endless status line"
        ),
        pytest.param(
            raw(HEAD + b"X: " + b"y" * 200_000 + b"\r\n\r\n"), "error", None, id="an endless header"
        ),
        pytest.param(raw(HEAD + b"X: y\r\n" * 10_000 + b"\r\n"), "error", None, id="10,000 headers"),
        pytest.param(
            raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"), "error", None, id="a chunk of no size"
        ),
        pytest.param(
            raw(HEAD + b"Content-Length: 99999999\r\n\r\n", then="hang"),
            "too_large",
            200,
            id="says it is too large",
        ),
        pytest.param(endless, "too_large", 200, id="an endless body"),
        pytest.param(reply(BOMB, Content_Encoding="gzip"), "too_large", 200, id="a gzip bomb"),
        pytest.param(
            reply(gzip.compress(BOMB), Content_Encoding="gzip, gzip"), "too_large", 200, id="a bomb in a bomb"
        ),
        pytest.param(reply(b"plain", Content_Encoding="gzip"), "error", 200, id="not gzip at all"),
        pytest.param(reply(b"plain", Content_Encoding="rot13"), "error", 200, id="an encoding of its own"),
        pytest.param(reply(status="302 Found", Location="/a"), "error", 302, id="a redirect to itself"),
        pytest.param(reply(status="302 Found"), "error", 302, id="a redirect without a place"),
        pytest.param(
            reply(status="302 Found", Location="http://["), "error", 302, id="a redirect to nonsense"
        ),
        pytest.param(raw(b"HTTP/1.0 200 OK\r\n\r\nold"), "ok", 200, id="HTTP/1.0, ended by closing"),
        pytest.param(reply(b"x", status="200 \xff"), "ok", 200, id="a reason in no language"),
    ],
)
async def test_tricks(
    script: Script, outcome: str, status: int | None, server: Hostile, stage: Stage
) -> None:
    server.scripts["/a"] = script
    with memory_below(64 * MEGABYTE):
        brief = LONGER if status else BRIEF
        got = await stage.fetch(server.url("/a"), timeout=brief if outcome == "timeout" else LONG)
    assert (got.outcome, got.status) == (FetchOutcome(outcome), status)
    assert bool(got.error) is (outcome != "ok")
    assert not got.waiting


async def test_a_circle_of_redirects_ends_after_five(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(status="302 Found", Location="/b")
    server.scripts["/b"] = reply(status="302 Found", Location="/a")
    got = await stage.fetch(server.url("/a"))
    assert (got.outcome, got.error, len(got.hops)) == (FetchOutcome.ERROR, "more than 5 redirects", 6)


async def test_a_redirect_with_an_endless_body_is_followed_at_once(server: Hostile, stage: Stage) -> None:
    async def lead_on(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 99999999999\r\n\r\n")
        await raw(then="hang")(request, writer)

    server.scripts["/a"] = lead_on
    server.scripts["/b"] = reply(b"there")
    assert (await stage.fetch(server.url("/a"))).body == b"there"


async def test_cookies_by_the_thousand(server: Hostile, stage: Stage) -> None:
    lines = b"".join(b"Set-Cookie: c%d=%s\r\n" % (n, b"v" * 4_000) for n in range(200))
    server.scripts["/a"] = raw(HEAD + lines + b"Connection: close\r\nContent-Length: 0\r\n\r\n")
    with memory_below(16 * MEGABYTE):
        for _ in range(20):
            assert (await stage.fetch(server.url("/a"), jar="one")).outcome is FetchOutcome.OK
    sent = [request.headers["cookie"] for request in server.log if "cookie" in request.headers]
    assert len(sent) == 19
    assert max(map(len, sent)) < 10_000


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.1:{port}/secret",
        "http://localhost:{port}/secret",
        "http://2130706433:{port}/secret",
        "http://[::1]:{port}/secret",
        "http://[::ffff:127.0.0.1]:{port}/secret",
        "http://169.254.169.254/latest/meta-data/",
        "http://intranet.test:{port}/secret",
        "file:///etc/passwd",
        "http://www.shop.test:22/",
    ],
)
async def test_a_redirect_leads_nowhere_inside(place: str, server: Hostile, stage: Stage) -> None:
    """The site is local, which opens its own hosts and nothing else."""
    stage.names.answers["localhost"] = ["127.0.0.1"]
    server.scripts["/secret"] = reply(b"secret")
    server.scripts["/a"] = reply(status="302 Found", Location=place.format(port=server.port))
    got = await stage.fetch(server.url("/a"))
    assert got.outcome is not FetchOutcome.OK
    assert got.body == b""
    assert server.paths() == ["/robots.txt", "/a"]


async def test_a_site_that_nobody_listed_is_not_reached_on_a_private_address(
    server: Hostile, stage: Stage
) -> None:
    got = await stage.fetch(server.url("/a"), local_site=None)
    assert (got.error, server.connections) == ("guard: 127.0.0.1 is loopback", 0)


async def test_one_sites_being_local_opens_nothing_for_another(server: Hostile, stage: Stage) -> None:
    """Not even the connection that the local site left open."""
    server.scripts["/a"] = reply(b"x")
    assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.OK
    got = await stage.fetch(server.url("/a"), local_site="elsewhere.test")
    assert got.outcome is not FetchOutcome.OK
    assert (server.connections, len(server.log)) == (1, 2)


@pytest.mark.parametrize("answer", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "10.0.0.1 127.0.0.1"])
async def test_a_public_name_with_a_private_address(answer: str, server: Hostile, stage: Stage) -> None:
    stage.names.answers["rebound.test"] = [answer]
    got = await stage.fetch(server.url("/a", host="rebound.test"))
    assert got.outcome is FetchOutcome.ERROR
    assert got.error.startswith("guard: ")
    assert server.connections == 0


async def test_a_name_that_changes_its_answer(server: Hostile, stage: Stage) -> None:
    """What counts is the address of each connection, not of the one before."""
    server.scripts["/a"] = reply(b"x", Connection="close")
    server.scripts["/robots.txt"] = reply(b"", Connection="close")
    stage.names.answers[f"turn.{SITE}"] = ["127.0.0.1", "127.0.0.1", "169.254.169.254"]
    url = server.url("/a", host=f"turn.{SITE}")
    assert (await stage.fetch(url)).outcome is FetchOutcome.OK
    got = await stage.fetch(url)
    assert (got.outcome, got.error) == (FetchOutcome.ERROR, "guard: 169.254.169.254 is link-local")
    assert server.connections == 2


async def test_a_name_without_an_address(server: Hostile, stage: Stage) -> None:
    stage.names.answers[f"no.{SITE}"] = []
    got = await stage.fetch(server.url("/a", host=f"no.{SITE}"))
    assert (got.outcome, got.status, got.hops, got.waiting) == (FetchOutcome.DNS_ERROR, None, (), False)


@pytest.fixture
async def wrong_tls(tmp_path: Path) -> AsyncIterator[Hostile]:
    async with hostile_server(server_context(tmp_path, host="www.shop.test")) as hostile:
        yield hostile


async def test_a_certificate_nobody_vouches_for(wrong_tls: Hostile, stage: Stage) -> None:
    got = await stage.fetch(wrong_tls.url("/a"))
    assert (got.outcome, got.status, wrong_tls.log) == (FetchOutcome.TLS_ERROR, None, [])


async def test_a_certificate_for_another_host(wrong_tls: Hostile, tmp_path: Path) -> None:
    trusting = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
    async with fetch_stage(tls=trusting) as stage:
        assert (await stage.fetch(wrong_tls.url("/a"))).status == 404
        got = await stage.fetch(wrong_tls.url("/a", host=f"cdn.{SITE}"))
    assert (got.outcome, got.status) == (FetchOutcome.TLS_ERROR, None)


async def test_plain_http_behind_a_tls_address(server: Hostile, stage: Stage) -> None:
    got = await stage.fetch(server.url("/a").replace("http:", "https:"))
    assert (got.outcome, got.status) == (FetchOutcome.TLS_ERROR, None)


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
@pytest.mark.parametrize("form", ["seconds", "date"])
async def test_come_back_later_in_both_forms(status: str, form: str, server: Hostile, stage: Stage) -> None:
    later = stage.clock.now() + timedelta(minutes=2)
    value = "120" if form == "seconds" else later.strftime("%a, %d %b %Y %H:%M:%S GMT")
    server.scripts["/a"] = reply(status=status, Retry_After=value)
    got = await stage.fetch(server.url("/a"))
    assert got.outcome is (FetchOutcome.BLOCKED if status.startswith("429") else FetchOutcome.ERROR)
    assert got.retry_at is not None
    assert abs(got.retry_at - later) < timedelta(seconds=30)


async def test_a_dead_port(server: Hostile, stage: Stage) -> None:
    async with hostile_server() as gone:
        url = gone.url("/a")
    got: list[Fetched] = []
    for _ in range(3):
        got.append(await stage.fetch(url))
        stage.clock.ahead += timedelta(minutes=1)
    assert [one.waiting for one in got] == [True, True, False]
    assert got[-1].outcome is FetchOutcome.ROBOTS_BLOCKED


async def test_a_server_that_hangs_up_is_not_asked_twice_on_one_slot(server: Hostile, stage: Stage) -> None:
    """Where a kept connection breaks, the library would try again by itself."""
    server.scripts["/a"] = raw(then="cut")
    got = await stage.fetch(server.url("/a"))
    assert (got.outcome, got.waiting, len(got.hops)) == (FetchOutcome.ERROR, False, 1)
    assert server.paths().count("/a") == 1


PIECES = (
    *(
        b"HTTP/1.1 ",
        b"HTTP/9.9 ",
        b"200 OK",
        b"-7",
        b"302 Found",
        b"\r\n",
        b"\n",
        b"\r",
        b":",
        b"\x00",
        b"\xff",
    ),
    *(b"Content-Length: ", b"5", b"18446744073709551616", b"Transfer-Encoding: chunked", b"ffffffff\r\n"),
    *(b"Content-Encoding: ", b"gzip", b"\x1f\x8b\x08", b"Location: ", b"/a", b"//", b"hello"),
    *(b"Set-Cookie: ", b"a=b; Domain=.."),
)


@pytest.mark.parametrize("seed", range(40))
async def test_no_bytes_make_it_raise(seed: int, server: Hostile, stage: Stage) -> None:
    chance = random.Random(seed)
    garbage = b"HTTP/1.1 200 OK\r\n" * chance.randint(0, 1) + b"".join(chance.choices(PIECES, k=30))
    server.scripts["/a"] = raw(garbage)
    got = await stage.fetch(server.url("/a"), jar="one")
    assert got.outcome in FetchOutcome
    assert got.url == server.url("/a")
