"""Fetches pages with Chromium: pages that are empty until their scripts have run.

The result is the document after its scripts ran; what is not HTML is returned as it was sent. Waiting for a
slot does not count against the page's time limit. Every failure becomes a `Fetched`.
"""

import asyncio
from collections import OrderedDict
from contextlib import AsyncExitStack, suppress
from datetime import timedelta
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from larder import __version__
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName
from larder.core.ports import Clock
from larder.stages.fetch.browser.guard_proxy import ProxyGuard, VisitPass
from larder.stages.fetch.browser.page_visit import SETTLE_SECONDS, Visit
from larder.stages.fetch.browser.process import BrowserGoneError, BrowserProcess
from larder.stages.fetch.exchange import MAX_BYTES, Answer, stored_headers
from larder.stages.fetch.gate import RequestGate
from larder.stages.fetch.request import FetchRequest
from larder.stages.fetch.trace import FetchTrace

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Response

MAX_JARS = 200
MAX_COOKIES = 100
_NO_BODY = "ERR_HTTP_RESPONSE_CODE_FAILURE"
"""Chromium's error for a 4xx or 5xx without a body."""
_VALIDATORS = frozenset({"etag", "last-modified"})
"""Validators, which describe the document as it was sent, not after its scripts ran."""
_HTML = ("text/html", "application/xhtml+xml")


def browser_user_agent(contact: str) -> str:
    """The browser's user agent with Larder's name appended."""
    product = f"compatible; Larder/{__version__}; +{contact}"
    return f"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; {product}) Chrome/140.0.0.0 Safari/537.36"


class BrowserFetcher:
    """Fetches pages with Chromium."""

    def __init__(
        self, process: BrowserProcess, proxy: ProxyGuard, gate: RequestGate, clock: Clock, *, user_agent: str
    ) -> None:
        self._process = process
        self._proxy = proxy
        self._gate = gate
        self._clock = clock
        self._user_agent = user_agent
        self._cookies: OrderedDict[str, list[Any]] = OrderedDict()

    async def fetch(self, request: FetchRequest) -> Fetched:
        """One attempt; raises nothing but cancellation."""
        trace = FetchTrace(request, self._clock, FetcherName.BROWSER)
        async with AsyncExitStack() as stack:
            try:
                visit_pass = await stack.enter_async_context(self._proxy.visit(local_site=request.local_site))
                context = await stack.enter_async_context(
                    self._process.context(**self._options(visit_pass, request))
                )
            except BrowserGoneError as gone:
                return trace.end(FetchOutcome.ERROR, request.url, error=str(gone))
            return await self._visit(trace, context, visit_pass)

    def _options(self, visit_pass: VisitPass, request: FetchRequest) -> dict[str, Any]:
        return {
            "proxy": {"server": self._proxy.url, "username": visit_pass.user, "password": "visit"},
            "user_agent": request.user_agent or self._user_agent,
            "service_workers": "block",
            "accept_downloads": False,
        }

    async def _visit(self, trace: FetchTrace, context: "BrowserContext", visit_pass: VisitPass) -> Fetched:
        try:
            async with asyncio.timeout(trace.request.timeout.total_seconds()) as limit:
                visit = Visit(
                    trace, self._gate, context, self._clock.now, _pausing(limit, trace.request.timeout)
                )
                try:
                    return await self._open_page(visit, visit_pass)
                finally:
                    await visit.end()
        except TimeoutError:
            return trace.end(FetchOutcome.TIMEOUT, trace.request.url, error="no complete page in time")
        except Exception as error:  # noqa: BLE001 - whatever a page can provoke in a browser ends as an outcome
            return self._broken(trace, visit_pass, error)

    async def _open_page(self, visit: Visit, visit_pass: VisitPass) -> Fetched:
        await visit.context.add_cookies(self._cookies_for(visit.trace.request))
        page = await visit.open()
        failure: Exception | None = None
        try:
            await page.goto(visit.trace.request.url, wait_until="domcontentloaded", timeout=0)
            await _settled(page)
        except Exception as error:  # noqa: BLE001 - judged below, with what the gate and the proxy know
            failure = error
        if visit.refusal is not None:
            return visit.trace.refused(visit.refusal, visit.refused_at)
        refused = visit.answer is not None and _NO_BODY in str(failure)
        if (
            visit.answer is None
            or (failure is not None and not refused)
            or self._not_reached(visit, visit_pass)
        ):
            return self._broken(visit.trace, visit_pass, failure or BrowserGoneError("no answer"))
        answer = await (_bare_answer(visit.answer) if refused else _answer(page, visit.answer))
        await self._keep_cookies(visit)
        final_url = page.url if page.url.startswith("http") else visit.answer.url
        return visit.trace.arrived(answer, final_url.partition("#")[0])

    def _not_reached(self, visit: Visit, visit_pass: VisitPass) -> bool:
        """Whether the guarding proxy answered instead of the site."""
        answer = visit.answer
        return answer is not None and answer.status == 502 and _host(answer.url) in visit_pass.errors

    def _broken(self, trace: FetchTrace, visit_pass: VisitPass, error: Exception) -> Fetched:
        """The result of a failed visit; the proxy knows errors of names and addresses."""
        url = trace.hops[-1].url if trace.hops else trace.request.url
        outcome, text = visit_pass.errors.get(_host(url)) or _failure(error, self._process)
        return trace.end(outcome, url, error=text)

    def _cookies_for(self, request: FetchRequest) -> list[Any]:
        jar_cookies = self._cookies.get(request.jar or "", [])
        given = next((value for name, value in request.headers.items() if name.lower() == "cookie"), "")
        return [*jar_cookies, *_given_cookies(given, request.url)]

    async def _keep_cookies(self, visit: Visit) -> None:
        jar = visit.trace.request.jar
        if jar is None:
            return
        self._cookies[jar] = (await visit.context.cookies())[:MAX_COOKIES]
        self._cookies.move_to_end(jar)
        if len(self._cookies) > MAX_JARS:
            self._cookies.popitem(last=False)


