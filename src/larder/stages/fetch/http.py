"""Fetch a page over HTTP: one attempt, at most five redirects, every hop through the gate.

Whatever happens is told as a Fetched; retrying is the engine's decision. What a source says about itself
(its own headers, validators, cookies it was given) goes to the host it was meant for and to no other.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from urllib.parse import urlsplit

from larder import __version__
from larder.core.model.job import Slot
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, Hop
from larder.core.ports import Clock
from larder.stages.fetch.client import TIMEOUT, Answer, Client, Exchange, Method
from larder.stages.fetch.gate import MAX_HOPS, Gate
from larder.stages.fetch.permit import Refusal
from larder.stages.fetch.verdict import next_hop, outcome_of, retry_at

NAME = "http"


def honest_agent(contact: str) -> str:
    """Who we are and where to complain."""
    return f"Larder/{__version__} (+{contact})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """One page to bring."""

    url: str
    method: Method = Method.GET
    slot: Slot | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """The source's own, secrets included: sent to its host only."""
    user_agent: str | None = None
    jar: str | None = None
    """Whose cookies (the source's)."""
    etag: str | None = None
    last_modified: str | None = None
    timeout: timedelta = TIMEOUT
    local_site: str | None = None
    """The source's site, if an operator listed it as local."""


class HttpFetcher:
    """Brings pages over HTTP."""

    def __init__(self, client: Client, gate: Gate, clock: Clock) -> None:
        self._client = client
        self._gate = gate
        self._clock = clock

    async def fetch(self, request: FetchRequest) -> Fetched:
        """One attempt; no exception but cancellation leaves here."""
        started = self._clock.now()
        fetched = await self._walk(request)
        return replace(fetched, duration=self._clock.now() - started)

    async def _walk(self, request: FetchRequest) -> Fetched:
        url, slot = request.url, request.slot
        hops: tuple[Hop, ...] = ()
        while True:
            permit = await self._gate.admit(url, slot, local_site=request.local_site)
            if isinstance(permit, Refusal):
                return self._refused(request, permit, url, hops)
            answer = await self._client.send(_exchange(request, permit.url), permit)
            if isinstance(answer, Refusal):
                return self._refused(request, answer, url, hops)
            if answer.sent_at is not None:
                hops = (*hops, Hop(url=permit.url, status=answer.status or 0, sent_at=answer.sent_at))
            target = next_hop(answer, permit.url)
            if target is None:
                return self._arrived(request, answer, permit.url, hops)
            if len(hops) > MAX_HOPS:
                return self._lost(request, permit.url, hops)
            url, slot = target, None

    def _arrived(self, request: FetchRequest, answer: Answer, url: str, hops: tuple[Hop, ...]) -> Fetched:
        now = self._clock.now()
        outcome = outcome_of(answer, conditional=bool(request.etag or request.last_modified))
        return Fetched(
            outcome=outcome,
            url=request.url,
            final_url=url,
            fetched_at=now,
            status=answer.status,
            headers={name: value for name, value in answer.headers.items() if name != "location"},
            body=answer.body,
            content_hash=hashlib.sha256(answer.body).hexdigest() if answer.body else None,
            fetcher=NAME,
            hops=hops,
            error="" if outcome.brought_a_page else answer.error or f"answered {answer.status}",
            retry_at=retry_at(answer, now=now),
        )

    def _refused(self, request: FetchRequest, refusal: Refusal, url: str, hops: tuple[Hop, ...]) -> Fetched:
        return Fetched(
            outcome=refusal.outcome,
            url=request.url,
            final_url=url,
            fetched_at=self._clock.now(),
            fetcher=NAME,
            hops=hops,
            error=refusal.reason,
            retry_at=refusal.retry_at,
            waiting=refusal.waiting and not hops,
        )

    def _lost(self, request: FetchRequest, url: str, hops: tuple[Hop, ...]) -> Fetched:
        return Fetched(
            outcome=FetchOutcome.ERROR,
            url=request.url,
            final_url=url,
            fetched_at=self._clock.now(),
            status=hops[-1].status,
            fetcher=NAME,
            hops=hops,
            error=f"more than {MAX_HOPS} redirects",
        )


def _exchange(request: FetchRequest, url: str) -> Exchange:
    headers = dict(_own_headers(request)) if _same_place(request.url, url) else {}
    if request.user_agent:
        headers["User-Agent"] = request.user_agent
    return Exchange(method=request.method, headers=headers, jar=request.jar, timeout=request.timeout)


def _own_headers(request: FetchRequest) -> Mapping[str, str]:
    validators = {"If-None-Match": request.etag, "If-Modified-Since": request.last_modified}
    return {**request.headers, **{name: value for name, value in validators.items() if value}}


def _same_place(asked: str, url: str) -> bool:
    """The same host, `www.` or not, and not less secret than it was."""
    here, there = urlsplit(asked), urlsplit(url)
    same_host = _bare(here.hostname) == _bare(there.hostname)
    return (
        same_host
        and (here.port == there.port or None in (here.port, there.port))
        and not (here.scheme == "https" and there.scheme == "http")
    )


def _bare(host: str | None) -> str:
    return (host or "").removeprefix("www.")
