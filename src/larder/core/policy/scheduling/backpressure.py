"""Is there room for more work?

A queue that only grows hides trouble. So it is bounded, whoever is turned away hears why and when to come
back, and a scheduler that is mostly turned away stops asking for a while, twice as long each time.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

PENDING_PER_ADAPTER = 1_000
PENDING_IN_ALL = 10_000
RETRY_AFTER_FULL = timedelta(minutes=1)
"""A queue drains by the minute."""
RETRY_AFTER_DISABLED = timedelta(hours=6)
"""A disabled adapter is probed this often; before that nothing changes but by a person."""

PAUSE_MIN = timedelta(seconds=1)
PAUSE_MAX = timedelta(hours=1)
ALERT_AFTER = timedelta(minutes=30)


class Rejection(StrEnum):
    """Why work was not taken."""

    QUEUE_FULL = "queue_full"
    ADAPTER_DISABLED = "adapter_disabled"
    RATE_LIMITED = "rate_limited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The work is queued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The work was not taken."""

    reason: Rejection
    retry_after: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLimits:
    """How many jobs may be pending."""

    per_adapter: int = PENDING_PER_ADAPTER
    in_all: int = PENDING_IN_ALL

    def room(self, *, adapter_pending: int, all_pending: int) -> int:
        """How many more jobs of this adapter fit."""
        return max(0, min(self.per_adapter - adapter_pending, self.in_all - all_pending))


DEFAULTS = QueueLimits()


def admit(
    *,
    adapter_pending: int,
    all_pending: int,
    jobs: int = 1,
    adapter_enabled: bool = True,
    limited_for: timedelta = timedelta(0),
    limits: QueueLimits = DEFAULTS,
) -> Accepted | Rejected:
    """Take `jobs` more (all or none), or say why not. What only a person can change is said first."""
    if not adapter_enabled:
        return Rejected(reason=Rejection.ADAPTER_DISABLED, retry_after=RETRY_AFTER_DISABLED)
    room = limits.room(adapter_pending=adapter_pending, all_pending=all_pending)
    if jobs > room:
        return Rejected(reason=Rejection.QUEUE_FULL, retry_after=RETRY_AFTER_FULL)
    if limited_for > timedelta(0):
        return Rejected(reason=Rejection.RATE_LIMITED, retry_after=limited_for)
    return Accepted()


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """The scheduler's own restraint, folded over its ticks."""

    pause: timedelta = timedelta(0)
    until: datetime | None = None
    since: datetime | None = None
    """The start of the unbroken row of pauses."""

    def paused(self, now: datetime) -> bool:
        """Nothing is scheduled now."""
        return self.until is not None and now < self.until

    def overdue(self, now: datetime) -> bool:
        """Backing off so long that a person should know."""
        return self.since is not None and self.paused(now) and now - self.since > ALERT_AFTER

    def ticked(self, now: datetime, *, accepted: int, rejected: int, retry_after: timedelta) -> "Backoff":
        """A tick that enqueued: mostly rejected → pause, again → twice as long; else all is well again."""
        if not accepted and not rejected:
            return self
        if rejected <= accepted:
            return Backoff()
        pause = self.pause * 2 if self.pause else max(retry_after, PAUSE_MIN)
        pause = min(pause, PAUSE_MAX)
        return Backoff(pause=pause, until=now + pause, since=self.since or now)
