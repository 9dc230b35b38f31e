"""Fetches a page through a relay service with ScrapingBee's protocol.

The target passes the gate first (guard, robots.txt, a slot); as the relay resolves names itself, the name's
addresses are checked before the call. One slot is one call. The header `Spb-initial-status-code`
distinguishes the site's answer from the service's own (no credits, busy, down): without it the site was not
reached.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

import orjson

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName
from larder.core.ports import Clock
from larder.stages.fetch.client import Client
from larder.stages.fetch.exchange import STORED_HEADERS, Answer, Exchange
from larder.stages.fetch.gate import RequestGate
from larder.stages.fetch.permit import Refusal
from larder.stages.fetch.request import FetchRequest
from larder.stages.fetch.trace import FetchTrace

RELAY_TIMEOUT = timedelta(seconds=90)
"""A relay makes several attempts before it responds."""
BUSY_WAIT = timedelta(seconds=15)
INITIAL_STATUS, RESOLVED_URL, COST = "spb-initial-status-code", "spb-resolved-url", "spb-cost"
_KEPT = frozenset({INITIAL_STATUS, RESOLVED_URL, COST})
OPTIONS = frozenset(
    {"render_js", "premium_proxy", "stealth_proxy", "country_code", "wait", "wait_for", "block_resources"}
)
"""Options that a source may set for the relay, in `params.relay`."""


class RelayFailure(StrEnum):
    """Failures of the relay service itself."""

    SPENT = "spent"
    BUSY = "busy"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayService:
    """The configured service."""

    url: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relayed:
    """The page, the cost of the call, and the failure of the relay, if any."""

    fetched: Fetched
    cost: float = 0
    failure: RelayFailure | None = None


class RelayFetcher:
    """Fetches pages through a relay service."""

    def __init__(self, client: Client, gate: RequestGate, clock: Clock, *, service: RelayService) -> None:
        self._client = client
        self._gate = gate
        self._clock = clock
        self._service = service

    async def fetch(self, request: FetchRequest) -> Fetched:
        """One attempt; raises nothing but cancellation."""
        return (await self.relay(request)).fetched

    async def relay(self, request: FetchRequest) -> Relayed:
        """Fetch a page; also returns the service's own status."""
        trace = FetchTrace(request, self._clock, FetcherName.RELAY)
        permit = await self._gate.admit_through(
            self._call(request), request.url, request.slot, local_site=request.local_site
        )
        if isinstance(permit, Refusal):
            return Relayed(fetched=trace.refused(permit, request.url))
        exchange = Exchange(timeout=max(request.timeout, RELAY_TIMEOUT), keep=STORED_HEADERS | _KEPT)
        answer = await self._client.send(exchange, permit)
        if isinstance(answer, Refusal):
            return Relayed(fetched=trace.refused(answer, request.url))
        if INITIAL_STATUS in answer.headers:
            return await self._reached(trace, answer)
        return self._not_reached(trace, answer)

    def _call(self, request: FetchRequest) -> str:
        """The service's URL for this page."""
        params = {"api_key": self._service.key, "url": request.url, "transparent_status_code": "true"}
        return f"{self._service.url}?{urlencode({**params, **_options(request)})}"

    async def _reached(self, trace: FetchTrace, answer: Answer) -> Relayed:
        """The site responded: the relay's status is the site's."""
        url = answer.headers.get(RESOLVED_URL) or trace.request.url
        trace.add_request(trace.request.url, answer)
        cost = _cost(answer.headers)
        refusal = None if url == trace.request.url else await self._objection(url, trace.request)
        if refusal is not None:
            return Relayed(fetched=trace.refused(refusal, url), cost=cost)
        headers = {name: value for name, value in answer.headers.items() if name not in _KEPT}
        return Relayed(fetched=trace.arrived(replace(answer, headers=headers), url), cost=cost)

    async def _objection(self, url: str, request: FetchRequest) -> Refusal | None:
        """Why the final URL must not be used: the relay follows redirects itself."""
        return await self._gate.judge(url, local_site=request.local_site)

    def _not_reached(self, trace: FetchTrace, answer: Answer) -> Relayed:
        fault = _fault_of(answer)
        error = f"relay: {_message_of(answer)}".replace(
            self._service.key, "•••"
        )  # some services return the requested URL
        if fault is RelayFailure.BUSY:
            refusal = Refusal.wait(error, until=self._clock.now() + BUSY_WAIT)
            return Relayed(fetched=trace.refused(refusal, trace.request.url), failure=fault)
        outcome = FetchOutcome.TIMEOUT if answer.failure is FetchOutcome.TIMEOUT else FetchOutcome.ERROR
        return Relayed(fetched=trace.end(outcome, trace.request.url, error=error), failure=fault)


def _options(request: FetchRequest) -> dict[str, str]:
    """The options of a call.

    Scripts cost extra with a relay: they run only if the page or its source needs them.
    """
    params = request.source.params.get("relay") if request.source else None
    options: Mapping[str, Any] = params if isinstance(params, Mapping) else {}
    chosen = {name: _word(value) for name, value in options.items() if name in OPTIONS}
    return {"render_js": "true" if request.javascript else "false", **chosen}


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fault_of(answer: Answer) -> RelayFailure | None:
    match answer.status:
        case None:
            return RelayFailure.DOWN
        case 401 | 402:
            return RelayFailure.SPENT
        case 429:
            return RelayFailure.BUSY
        case 502 | 503 | 504:
            return RelayFailure.DOWN
        case _:  # 400: our request is invalid; 500: the relay failed to get the page from the site
            return None


def _message_of(answer: Answer) -> str:
    """The service's error message, if any."""
    try:
        answered = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        answered = None
    words = (answered.get("message") or answered.get("error")) if isinstance(answered, dict) else None
    status = f"answered {answer.status}" if answer.status else answer.error
    return f"{status} ({str(words)[:200]})" if words else status


def _cost(headers: Mapping[str, str]) -> float:
    try:
        return max(float(headers.get(COST, "1")), 0)
    except ValueError:
        return 1
