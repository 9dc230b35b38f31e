"""Pages that are empty until their scripts have run, and what those scripts may not do."""

import asyncio
import base64
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch import Refusal
from larder.stages.fetch.browser.process import BrowserLimits, BrowserProcess, processes_of
from tests.integration.fetch.chromium import AGENT, BrowserStage, browser_stage, gone
from tests.integration.fetch.hostile import SITE, Hostile, Request, reply
from tests.services import ROOT

SOON_ENOUGH = timedelta(seconds=3)
SHELL = b"<html><head><title>Shop</title></head><body><div id=root></div><script src=/app.js></script></body>"
APP = b"""
fetch('/api/items').then(answer => answer.json()).then(items => {
  document.getElementById('root').innerHTML = items.map(item => `<article>${item}</article>`).join('')
})
"""


@pytest.fixture
async def browser(chromium: Path) -> AsyncIterator[BrowserStage]:
    async with browser_stage(chromium) as ready:
        yield ready


def page(script: str, head: str = "") -> bytes:
    return f"<html><head>{head}</head><body><p id=said></p><script>{script}</script></body></html>".encode()


async def test_a_page_made_by_scripts_comes_as_a_reader_sees_it(
    server: Hostile, browser: BrowserStage
) -> None:
    server.scripts["/a"] = reply(SHELL + b"<img src=/i.png>", Content_Type="text/html", ETag='"1"')
    server.scripts["/app.js"] = reply(APP, Content_Type="text/javascript")
    server.scripts["/api/items"] = reply(b'["one", "two"]', Content_Type="application/json")
    got = await browser.fetch(server.url("/a"))
    assert (got.outcome, got.status, got.fetcher, got.error) == (FetchOutcome.OK, 200, "browser", "")
    assert b"<article>one</article><article>two</article>" in got.body
    assert got.headers == {"content-type": "text/html; charset=utf-8"}, "no validator: it is not the document"
    assert [(hop.url, hop.status) for hop in got.hops] == [(server.url("/a"), 200)]
    assert server.paths() == ["/robots.txt", "/a", "/app.js", "/api/items"], "no image, nothing twice"
    assert server.log[1].headers["user-agent"] == AGENT
    assert browser.stage.slots.reserved == [server.url("/robots.txt"), server.url("/a")], "one page view"


async def test_the_document_and_its_redirects_pass_the_gate(server: Hostile, browser: BrowserStage) -> None:
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nDisallow: /private")
    server.scripts["/a"] = reply(status="302 Found", Location=server.url("/b", host=f"cdn.{SITE}"))
    server.scripts["/b"] = reply(b"<p>there", Content_Type="text/html")
    server.scripts["/c"] = reply(status="302 Found", Location="/private")
    got = await browser.fetch(
        server.url("/a"), slot=browser.stage.slots.slot(), headers={"X-Key": "secret", "Cookie": "k=1"}
    )
    assert (got.outcome, got.final_url) == (FetchOutcome.OK, server.url("/b", host=f"cdn.{SITE}"))
    assert [hop.status for hop in got.hops] == [302, 200]
    sent = {request.path: request.headers for request in server.log}
    assert (sent["/a"].get("x-key"), sent["/a"].get("cookie")) == ("secret", "k=1")
    assert (sent["/b"].get("x-key"), sent["/b"].get("cookie")) == (None, None), "secrets stay at home"
    refused = await browser.fetch(server.url("/c"))
    assert (refused.outcome, refused.final_url) == (FetchOutcome.ROBOTS_BLOCKED, server.url("/private"))
    blocked = await browser.fetch(server.url("/private"))
    assert (blocked.outcome, blocked.hops) == (FetchOutcome.ROBOTS_BLOCKED, ())
    assert "/private" not in server.paths()


class Datagrams(asyncio.DatagramProtocol):
    """Every UDP packet that arrives."""

    def __init__(self) -> None:
        self.received: list[bytes] = []

    def datagram_received(self, data: bytes, addr: object) -> None:  # noqa: ARG002 - as asyncio calls it
        self.received.append(data)


@pytest.fixture
async def stun() -> AsyncIterator[tuple[str, Datagrams]]:
    """The address of a UDP listener as a STUN server, and what it received."""
    loop = asyncio.get_running_loop()
    transport, listener = await loop.create_datagram_endpoint(Datagrams, local_addr=("127.0.0.1", 0))
    yield f"stun:127.0.0.1:{transport.get_extra_info('sockname')[1]}", listener
    transport.close()


