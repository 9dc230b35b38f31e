"""Real requests through real proxies of each kind; who is blamed when one fails; what none is asked for."""

import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.stages.fetch import Client, FetchRequest, HttpFetcher, MemoryRobotsCache, RequestGate
from larder.stages.fetch.proxy.pool import ProxyPool
from larder.stages.fetch.terms import TermsGate
from larder.store.database import InlineDatabase, inline_database
from larder.store.migrations import upgrade
from larder.store.operations import proxies
from larder.store.operations.access.secrets import SecretCipher
from larder.store.queue import sources
from tests.integration.fetch.certificates import server_context
from tests.integration.fetch.hostile import (
    SITE,
    DecidedSites,
    EverySlot,
    Hostile,
    Names,
    WallClock,
    hostile_server,
    reply,
)
from tests.integration.fetch.proxy_servers import ProxyServer, proxy_server

KINDS = ("http", "https", "socks5")
BOX = SecretCipher(base64.urlsafe_b64encode(bytes(32)).decode())
PATIENCE = timedelta(seconds=30)


@dataclass
class Stage:
    """The fetch stage with a pool of proxies, and nothing that leads out but them."""

    database: InlineDatabase
    fetcher: HttpFetcher
    pool: ProxyPool
    slots: EverySlot
    clock: WallClock
    names: Names

    def add(self, *servers: ProxyServer, url: str = "") -> list[int]:
        return [self.database.now(proxies.add, proxies.parse(url or s.url()), BOX) for s in servers]

    async def fetch(self, url: str, **request: object) -> Fetched:
        asked = {"timeout": PATIENCE, "local_site": SITE, "proxied": True, **request}
        return await self.fetcher.fetch(FetchRequest(url=url, **asked))  # type: ignore[arg-type]

    async def row(self, proxy_id: int) -> proxies.ProxyRow:
        await self.pool.flush()
        return next(row for row in self.database.now(proxies.list_proxies) if row.id == proxy_id)


@asynccontextmanager
async def stage(tls: ssl.SSLContext | None = None) -> AsyncIterator[Stage]:
    database = inline_database()
    database.now(upgrade.create)
    clock, names = WallClock(), Names()
    database.now(sources.ensure_site, SITE, {"spacing_ms": 10}, now=clock.now())
    pool = ProxyPool(database, clock, Random(1), BOX)
    slots = EverySlot(clock)
    async with Client(clock, user_agent="Larder/0", resolver=names, tls=tls, dns_ttl=0) as client:
        terms = TermsGate(DecidedSites(), need_review=True)
        gate = RequestGate(
            client, slots=slots, robots=MemoryRobotsCache(), terms=terms, clock=clock, timeout=PATIENCE
        )
        fetcher = HttpFetcher(client, gate, clock, routes=pool)
        yield Stage(database, fetcher, pool, slots, clock, names)
    await database.close()


@dataclass
class Certified:
    """A server's side of TLS, and a client's that believes it."""

    server: ssl.SSLContext
    client: ssl.SSLContext


@pytest.fixture
def certified(tmp_path: Path) -> Certified:
    server = server_context(tmp_path, host=f"www.{SITE}")
    client = ssl.create_default_context(cafile=tmp_path / "certificate.pem")
    client.check_hostname = False  # the proxy is known by its address
    return Certified(server, client)


