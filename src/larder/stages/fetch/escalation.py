"""Fetches a page by the cheapest fetcher that works: http, then the browser, then the relay.

A page that is blocked, or empty without its scripts, is requested again by the next fetcher, in a slot of its
own. The successful fetcher is suggested for the source, not set: that is an operator's decision. A relay
costs money, so its quota is checked first; when it is spent, a recent stored page is better than none, and
keeps its own time.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName, Source, Tier
from larder.core.policy.quota import Allowance, Quota
from larder.core.ports import Clock
from larder.stages.fetch.browser.needs_javascript import needs_javascript
from larder.stages.fetch.exchange import Method
from larder.stages.fetch.permit import StepListener
from larder.stages.fetch.relay import RelayFailure, RelayFetcher
from larder.stages.fetch.request import Fetcher, FetchRequest

ORDER = (FetcherName.HTTP, FetcherName.BROWSER, FetcherName.RELAY)
STORED_IS_GOOD_FOR = timedelta(hours=24)
DOWN_AFTER = 3
"""Failed calls of the relay in a row after which it counts as down."""
_NO_HOST = frozenset({FetchOutcome.DNS_ERROR, FetchOutcome.TLS_ERROR})
_TURNED_AWAY = frozenset({403, 429})


class EscalationReason(StrEnum):
    """Why a page is fetched again by another fetcher."""

    BLOCKED = "blocked"
    JAVASCRIPT = "javascript"


class Fallback(Protocol):
    """What escalation needs from the deployment."""

    async def suggest(self, source: Source, fetcher: FetcherName) -> None:
        """Suggest this fetcher: it works, and the source's own does not."""
        ...

    async def host_lost(self, source: Source, fetched: Fetched) -> None:
        """The host does not resolve or its certificate is invalid: the domain may have moved."""
        ...

    async def host_found(self, source: Source) -> None:
        """The site's host can be reached again."""
        ...

    async def quota(self) -> Quota:
        """The rest of the relay's quota."""
        ...

    async def spend(self, cost: float) -> None:
        """Count a use of the relay."""
        ...

    async def quota_spent(self, source: Source | None, message: str | None) -> None:
        """The credits are spent; `said`: the relay's message."""
        ...

    async def relay_down(self, source: Source, message: str) -> None:
        """Alert that the relay cannot be used; the source needs a review."""
        ...

    async def stored_page(self, source: Source, url: str, *, younger_than: timedelta) -> Fetched | None:
        """The last good page of this URL."""
        ...


def reason_to_escalate(fetched: Fetched) -> EscalationReason | None:
    """Whether another fetcher may succeed where this one did not."""
    if fetched.outcome is FetchOutcome.BLOCKED and fetched.status in _TURNED_AWAY:
        return EscalationReason.BLOCKED
    if fetched.outcome is not FetchOutcome.OK or fetched.fetcher == FetcherName.BROWSER:
        return None
    shell = needs_javascript(fetched.body, fetched.headers.get("content-type", "text/html"))
    return EscalationReason.JAVASCRIPT if shell else None


def next_fetcher(after: FetcherName, fetchers: Collection[FetcherName]) -> FetcherName | None:
    """The next available fetcher."""
    higher = ORDER[ORDER.index(after) + 1 :]
    return next((name for name in higher if name in fetchers), None)


def better_answer(lower: Fetched, higher: Fetched) -> Fetched:
    """The result: that of the higher fetcher if the site answered there, with all requests of both."""
    hops = (*lower.hops, *higher.hops)
    if higher.outcome.has_page or higher.status is not None:
        return replace(higher, hops=hops, waiting=False)
    return replace(lower, hops=hops)


@dataclass(slots=True)
class _Escalation:
    """One request, and the results of its fetchers so far."""

    request: FetchRequest
    name: FetcherName
    fetched: Fetched
    no_credit: bool = False