GATHER = """
const gather = async (of) => {
  if (!of.RTCPeerConnection) return 'absent'
  const peer = new of.RTCPeerConnection({iceServers: [{urls: '%s'}]})
  peer.createDataChannel('data')
  const done = new Promise(end => {
    peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && end('gathered')
  })
  await peer.setLocalDescription(await peer.createOffer())
  return Promise.race([done, new Promise(end => setTimeout(() => end('late'), 3000))])
}
"""


async def test_l10_22_a_page_has_no_webrtc(
    server: Hostile, browser: BrowserStage, stun: tuple[str, Datagrams]
) -> None:
    """Not in the page, not in a frame made by it; no packet leaves."""
    address, listener = stun
    script = f"""{GATHER % address}
    const frame = document.body.appendChild(document.createElement('iframe'))
    Promise.all([gather(window), gather(frame.contentWindow)])
      .then(said => document.getElementById('said').textContent = said.join())
    """
    server.scripts["/a"] = reply(page(script), Content_Type="text/html")
    got = await browser.fetch(server.url("/a"))
    assert (got.outcome, got.error) == (FetchOutcome.OK, "")
    assert b">absent,absent<" in got.body
    assert listener.received == []


async def test_l10_22_chromium_itself_sends_no_stun_packet(
    chromium: Path, stun: tuple[str, Datagrams]
) -> None:
    """Where a page finds RTCPeerConnection in spite of everything, the browser's policy holds."""
    address, listener = stun
    process = BrowserProcess(chromium)
    try:
        async with process.context() as context:
            opened = await context.new_page()
            said = await opened.evaluate(f"() => {{ {GATHER % address}; return gather(window) }}")
    finally:
        await process.close()
    assert (said, listener.received) == ("gathered", [])


async def test_what_a_page_asks_for_obeys_robots_and_the_guard(
    server: Hostile, browser: BrowserStage
) -> None:
    """`inside.other` resolves to this very machine: only the page's own site may be there."""
    browser.stage.names.answers |= {"inside.other": ["127.0.0.1"], "metadata.other": ["169.254.169.254"]}
    places = [
        "/private",
        f"http://127.0.0.1:{server.port}/by-address",
        f"http://[::ffff:127.0.0.1]:{server.port}/mapped",
        f"http://inside.other:{server.port}/by-name",
        "http://metadata.other/latest",
        "http://169.254.169.254/latest",
        f"ws://127.0.0.1:{server.port}/socket",
    ]
    server.scripts["/robots.txt"] = reply(b"User-agent: *\nDisallow: /private")
    server.scripts["/a"] = reply(
        page(
            f"""
            const tried = {places}.map(place => place.startsWith('ws:')
              ? new Promise(done => {{
                  const opened = new WebSocket(place)
                  opened.onerror = () => done('no')
                  opened.onopen = () => done('yes')
                }})
              : fetch(place, {{mode: 'no-cors'}}).then(() => 'yes', () => 'no'))
            Promise.all(tried).then(said => document.getElementById('said').textContent = said.join())
            """
        ),
        Content_Type="text/html",
    )
    got = await browser.fetch(server.url("/a"))
    assert (got.outcome, got.error) == (FetchOutcome.OK, "")
    assert f">{','.join(['no'] * len(places))}<".encode() in got.body
    assert server.paths() == ["/robots.txt", "/a"]


async def test_a_page_cannot_borrow_another_visits_pass(server: Hostile, browser: BrowserStage) -> None:
    """A page of elsewhere, visited while the local site is being visited too."""
    server.scripts["/a"] = reply(page(""), Content_Type="text/html")
    async with browser.proxy.visit(local_site=SITE) as allowed, browser.proxy.visit(local_site=None) as other:
        said = [
            await _through(browser, user, server.url("/a")) for user in (allowed.user, other.user, "x", "")
        ]
    assert [line.split()[1] for line in said] == ["200", "502", "407", "407"]
    assert other.errors[f"www.{SITE}"][0] is FetchOutcome.ERROR
    after = await _through(browser, allowed.user, server.url("/a"))
    assert after.split()[1] == "407", "a pass ends with its visit"
    assert server.paths() == ["/a"]


async def _through(browser: BrowserStage, user: str, url: str) -> str:
    """The proxy's first line to whoever comes by this name."""
    host, port = browser.proxy.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    token = base64.b64encode(f"{user}:x".encode()).decode()
    writer.write(f"GET {url} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic {token}\r\n\r\n".encode())
    line = (await reader.readline()).decode()
    writer.close()
    return line