@asynccontextmanager
async def through(kind: str, certified: Certified) -> AsyncIterator[tuple[Stage, ProxyServer]]:
    tls = certified.server if kind == "https" else None
    async with proxy_server(kind, tls) as proxy, stage(certified.client) as ready:
        yield ready, proxy


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("secure", [False, True], ids=["http site", "https site"])
async def test_a_page_comes_through(kind: str, secure: bool, certified: Certified) -> None:
    async with (
        hostile_server(certified.server if secure else None) as server,
        through(kind, certified) as (ready, proxy),
    ):
        server.scripts["/a"] = reply(b"hello")
        ready.add(proxy)
        got = await ready.fetch(server.url("/a"))
        assert (got.outcome, got.body) == (FetchOutcome.OK, b"hello")
        assert set(proxy.asked) == {f"www.{SITE}:{server.port}"}
        assert server.paths() == ["/robots.txt", "/a"]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_password_opens_and_a_wrong_one_is_the_proxys_failure(
    kind: str, certified: Certified, server: Hostile
) -> None:
    server.scripts["/a"] = reply(b"hello")
    async with through(kind, certified) as (ready, proxy):
        proxy.user, proxy.password = "larder", "s3cret:word"
        wrong = proxies.parse(proxy.url().replace("s3cret:word", "wrong"))
        ready.database.now(proxies.add, wrong, BOX)
        refused = await ready.fetch(server.url("/a"))
        assert refused.waiting
        assert "s3cret" not in refused.error
        (right,) = ready.add(proxy, url=f"{kind}://larder:s3cret%3Aword@127.0.0.1:{proxy.port}")
        got = await ready.fetch(server.url("/a"))
        assert (got.error, got.body) == ("", b"hello")
        row = await ready.row(right)
        assert (row.successes, row.failures, row.failures_in_a_row) == (2, 1, 0)
        assert (row.average_ms or 0) > 0


@pytest.mark.parametrize("kind", KINDS)
async def test_the_site_never_sees_who_we_are_to_the_proxy(kind: str, certified: Certified) -> None:
    async with hostile_server(certified.server) as server, through(kind, certified) as (ready, proxy):
        server.scripts["/a"] = reply(b"hello")
        proxy.user, proxy.password = "larder", "s3cret"
        ready.add(proxy)
        assert (await ready.fetch(server.url("/a"))).body == b"hello"
        assert "proxy-authorization" not in {name for request in server.log for name in request.headers}


async def test_proxies_take_turns_the_least_recently_used_first(server: Hostile) -> None:
    server.scripts["/a"] = reply(b"x")
    async with AsyncExitStack() as stack:
        pool = [await stack.enter_async_context(proxy_server("http")) for _ in range(3)]
        ready = await stack.enter_async_context(stage())
        ready.add(*pool)
        for _ in range(6):
            await ready.fetch(server.url("/a"))
        pages = [len(proxy.asked) for proxy in pool]
        assert pages == [3, 2, 2]  # the first one asked for robots.txt too


async def test_a_dying_proxy_leaves_the_pool_and_no_page_is_lost(server: Hostile) -> None:
    async with AsyncExitStack() as stack:
        good = await stack.enter_async_context(proxy_server("http"))
        dying = await stack.enter_async_context(proxy_server("socks5"))
        ready = await stack.enter_async_context(stage())
        _, lost = ready.add(good, dying)
        brought, waited = [], 0
        dying.hangs_up = True
        for number in range(30):
            server.scripts[f"/{number}"] = reply(str(number).encode())
            while (got := await ready.fetch(server.url(f"/{number}"))).waiting:
                waited += 1
            brought.append(got.body)
        assert brought == [str(number).encode() for number in range(30)]
        assert waited == 11
        row = await ready.row(lost)
        assert (row.out, row.failures, row.failures_in_a_row) == (True, 11, 11)


async def test_an_empty_pool_makes_jobs_wait_with_the_reason(server: Hostile) -> None:
    async with stage() as ready:
        got = await ready.fetch(server.url("/a"))
        assert got.waiting
        assert got.error == "no proxy is left in the pool"
        assert got.retry_at is not None
        assert got.retry_at - ready.clock.now() > timedelta(minutes=4)
        assert server.paths() == []


