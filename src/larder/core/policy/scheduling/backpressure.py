"""Is there room for more work?

Pending jobs are bounded by site and in all. The total is shared: a site below its equal share of it is
accepted while others hold more than theirs. Rejected work is told why and when to come back, and a scheduler
most of whose work is rejected pauses, twice as long each time.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

PENDING_PER_SITE = 1_000
PENDING_IN_ALL = 10_000
RETRY_AFTER_FULL = timedelta(minutes=1)
"""A queue drains by the minute."""
RETRY_AFTER_DISABLED = timedelta(hours=6)
"""A disabled adapter is probed this often."""

PAUSE_MIN = timedelta(seconds=1)
PAUSE_MAX = timedelta(hours=1)
ALERT_AFTER = timedelta(minutes=30)


class Rejection(StrEnum):
    """Why work was rejected."""

    QUEUE_FULL = "queue_full"
    ADAPTER_DISABLED = "adapter_disabled"
    RATE_LIMITED = "rate_limited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The work is queued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The work was rejected."""

    reason: Rejection
    retry_after: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLimits:
    """How many jobs may be pending."""

    per_site: int = PENDING_PER_SITE
    in_all: int = PENDING_IN_ALL

    def jobs_left(self, pending: "Pending") -> int:
        """How many more jobs of this site fit."""
        left_in_all = self.in_all - pending.in_all
        left_of_share = self.in_all // max(pending.sites, 1) - pending.of_site
        return max(0, min(self.per_site - pending.of_site, max(left_in_all, left_of_share)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Pending jobs, as one site finds them."""

    of_site: int = 0
    in_all: int = 0
    sites: int = 1
    """Sites with pending jobs, this one included."""


DEFAULTS = QueueLimits()


def admit(pending: Pending, *, jobs: int = 1, limits: QueueLimits = DEFAULTS) -> Accepted | Rejected:
    """Accept `jobs` more (all or none), or say when to come back."""
    if jobs > limits.jobs_left(pending):
        return Rejected(reason=Rejection.QUEUE_FULL, retry_after=RETRY_AFTER_FULL)
    return Accepted()


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """The scheduler's backoff, folded over its ticks."""

    pause: timedelta = timedelta(0)
    until: datetime | None = None
    since: datetime | None = None
    """When the current series of pauses began."""

    def paused(self, now: datetime) -> bool:
        """Whether scheduling is paused."""
        return self.until is not None and now < self.until

    def overdue(self, now: datetime) -> bool:
        """It has backed off for so long that it alerts."""
        return self.since is not None and self.paused(now) and now - self.since > ALERT_AFTER

    def ticked(self, now: datetime, *, accepted: int, rejected: int, retry_after: timedelta) -> "Backoff":
        """After a tick: mostly rejected → pause, then twice as long; else no pause."""
        if not accepted and not rejected:
            return self
        if rejected <= accepted:
            return Backoff()
        pause = self.pause * 2 if self.pause else max(retry_after, PAUSE_MIN)
        pause = min(pause, PAUSE_MAX)
        return Backoff(pause=pause, until=now + pause, since=self.since or now)