class EscalatingFetcher:
    """Fetches by the source's own fetcher, and by higher ones if it is blocked or gets no content."""

    def __init__(
        self,
        fetchers: Mapping[FetcherName, Fetcher],
        *,
        fallback: Fallback,
        clock: Clock,
        javascript: Collection[str] = (),
        tell: StepListener | None = None,
    ) -> None:
        self._fetchers = fetchers
        self._fallback = fallback
        self._clock = clock
        self._javascript = javascript
        self._tell = tell
        self._lost: set[int] = set()
        self._down = 0

    async def fetch(self, request: FetchRequest) -> Fetched:
        """One attempt, with as many fetchers as needed."""
        first = request.fetcher or self._first_fetcher(request.source)
        if first not in self._fetchers:
            return self._missing(request, first)
        attempt = await self._begin(request, first)
        if request.method is Method.GET:
            await self._escalate(attempt)
        fetched = await self._instead(attempt)
        await self._report(attempt, first)
        return fetched

    def _first_fetcher(self, source: Source | None) -> FetcherName:
        """The source's own fetcher; the browser, if there is one and the adapter's pages need scripts.

        A source whose items come from an actor has pages too: those of its records.
        """
        if source is None:
            return FetcherName.HTTP
        own = FetcherName.HTTP if source.fetcher is FetcherName.ACTOR else source.fetcher
        scripted = source.adapter in self._javascript and FetcherName.BROWSER in self._fetchers
        return FetcherName.BROWSER if scripted and own is FetcherName.HTTP else own

    async def _begin(self, request: FetchRequest, first: FetcherName) -> _Escalation:
        """Begin with a HEAD by http only: with other fetchers it is no cheaper than the page."""
        name = FetcherName.HTTP if request.method is Method.HEAD else first
        attempt = _Escalation(request, name, self._missing(request, name))
        attempt.fetched = await self._try(attempt, name, request)
        return attempt

    async def _escalate(self, attempt: _Escalation) -> None:
        while (why := reason_to_escalate(attempt.fetched)) is not None:
            name = next_fetcher(attempt.name, _allowed(attempt.request, self._fetchers))
            if name is None:
                return
            request = replace(
                attempt.request,
                slot=None,
                etag=None,
                last_modified=None,
                javascript=why is EscalationReason.JAVASCRIPT,
            )
            attempt.fetched = better_answer(attempt.fetched, await self._try(attempt, name, request))
            attempt.name = name

    async def _try(self, attempt: _Escalation, name: FetcherName, request: FetchRequest) -> Fetched:
        fetcher = self._fetchers[name]
        if isinstance(fetcher, RelayFetcher):
            fetched = await self._relay(attempt, fetcher, request)
        else:
            fetched = await fetcher.fetch(request)
        if self._tell is not None:
            why = reason_to_escalate(fetched)
            self._tell(name, f"{fetched.outcome} {fetched.error}".strip() + (f", {why}" if why else ""))
        return fetched

    async def _relay(self, attempt: _Escalation, relay: RelayFetcher, request: FetchRequest) -> Fetched:
        quota = await self._fallback.quota()
        tier = request.source.tier if request.source else Tier.STANDARD
        if not quota.serves(tier):
            return await self._no_credit(attempt, request, quota.state)
        relayed = await relay.relay(request)
        if relayed.cost:
            await self._fallback.spend(relayed.cost)
        await self._note_relay_failure(attempt, relayed.failure, relayed.fetched.error)
        return relayed.fetched

    async def _no_credit(self, attempt: _Escalation, request: FetchRequest, state: Allowance) -> Fetched:
        attempt.no_credit = True
        if state is Allowance.SPENT:
            await self._fallback.quota_spent(request.source, None)
        return self._error(request, FetcherName.RELAY, f"the relay's quota is {state}")

    async def _note_relay_failure(
        self, attempt: _Escalation, fault: RelayFailure | None, message: str
    ) -> None:
        """Note failures of the relay itself, which concern all pages."""
        self._down = self._down + 1 if fault is RelayFailure.DOWN else 0
        if fault is RelayFailure.SPENT:
            attempt.no_credit = True
            await self._fallback.quota_spent(attempt.request.source, message)
        elif self._down >= DOWN_AFTER and attempt.request.source is not None:
            await self._fallback.relay_down(attempt.request.source, message)

    async def _instead(self, attempt: _Escalation) -> Fetched:
        """The stored page, if only the relay could have fetched a new one and its quota is spent."""
        source = attempt.request.source
        if not attempt.no_credit or source is None or attempt.fetched.waiting:
            return attempt.fetched
        stored = await self._fallback.stored_page(
            source, attempt.request.url, younger_than=STORED_IS_GOOD_FOR
        )
        return attempt.fetched if stored is None else replace(stored, hops=attempt.fetched.hops)

    async def _report(self, attempt: _Escalation, first: FetcherName) -> None:
        source, fetched = attempt.request.source, attempt.fetched
        if source is None:
            return
        used = FetcherName(fetched.fetcher)
        if used is not first and fetched.outcome is FetchOutcome.OK and attempt.request.method is Method.GET:
            await self._fallback.suggest(source, used)
        if fetched.outcome in _NO_HOST:
            self._lost.add(source.id)
            await self._fallback.host_lost(source, fetched)
        elif source.id in self._lost and fetched.status is not None:
            self._lost.discard(source.id)
            await self._fallback.host_found(source)

    def _missing(self, request: FetchRequest, name: FetcherName) -> Fetched:
        return self._error(request, name, f"this deployment has no {name} fetcher configured")

    def _error(self, request: FetchRequest, name: FetcherName, error: str) -> Fetched:
        return Fetched(
            outcome=FetchOutcome.ERROR,
            url=request.url,
            final_url=request.url,
            fetched_at=self._clock.now(),
            fetcher=name,
            error=error,
        )


def _allowed(request: FetchRequest, fetchers: Mapping[FetcherName, Fetcher]) -> Collection[FetcherName]:
    """The allowed fetchers: a source may shorten the list (`params.ladder`).

    One with proxies skips the browser.
    """
    declared = request.source.params.get("ladder") if request.source else None
    allowed = (
        [name for name in fetchers if name in declared] if isinstance(declared, list) else list(fetchers)
    )
    return [name for name in allowed if not (request.proxied and name is FetcherName.BROWSER)]
