"""The proxy that a browser's every connection goes through, spoken to by hand."""

import asyncio
import base64
from collections.abc import AsyncIterator

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch.browser.guard_proxy import ProxyGuard, VisitPass
from larder.stages.fetch.terms import TermsGate
from tests.integration.fetch.hostile import SITE, DecidedSites, Hostile, Names, Request, reply


@pytest.fixture
async def names() -> Names:
    return Names()


@pytest.fixture
async def sites() -> DecidedSites:
    return DecidedSites()


@pytest.fixture
async def proxy(names: Names, sites: DecidedSites) -> AsyncIterator[ProxyGuard]:
    async with ProxyGuard(TermsGate(sites, need_review=True), resolver=names) as running:
        yield running


async def speak(
    proxy: ProxyGuard, visit: VisitPass | None, *lines: str, then: bytes = b"", until: bytes = b""
) -> bytes:
    """Send a head (and `then`, once it was answered); take all that comes up to `until` or the end."""
    host, port = proxy.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    if visit is not None:
        token = base64.b64encode(f"{visit.user}:visit".encode()).decode()
        lines = (*lines, f"Proxy-Authorization: Basic {token}")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    said = b""
    if then:
        said = await reader.readuntil(b"\r\n\r\n")
        writer.write(then)
    elif visit is None:
        writer.write_eof()
    said += await (reader.readuntil(until) if until else reader.read())
    writer.close()
    return said


async def test_a_request_goes_on_without_what_was_the_proxys(server: Hostile, proxy: ProxyGuard) -> None:
    server.scripts["/a"] = reply(b"hello", Connection="keep-alive", Keep_Alive="timeout=5")
    async with proxy.visit(local_site=SITE) as visit:
        lines = (f"GET {server.url('/a?b')} HTTP/1.1", f"Host: www.{SITE}", "Proxy-Connection: keep-alive")
        said = await speak(proxy, visit, *lines, until=b"hello")
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")
    assert said.endswith(b"\r\nConnection: close\r\n\r\nhello"), "the next host's request must not come here"
    assert b"keep-alive" not in said.lower()
    assert server.paths() == ["/a?b"]
    assert set(server.log[0].headers) == {"host", "connection"}


async def test_a_tunnel_carries_whatever_is_spoken(server: Hostile, proxy: ProxyGuard) -> None:
    server.scripts["/a"] = reply(b"hello")
    async with proxy.visit(local_site=SITE) as visit:
        said = await speak(
            proxy,
            visit,
            f"CONNECT www.{SITE}:{server.port} HTTP/1.1",
            then=b"GET /a HTTP/1.1\r\n\r\n",
            until=b"hello",
        )
    assert said.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK")
    assert said.endswith(b"hello")


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("CONNECT 127.0.0.1:{port} HTTP/1.1", FetchOutcome.ERROR),
        ("CONNECT [::1]:{port} HTTP/1.1", FetchOutcome.ERROR),
        ("CONNECT inside.other:{port} HTTP/1.1", FetchOutcome.ERROR),
        ("CONNECT www.shop.test:22 HTTP/1.1", FetchOutcome.ERROR),
        ("CONNECT nowhere.other:443 HTTP/1.1", FetchOutcome.DNS_ERROR),
        ("GET http://169.254.169.254/latest HTTP/1.1", FetchOutcome.ERROR),
        ("GET http://user:word@www.shop.test/ HTTP/1.1", FetchOutcome.ERROR),
        ("GET ftp://www.shop.test/ HTTP/1.1", FetchOutcome.ERROR),
    ],
)
async def test_what_must_not_be_reached_is_not(
    line: str, outcome: FetchOutcome, server: Hostile, names: Names, proxy: ProxyGuard
) -> None:
    names.answers["inside.other"] = ["127.0.0.1"]
    async with proxy.visit(local_site=SITE) as visit:
        said = await speak(proxy, visit, line.format(port=server.port))
    assert said.startswith(b"HTTP/1.1 502 ")
    assert [told for told, _ in visit.errors.values()] == [outcome]
    assert server.connections == 0


async def test_a_name_that_changes_its_answer_gains_nothing(
    server: Hostile, names: Names, proxy: ProxyGuard
) -> None:
    names.answers["two.other"] = ["10.0.0.1 127.0.0.1"]
    async with proxy.visit(local_site=SITE) as visit:
        said = await speak(proxy, visit, f"CONNECT two.other:{server.port} HTTP/1.1")
    assert said.startswith(b"HTTP/1.1 502 ")
    assert server.connections == 0


async def test_without_a_pass_nothing_goes(server: Hostile, proxy: ProxyGuard) -> None:
    said = await speak(proxy, None, f"GET {server.url('/a')} HTTP/1.1")
    assert said.startswith(b"HTTP/1.1 407 ")
    assert server.log == []


@pytest.mark.parametrize("noise", ["", "x", "\x00" * 99, "GET", "CONNECT", "CONNECT [ HTTP/1.1", "GET :// x"])
async def test_noise_ends_the_connection_and_no_more(noise: str, proxy: ProxyGuard) -> None:
    async with proxy.visit(local_site=None) as visit:
        said = await speak(proxy, visit, noise)
    assert said[:12] in (b"", b"HTTP/1.1 502")


async def test_a_visit_has_its_limits(server: Hostile, proxy: ProxyGuard) -> None:
    async def endless(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x" * 65_536)
            await writer.drain()

    server.scripts["/endless"] = endless
    server.scripts["/a"] = reply(b"hello")
    async with proxy.visit(local_site=SITE) as visit:
        visit.bytes_left, visit.connections = 1_000_000, 2
        said = await speak(proxy, visit, f"GET {server.url('/endless')} HTTP/1.1")
        assert 1_000_000 <= len(said) < 1_200_000
        visit.bytes_left = 1_000_000
        asked = f"GET {server.url('/a')} HTTP/1.1"
        assert (await speak(proxy, visit, asked, until=b"hello")).startswith(b"HTTP/1.1 200")
        assert (await speak(proxy, visit, asked)).startswith(b"HTTP/1.1 502"), "its connections are used up"


async def test_what_a_visit_left_open_is_cut(server: Hostile, proxy: ProxyGuard) -> None:
    asked = asyncio.Event()

    async def silent(request: Request, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.Event().wait()

    server.scripts["/silent"] = silent
    async with proxy.visit(local_site=SITE) as visit:
        waiting = asyncio.create_task(speak(proxy, visit, f"GET {server.url('/silent')} HTTP/1.1"))
        await asked.wait()
    assert await waiting == b""


@pytest.mark.parametrize(
    "line", ["GET http://www.shop.test:{port}/a HTTP/1.1", "CONNECT www.shop.test:{port} HTTP/1.1"]
)
async def test_l10_23_no_connection_to_a_blocked_site(
    line: str, server: Hostile, sites: DecidedSites, proxy: ProxyGuard
) -> None:
    sites.blocked.add(SITE)
    async with proxy.visit(local_site=SITE) as visit:
        said = await speak(proxy, visit, line.format(port=server.port))
    assert said.startswith(b"HTTP/1.1 502 ")
    assert server.connections == 0
