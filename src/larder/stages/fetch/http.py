"""Fetch a page over HTTP: one attempt, at most five redirects, every hop through the gate.

Whatever happens is told as a Fetched; retrying is the engine's decision. What a source says about itself
(its own headers, validators, cookies it was given) goes to the host it was meant for and to no other.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
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
        way = _Way(request, self._clock)
        url, slot = request.url, request.slot
        while True:
            permit = await self._gate.admit(url, slot, local_site=request.local_site)
            if isinstance(permit, Refusal):
                return way.refused(permit, url)
            answer = await self._client.send(way.exchange(permit.url), permit)
            if isinstance(answer, Refusal):
                return way.refused(answer, permit.url)
            way.went(permit.url, answer)
            target = next_hop(answer, permit.url)
            if target is None:
                return way.arrived(answer, permit.url)
            if len(way.hops) > MAX_HOPS:
                too_many = f"more than {MAX_HOPS} redirects"
                return way.end(FetchOutcome.ERROR, permit.url, status=answer.status, error=too_many)
            url, slot = target, None


@dataclass(slots=True)
class _Way:
    """How far a fetch has come, and how it ends."""

    request: FetchRequest
    clock: Clock
    hops: list[Hop] = field(default_factory=list)
    home: str | None = None
    """Where it began, in the form in which it was sent."""

    def exchange(self, url: str) -> Exchange:
        self.home = self.home or url
        headers = _own_headers(self.request) if _same_place(self.home, url) else {}
        if self.request.user_agent:
            headers["User-Agent"] = self.request.user_agent
        return Exchange(
            method=self.request.method, headers=headers, jar=self.request.jar, timeout=self.request.timeout
        )

    def went(self, url: str, answer: Answer) -> None:
        if answer.sent_at is not None:
            self.hops.append(Hop(url=url, status=answer.status or 0, sent_at=answer.sent_at))

    def arrived(self, answer: Answer, url: str) -> Fetched:
        conditional = bool(self.request.etag or self.request.last_modified)
        outcome = outcome_of(answer, conditional=conditional)
        return self.end(
            outcome,
            url,
            status=answer.status,
            headers={name: value for name, value in answer.headers.items() if name != "location"},
            body=answer.body,
            content_hash=hashlib.sha256(answer.body).hexdigest() if answer.body else None,
            error="" if outcome.brought_a_page else answer.error or f"answered {answer.status}",
            retry_at=retry_at(answer, now=self.clock.now()),
        )

    def refused(self, refusal: Refusal, url: str) -> Fetched:
        return self.end(
            refusal.outcome,
            url,
            error=refusal.reason,
            retry_at=refusal.retry_at,
            waiting=refusal.waiting and not self.hops,
        )

    def end(self, outcome: FetchOutcome, url: str, **rest: Any) -> Fetched:
        """Its duration counts from the first request: waiting for a turn is not the site's time."""
        now = self.clock.now()
        return Fetched(
            outcome=outcome,
            url=self.request.url,
            final_url=url,
            fetched_at=now,
            duration=now - self.hops[0].sent_at if self.hops else timedelta(0),
            fetcher=NAME,
            hops=tuple(self.hops),
            **rest,
        )


def _own_headers(request: FetchRequest) -> dict[str, str]:
    validators = {"If-None-Match": request.etag, "If-Modified-Since": request.last_modified}
    return {**request.headers, **{name: value for name, value in validators.items() if value}}


def _same_place(home: str, url: str) -> bool:
    """The same host, `www.` or not, on the same port, and not less secret than it was."""
    if home == url:
        return True
    here, there = urlsplit(home), urlsplit(url)
    less_secret = here.scheme == "https" and there.scheme == "http"
    return here.port == there.port and _bare(here.hostname) == _bare(there.hostname) and not less_secret


def _bare(host: str | None) -> str:
    return (host or "").removeprefix("www.")