def _pausing(limit: asyncio.Timeout, timeout: timedelta) -> Any:
    """Pause the time limit while the page waits for a slot."""
    loop = asyncio.get_running_loop()

    def waits(waiting: bool) -> None:
        limit.reschedule(None if waiting else loop.time() + timeout.total_seconds())

    return waits


async def _settled(page: "Page") -> None:
    """Wait until the network is idle, for a limited time: some pages never stop loading."""
    from playwright.async_api import TimeoutError as StillBusyError  # noqa: PLC0415

    with suppress(StillBusyError):
        await page.wait_for_load_state("networkidle", timeout=SETTLE_SECONDS * 1000)


async def _bare_answer(response: "Response") -> Answer:
    return Answer(status=response.status, headers=stored_headers(await response.all_headers()))


async def _answer(page: "Page", response: "Response") -> Answer:
    headers = stored_headers(await response.all_headers())
    html = headers.get("content-type", "text/html").partition(";")[0].strip().lower() in _HTML
    if html:
        body = (await page.content()).encode("utf-8", "surrogatepass")
        headers = {name: value for name, value in headers.items() if name not in _VALIDATORS}
        headers["content-type"] = "text/html; charset=utf-8"
    else:
        body = await response.body()
    if len(body) > MAX_BYTES:
        return Answer(status=response.status, failure=FetchOutcome.TOO_LARGE, error=f"{len(body)} bytes")
    return Answer(status=response.status, headers=headers, body=body)


def _failure(error: Exception, process: BrowserProcess) -> tuple[FetchOutcome, str]:
    text = str(error).partition("\n")[0][:300]
    if "ERR_CERT" in text or "ERR_SSL" in text:
        return FetchOutcome.TLS_ERROR, text
    if "ERR_TIMED_OUT" in text or "ERR_CONNECTION_TIMED_OUT" in text:
        return FetchOutcome.TIMEOUT, text
    if "closed" in text or "crashed" in text:
        return FetchOutcome.ERROR, process.why_gone()
    return FetchOutcome.ERROR, text


def _given_cookies(header: str, url: str) -> list[dict[str, str]]:
    try:
        given = SimpleCookie(header)
    except CookieError:
        return []
    return [{"name": name, "value": morsel.value, "url": url} for name, morsel in given.items()]


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""
