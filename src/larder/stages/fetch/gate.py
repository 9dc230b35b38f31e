"""Checks every request before it is sent: guard, terms, robots.txt and the lane's slot, in this order.

Redirects are checked here hop by hop, and the request for robots.txt itself takes a slot like any other. A
request that cannot be sent now becomes a Refusal with the reason and, if known, the time to try again.
"""

from dataclasses import dataclass
from datetime import timedelta

from larder.core.model.job import Slot
from larder.core.model.outcome import FetchOutcome
from larder.core.policy.retry import FETCH_TIMEOUT
from larder.core.ports import Clock
from larder.stages.fetch.client import Client
from larder.stages.fetch.exchange import Exchange
from larder.stages.fetch.guard import Destination, RefusedError, destination
from larder.stages.fetch.permit import GATE_SEAL, Permit, Refusal, Route, Slots, StepListener
from larder.stages.fetch.proxy.connections import UnknownNameError
from larder.stages.fetch.response_outcome import next_hop, retry_after_time
from larder.stages.fetch.robots.cache import CompiledEntry, RobotsLookup
from larder.stages.fetch.robots.policy import MAX_BYTES
from larder.stages.fetch.robots.response import RobotsAnswer, RobotsCache, RobotsState
from larder.stages.fetch.terms import TermsGate

MAX_HOPS = 5
MAX_WAIT = timedelta(seconds=90)
"""The longest wait for a slot; for a later one the job is requeued with that time."""

_HOST_LEVEL = frozenset({FetchOutcome.DNS_ERROR, FetchOutcome.TLS_ERROR})