@pytest.mark.parametrize(
    ("kind", "trouble", "outcome"),
    [
        ("http", "502 Bad Gateway", FetchOutcome.ERROR),
        ("http", "403 Forbidden", None),
        ("socks5", 5, FetchOutcome.ERROR),
        ("socks5", 2, None),
    ],
    ids=["site unreachable", "proxy refuses", "site refuses the socket", "not allowed by rules"],
)
async def test_who_failed_is_told_apart(
    kind: str, trouble: str | int, outcome: FetchOutcome | None, certified: Certified
) -> None:
    async with hostile_server(certified.server) as server, through(kind, certified) as (ready, proxy):
        (number,) = ready.add(proxy)
        server.scripts |= dict.fromkeys(("/robots.txt", "/a"), reply(b"", Connection="close"))
        await ready.fetch(server.url("/a"))
        before = await ready.row(number)
        if isinstance(trouble, int):
            proxy.socks_reply = trouble
        else:
            proxy.refuses = trouble
        got = await ready.fetch(server.url("/a"))
        row = await ready.row(number)
        assert got.waiting is (outcome is None)
        if outcome is None:
            assert row.failures_in_a_row == before.failures_in_a_row + 1


@pytest.mark.parametrize("kind", KINDS)
async def test_a_name_that_leads_home_is_never_given_to_a_proxy(
    kind: str, certified: Certified, server: Hostile
) -> None:
    async with through(kind, certified) as (ready, proxy):
        ready.add(proxy)
        ready.names.answers["evil.test"] = ["93.184.216.34 10.0.0.7"]
        got = await ready.fetch(server.url("/a", host="evil.test"), local_site=None)
        assert got.outcome is FetchOutcome.ERROR
        assert "guard: 10.0.0.7 is private" in got.error
        assert proxy.asked == []
        assert (await ready.row(1)).failures == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "169.254.169.254", "[::1]"])
async def test_nor_is_an_address_of_our_own(host: str, server: Hostile) -> None:
    async with proxy_server("http") as proxy, stage() as ready:
        ready.add(proxy)
        got = await ready.fetch(server.url("/a", host=host), local_site=None)
        assert got.error.startswith("guard:")
        assert proxy.asked == []


async def test_a_redirect_into_our_network_stops_at_the_guard(server: Hostile) -> None:
    server.scripts["/a"] = reply(status="302 Found", Location="http://inside.test/secret")
    async with proxy_server("http") as proxy, stage() as ready:
        ready.add(proxy)
        ready.names.answers["inside.test"] = ["192.168.1.1"]
        got = await ready.fetch(server.url("/a"))
        assert got.error.startswith("guard: 192.168.1.1")
        assert {host.partition(":")[0] for host in proxy.asked} == {f"www.{SITE}"}


async def test_an_unknown_name_is_a_dns_error_and_no_fault_of_the_proxy() -> None:
    async with proxy_server("http") as proxy, stage() as ready:
        (number,) = ready.add(proxy)
        got = await ready.fetch("http://no.such.example/", local_site=None)
        assert got.outcome is FetchOutcome.DNS_ERROR
        assert (await ready.row(number)).failures == 0


async def test_the_lane_of_the_site_is_left_alone(server: Hostile) -> None:
    """Slots come from the lanes of the proxy, for robots.txt and redirects too."""
    server.scripts["/a"] = reply(status="302 Found", Location="/b")
    server.scripts["/b"] = reply(b"x")
    async with proxy_server("http") as proxy, stage() as ready:
        ready.add(proxy)
        assert (await ready.fetch(server.url("/a"))).body == b"x"
        assert ready.slots.reserved == []
        assert len(proxy.asked) == 3


async def test_a_request_that_wants_no_proxy_gets_none(server: Hostile) -> None:
    server.scripts["/a"] = reply(b"x")
    async with proxy_server("http") as proxy, stage() as ready:
        ready.add(proxy)
        assert (await ready.fetch(server.url("/a"), proxied=False)).body == b"x"
        assert proxy.asked == []


async def test_a_password_shows_in_no_repr() -> None:
    proxy = proxies.parse("socks5://larder:s3cret@10.0.0.1:1080")
    assert "s3cret" not in repr(proxy) + proxy.address
