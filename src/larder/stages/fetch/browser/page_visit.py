"""One visit of a page in Chromium: which requests it may send, and what is kept of the responses.

The document and each of its redirects pass the gate like any request: guard, terms, robots.txt, a slot.
Requests by the page are part of the same page view and take no slots, but robots.txt is obeyed, blocked
sites, images, fonts and media are not loaded, and the number of requests is bounded.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from larder.core.model.page import Hop
from larder.stages.fetch.gate import MAX_HOPS, RequestGate
from larder.stages.fetch.permit import Permit, Refusal
from larder.stages.fetch.trace import FetchTrace

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page, Response, Route

MAX_REQUESTS = 150
ROBOTS_SECONDS = 10.0
"""How long a request of a page waits for the robots.txt of another origin."""
SETTLE_SECONDS = 8.0
"""How long a page may continue loading after its document has arrived."""
NOT_LOADED = frozenset({"image", "imageset", "font", "media", "texttrack", "ping", "cspreport", "beacon"})
_DOCUMENTS = {"patterns": [{"urlPattern": "http*", "resourceType": "Document", "requestStage": "Request"}]}
NO_WEBRTC = "delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection"
"""Runs in every frame before its own scripts: WebRTC would send UDP packets past the proxy."""


@dataclass  # no `__slots__`: Playwright sets attributes on objects whose methods it calls
class Visit:
    """A page being opened."""

    trace: FetchTrace
    gate: RequestGate
    context: "BrowserContext"
    clock: Callable[[], datetime]
    waiting: Callable[[bool], None]
    """Called when the page waits for its slot (True) and when it continues (False)."""
    refusal: Refusal | None = None
    """Why the document, or a redirect of it, was not requested."""
    refused_at: str = ""
    requests: int = 0
    left_out: list[str] = field(default_factory=list)
    """Requests of the page that were not sent, with the reason."""
    answer: "Response | None" = None
    _frame: str = ""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def open(self) -> "Page":
        """Open a blank page with its handlers installed."""
        await self.context.add_init_script(NO_WEBRTC)
        page = await self.context.new_page()
        self.context.on("page", self._close_popup)
        await self.context.route("**/*", self._judge)
        session = await self.context.new_cdp_session(page)
        self._frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        session.on("Fetch.requestPaused", lambda event: self._spawn(self._document(session, event)))
        await session.send("Fetch.enable", _DOCUMENTS)
        page.on("response", self._answered)
        return page

    async def end(self) -> None:
        """Close the page and stop its requests."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _close_popup(self, page: "Page") -> None:
        self._spawn(page.close())

    async def _document(self, session: "CDPSession", event: dict[str, Any]) -> None:
        """Check the request for a document, and each hop of a redirect, before it is sent."""
        url, request_id = event["request"]["url"], event["requestId"]
        if event.get("frameId") != self._frame:
            await session.send("Fetch.continueRequest", {"requestId": request_id})
            return
        permit = await self._admitted(url)
        if isinstance(permit, Refusal):
            self.refusal, self.refused_at = permit, url
            await session.send("Fetch.failRequest", {"requestId": request_id, "errorReason": "Aborted"})
            return
        headers = self._headers(event["request"]["headers"], permit.url)
        self.trace.hops.append(Hop(url=permit.url, status=0, sent_at=self.clock()))
        await session.send("Fetch.continueRequest", {"requestId": request_id, "headers": headers})

    async def _admitted(self, url: str) -> Permit | Refusal:
        if len(self.trace.hops) > MAX_HOPS:
            return Refusal.never(f"more than {MAX_HOPS} redirects")
        request = self.trace.request
        slot = None if self.trace.hops else request.slot
        self.waiting(True)
        permit = await self.gate.admit(url, slot, local_site=request.local_site)
        self.waiting(False)
        if isinstance(permit, Permit):
            permit.spend()
        return permit

    def _headers(self, values: dict[str, str], url: str) -> list[dict[str, str]]:
        """The browser's headers, with the source's own on its host only."""
        own = {name.lower() for name in self.trace.request.headers}
        headers = {name: value for name, value in values.items() if name.lower() not in own}
        ours = {
            name: value for name, value in self.trace.own_headers(url).items() if name.lower() != "cookie"
        }
        return [{"name": name, "value": value} for name, value in {**headers, **ours}.items()]

    async def _judge(self, route: "Route") -> None:
        """Decide whether the page may send this request."""
        request = route.request
        if request.is_navigation_request() and request.frame.parent_frame is None:
            await route.continue_()
            return
        self.requests += 1
        reason = await self._objection(request.resource_type, request.url)
        if reason is None:
            await route.continue_()
        else:
            self.left_out.append(f"{request.url[:200]}: {reason}")
            await route.abort("blockedbyclient")

    async def _objection(self, kind: str, url: str) -> str | None:
        if kind in NOT_LOADED:
            return f"{kind}s are not loaded"
        if self.requests > MAX_REQUESTS:
            return f"more than {MAX_REQUESTS} requests"
        if not url.startswith(("http:", "https:")):
            return None
        try:
            async with asyncio.timeout(ROBOTS_SECONDS):
                refusal = await self.gate.judge(
                    url, local_site=self.trace.request.local_site, part_of_page=True
                )
        except TimeoutError:
            return "its robots.txt was not received in time"
        return refusal.reason if refusal else None

    def _answered(self, response: "Response") -> None:
        """Store status and URL of each hop of the document; the last one is the page's."""
        request = response.request
        if not request.is_navigation_request() or request.frame.parent_frame is not None:
            return
        self.answer = response
        for at, hop in enumerate(self.trace.hops):
            if hop.status == 0 and hop.url == response.url.partition("#")[0]:
                self.trace.hops[at] = replace(hop, status=response.status)