class RequestGate:
    """Checks requests and issues permits for them."""

    def __init__(
        self,
        client: Client,
        *,
        slots: Slots,
        robots: RobotsCache,
        terms: TermsGate,
        clock: Clock,
        agent: str = "Larder",
        strict: bool = True,
        timeout: timedelta = FETCH_TIMEOUT,
        tell: StepListener | None = None,
    ) -> None:
        self._client = client
        self._slots = slots
        self._terms = terms
        self._clock = clock
        self._tell = tell
        self._robots_exchange = Exchange(max_bytes=MAX_BYTES, truncate=True, timeout=timeout)
        self._robots_lookup = RobotsLookup(robots, clock, agent=agent, strict=strict)

    async def admit(
        self,
        url: str,
        slot: Slot | None = None,
        *,
        local_site: str | None = None,
        route: Route | None = None,
    ) -> Permit | Refusal:
        """A permit for one request to `url`, when its slot opens.

        `slot`: the job's own; without it one is reserved. `local_site`: the site of the requesting source, if
        an operator listed it as local. `route`: the proxy for this request and robots.txt.
        """
        turn = _JobSlot(slot, route)
        target = await self._judged(url, turn, local_site)
        return target if isinstance(target, Refusal) else await self._permit(target, turn)

    async def admit_through(
        self, service_url: str, url: str, slot: Slot | None, *, local_site: str | None
    ) -> Permit | Refusal:
        """A permit for one request for `url` through a configured service, whose address may be private.

        The service resolves the name itself: its addresses are checked before the request is passed on.
        """
        permit = await self.admit(url, slot, local_site=local_site)
        if isinstance(permit, Refusal):
            return permit
        try:
            await self._client.check_name(permit.url, local=permit.local)
        except RefusedError as refused:
            return Refusal.never(f"guard: {refused}")
        except UnknownNameError as unknown:
            return Refusal(outcome=FetchOutcome.DNS_ERROR, reason=str(unknown))
        permit.spend()
        return Permit(url=service_url, local=True, closes_at=permit.closes_at, seal=GATE_SEAL)

    async def judge(
        self, url: str, *, local_site: str | None = None, part_of_page: bool = False
    ) -> Refusal | None:
        """Whether guard, terms and robots.txt allow a request that takes no slot.

        `part_of_page`: it is sent by a page that is being viewed.
        """
        target = await self._judged(url, _JobSlot(None, part_of_page=part_of_page), local_site)
        return target if isinstance(target, Refusal) else None

    async def _judged(self, url: str, turn: "_JobSlot", local_site: str | None) -> Destination | Refusal:
        try:
            target = destination(url, local_site=local_site)
        except RefusedError as refused:
            if self._tell is not None:
                self._tell("guard", str(refused))
            return Refusal.never(f"guard: {refused}")
        objection = await self._terms.objection(target.url, part_of_page=turn.part_of_page)
        if objection is not None:
            if self._tell is not None:
                self._tell("terms", objection.reason)
            return objection
        known = self._robots_lookup.cached(target.origin) or await self._robots_lookup.look_up(
            target.origin, lambda: self._ask_robots(target, turn, local_site)
        )
        refusal = known if isinstance(known, Refusal) else self._refused_by(known, target)
        if self._tell is not None:
            self._tell("robots", refusal.reason if refusal else f"{target.origin}/robots.txt allows it")
        return refusal or target

    def _refused_by(self, known: CompiledEntry, target: Destination) -> Refusal | None:
        entry = known.entry
        match entry.state:
            case RobotsState.UNDECIDED:
                return Refusal.wait("robots.txt could not be read yet", until=entry.expires_at)
            case RobotsState.CLOSED:
                reason = f"robots.txt unavailable (status {entry.status}): no page is fetched until it is"
                return Refusal(outcome=FetchOutcome.ROBOTS_BLOCKED, reason=reason, retry_at=entry.expires_at)
            case RobotsState.RULES if not known.rules.allow(target.path):
                return Refusal(outcome=FetchOutcome.ROBOTS_BLOCKED, reason="robots.txt disallows it")
            case _:
                return None

    async def _permit(self, target: Destination, turn: "_JobSlot") -> Permit | Refusal:
        slots = turn.route.slots if turn.route else self._slots
        slot = turn.take() or await slots.reserve(target.url)
        if isinstance(slot, Refusal):
            return slot
        now = self._clock.now()
        if now > slot.closes_at:
            return Refusal.wait("slot missed", until=now)
        if slot.opens_at - now > MAX_WAIT:
            return Refusal.wait("the site's next request slot is too far ahead", until=slot.opens_at)
        if now < slot.opens_at:
            await self._clock.sleep_until(slot.opens_at)
        if self._tell is not None:
            waited = max((slot.opens_at - now).total_seconds(), 0)
            self._tell("lane", f"{waited:.1f} s until its slot: {target.url}")
        closes_at = slot.closes_at
        return Permit(
            url=target.url, local=target.local, closes_at=closes_at, route=turn.route, seal=GATE_SEAL
        )

    async def _ask_robots(
        self, page: Destination, turn: "_JobSlot", local_site: str | None
    ) -> RobotsAnswer | Refusal:
        """Fetch an origin's robots.txt with the job's own slot, following redirects wherever they lead."""
        url: str | None = f"{page.origin}/robots.txt"
        for _ in range(MAX_HOPS + 1):
            try:
                target = destination(url or "", local_site=local_site)
            except RefusedError:
                break
            if await self._terms.objection(target.url, part_of_page=turn.part_of_page) is not None:
                break
            permit = await self._permit(target, turn)
            if isinstance(permit, Refusal):
                return permit
            answer = await self._client.send(self._robots_exchange, permit)
            if isinstance(answer, Refusal):
                return answer
            if answer.failure in _HOST_LEVEL or (answer.failure and answer.guarded):
                return Refusal(outcome=answer.failure, reason=answer.error)
            url = next_hop(answer, target.url)
            if url is None:
                now = self._clock.now()
                status = None if answer.failure else answer.status
                return RobotsAnswer(
                    status=status, body=answer.body, retry_at=retry_after_time(answer, now=now)
                )
        return RobotsAnswer()


@dataclass(slots=True)
class _JobSlot:
    """The job's own slot, for its first request, and the proxy of all its requests."""

    slot: Slot | None
    route: Route | None = None
    part_of_page: bool = False

    def take(self) -> Slot | None:
        slot, self.slot = self.slot, None
        return slot
