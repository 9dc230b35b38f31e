"""Fetches a page over HTTP: one attempt, at most five redirects, every hop through the gate.

Every failure becomes a `Fetched`; retries are the engine's decision. A source's own headers, validators and
cookies are sent to its own host only.
"""

from larder import __version__
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName
from larder.core.ports import Clock
from larder.stages.fetch.client import Client
from larder.stages.fetch.exchange import Exchange
from larder.stages.fetch.gate import MAX_HOPS, RequestGate
from larder.stages.fetch.permit import Refusal, Routes
from larder.stages.fetch.request import FetchRequest
from larder.stages.fetch.response_outcome import next_hop
from larder.stages.fetch.trace import FetchTrace


def larder_user_agent(contact: str) -> str:
    """The user agent: name, version and contact."""
    return f"Larder/{__version__} (+{contact})"


class HttpFetcher:
    """Fetches pages over HTTP."""

    def __init__(
        self, client: Client, gate: RequestGate, clock: Clock, *, routes: Routes | None = None
    ) -> None:
        self._client = client
        self._gate = gate
        self._clock = clock
        self._routes = routes

    async def fetch(self, request: FetchRequest) -> Fetched:
        """One attempt; raises nothing but cancellation."""
        trace = FetchTrace(request, self._clock, FetcherName.HTTP)
        route = await self._routes.choose(request.url) if request.proxied and self._routes else None
        if isinstance(route, Refusal):
            return trace.refused(route, request.url)
        url, slot = request.url, route.slot if route else request.slot
        while True:
            permit = await self._gate.admit(url, slot, local_site=request.local_site, route=route)
            if isinstance(permit, Refusal):
                return trace.refused(permit, url)
            answer = await self._client.send(_exchange(trace, permit.url), permit)
            if isinstance(answer, Refusal):
                return trace.refused(answer, permit.url)
            trace.add_request(permit.url, answer)
            target = next_hop(answer, permit.url)
            if target is None:
                return trace.arrived(answer, permit.url)
            if len(trace.hops) > MAX_HOPS:
                too_many = f"more than {MAX_HOPS} redirects"
                return trace.end(FetchOutcome.ERROR, permit.url, status=answer.status, error=too_many)
            url, slot = target, None


def _exchange(trace: FetchTrace, url: str) -> Exchange:
    request = trace.request
    return Exchange(
        method=request.method, headers=trace.own_headers(url), jar=request.jar, timeout=request.timeout
    )
