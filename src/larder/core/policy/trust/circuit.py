"""When are no requests sent to a source (circuit breaker)?

    closed ──(failures in a row)──▶ open ──(cooldown over)──▶ half-open ──(probe ok)──▶ closed
                                     ▲                            │
                                     └───────(probe failed)───────┘   each time with twice the cooldown

Only the probe ends a cooldown: answers that were under way when the circuit opened neither close it nor
lengthen it. If the failure that opens it is a refusal (403, 429), the cooldown is doubled once more, because
the site told us that *we* are the trouble; where it named a time, the cooldown lasts at least until then.
`until` is the one stored time: the end of the cooldown, or the moment at which a probe counts as lost.

A source has one circuit for its pages or its actor and one for its checks: a check that is blocked says
nothing about an actor, and must neither hold its runs nor use up their probe.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from larder.core.model.source import FetcherName

FAILURES_TO_OPEN = 5
ACTOR_FAILURES_TO_OPEN = 3
COOLDOWN = timedelta(minutes=30)
COOLDOWN_MAX = timedelta(hours=24)
PROBE_LOST_AFTER = timedelta(minutes=30)
"""A probe without a result for this long is lost: another one may be sent."""

REFUSALS = frozenset({403, 429})


class CircuitState(StrEnum):
    """Whether a source is fetched from."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitRules:
    """The numbers of one source."""

    failures_to_open: int = FAILURES_TO_OPEN
    cooldown: timedelta = COOLDOWN
    cooldown_max: timedelta = COOLDOWN_MAX

    def cooldown_after(self, doublings: int) -> timedelta:
        """30 min, 60, 120 … ≤ 24 h."""
        return min(self.cooldown * (1 << min(doublings, 20)), self.cooldown_max)


DEFAULTS = CircuitRules()


class CircuitWay(StrEnum):
    """What a circuit is about: a source has one for each, and none says anything about another."""

    PAGES = "pages"
    ACTOR = "actor"
    CHECKS = "checks"


def way_of(fetcher: FetcherName, *, check: bool) -> CircuitWay:
    """The circuit that a fetch counts for, and that gates a run."""
    if check:
        return CircuitWay.CHECKS
    return CircuitWay.ACTOR if fetcher is FetcherName.ACTOR else CircuitWay.PAGES


def rules_for(fetch_way: CircuitWay) -> CircuitRules:
    """A call of an actor is expensive: three failures are enough."""
    if fetch_way is CircuitWay.ACTOR:
        return CircuitRules(failures_to_open=ACTOR_FAILURES_TO_OPEN)
    return CircuitRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """A circuit breaker of a source. A new source's are closed."""

    state: CircuitState = CircuitState.CLOSED
    failures: int = 0
    """Failed fetches in a row."""
    trips: int = 0
    """How often it opened since it was last closed."""
    until: datetime | None = None
    """The end of the cooldown, or the time at which a probe counts as lost. None while closed."""

    def may_fetch(self, now: datetime) -> bool:
        """Closed; or the cooldown is over (or the probe lost) and one probe may go."""
        return self.until is None or now >= self.until

    def probing(self, now: datetime) -> "Circuit":
        """A probe was sent: no other fetch until it returns or is lost."""
        if self.state is CircuitState.CLOSED or not self.may_fetch(now):
            return self
        return replace(self, state=CircuitState.HALF_OPEN, until=now + PROBE_LOST_AFTER)

    def succeeded(self, now: datetime) -> "Circuit":
        """A page came. While cooling down that was an earlier request, not the probe."""
        return self if self._cooling(now) else Circuit()

    def failed(
        self,
        now: datetime,
        *,
        status: int | None = None,
        retry_at: datetime | None = None,
        rules: CircuitRules = DEFAULTS,
    ) -> "Circuit":
        """A fetch ended, retries included, without reaching the source."""
        if self._cooling(now):
            return self
        failures = self.failures + 1
        if self.state is CircuitState.CLOSED and failures < rules.failures_to_open:
            return replace(self, failures=failures)
        cooldown = rules.cooldown_after(self.trips + (status in REFUSALS))
        if retry_at is not None:
            cooldown = max(cooldown, min(retry_at - now, rules.cooldown_max))
        return Circuit(state=CircuitState.OPEN, failures=failures, trips=self.trips + 1, until=now + cooldown)

    def _cooling(self, now: datetime) -> bool:
        return self.state is CircuitState.OPEN and not self.may_fetch(now)