async def test_bad_news_is_told_as_what_it_is(server: Hostile, browser: BrowserStage) -> None:
    server.scripts["/403"] = reply(b"no", status="403 Forbidden", Content_Type="text/html")
    server.scripts["/429"] = reply(b"", status="429 Too Many", Retry_After="60")
    server.scripts["/loop"] = reply(status="302 Found", Location="/loop")
    server.scripts["/file"] = reply(b"PK", Content_Disposition="attachment", Content_Type="application/zip")
    server.scripts["/json"] = reply(b'{"a": 1}', Content_Type="application/json")
    server.scripts["/endless"] = reply(page("for (;;) {}"), Content_Type="text/html")
    said = {
        path: await browser.fetch(server.url(path))
        for path in ("/403", "/429", "/404", "/loop", "/file", "/json")
    }
    assert {path: got.outcome for path, got in said.items()} == {
        "/403": FetchOutcome.BLOCKED,
        "/429": FetchOutcome.BLOCKED,
        "/404": FetchOutcome.NOT_FOUND,
        "/loop": FetchOutcome.ERROR,
        "/file": FetchOutcome.ERROR,
        "/json": FetchOutcome.OK,
    }
    assert said["/429"].retry_at is not None
    assert "redirects" in said["/loop"].error
    assert said["/json"].body == b'{"a": 1}'
    slow = await browser.fetch(server.url("/endless"), timeout=SOON_ENOUGH)
    assert (slow.outcome, slow.fetcher) == (FetchOutcome.TIMEOUT, "browser")
    nowhere = await browser.fetch("https://nowhere.invalid/")
    assert nowhere.outcome is FetchOutcome.DNS_ERROR


async def test_a_turn_that_is_missing_costs_nothing(server: Hostile, browser: BrowserStage) -> None:
    later = browser.stage.clock.now()
    browser.stage.slots.refusal = Refusal.wait("not yet", until=later)
    got = await browser.fetch(server.url("/a"))
    assert (got.waiting, got.retry_at, got.hops, server.log) == (True, later, (), [])


async def test_browsers_are_replaced_and_none_stays(server: Hostile, chromium: Path) -> None:
    """The short form of the proof over 200 pages: processes and memory do not grow with pages."""
    server.scripts["/a"] = reply(page("document.body.append('x'.repeat(1e6))"), Content_Type="text/html")
    seen: set[int] = set()
    async with browser_stage(chromium, limits=BrowserLimits(recycle_after=3)) as browser:
        for _ in range(7):
            assert (await browser.fetch(server.url("/a"))).outcome is FetchOutcome.OK
            seen |= {pid for group in browser.process.groups() for pid in processes_of(group)}
            assert len(browser.process.groups()) <= 1
        assert browser.process.started == 3
    assert seen
    assert await gone(seen)


async def test_a_browser_that_is_killed_costs_its_page_and_no_more(
    server: Hostile, browser: BrowserStage
) -> None:
    async def kill_it(request: Request, writer: asyncio.StreamWriter) -> None:
        for group in browser.process.groups():
            os.killpg(group, signal.SIGKILL)

    server.scripts["/kill"] = kill_it
    server.scripts["/a"] = reply(page(""), Content_Type="text/html")
    assert (await browser.fetch(server.url("/a"))).outcome is FetchOutcome.OK
    before = {pid for group in browser.process.groups() for pid in processes_of(group)}
    dead = await browser.fetch(server.url("/kill"))
    assert (dead.outcome, dead.error) == (FetchOutcome.ERROR, "the browser crashed")
    assert await gone(before)
    assert (await browser.fetch(server.url("/a"))).outcome is FetchOutcome.OK


async def test_a_browser_that_outgrows_its_memory_is_ended(server: Hostile, chromium: Path) -> None:
    hog = """
        for (const all = []; ; ) {
          all.push(new Uint8Array(1e7).fill(1))
          for (const start = Date.now(); Date.now() < start + 50; );
        }
    """
    server.scripts["/hog"] = reply(page(hog), Content_Type="text/html")
    limits = BrowserLimits(most_memory=400 * 1024 * 1024)
    async with browser_stage(chromium, limits=limits) as browser:
        got = await browser.fetch(server.url("/hog"))
        assert got.outcome is FetchOutcome.ERROR
        assert "MB of memory and was killed" in got.error


async def test_no_browser_outlives_a_killed_larder(chromium: Path) -> None:
    larder = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.proofs.browse", str(chromium), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert larder.stdout is not None
    pids = [int(word) for word in (await larder.stdout.readline()).split()]
    assert len(pids) > 2
    larder.kill()
    await larder.wait()
    assert await gone(pids)
