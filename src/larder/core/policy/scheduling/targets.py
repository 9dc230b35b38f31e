"""When is a target (a URL that is checked on a schedule) due again, and when is it broken?

A target has an interval or a calendar (a cron expression, passed in as a function). Each price change halves
the time to the next check, up to three times, but not below a quarter of an hour; each check without a
change takes one halving back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

INTERVAL = timedelta(days=1)
PRIORITY = 0
FAILURES_TO_BROKEN = 5
RECHECK_EVERY = timedelta(weeks=1)
STALE_AFTER = timedelta(hours=24)
"""A target that was not checked for this long after it was due."""
HASTE_MAX = 3
HASTY_GAP_MIN = timedelta(minutes=15)


Calendar = Callable[[datetime], datetime]
"""The first moment after the given one that a cron expression names."""


class TargetStatus(StrEnum):
    """The status of a target."""

    ACTIVE = "active"
    PAUSED = "paused"
    BROKEN = "broken"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetState:
    """A target's state after its checks."""

    status: TargetStatus = TargetStatus.ACTIVE
    failures: int = 0
    """In a row."""
    haste: int = 0
    """How often the time to the next check is halved."""

    def succeeded(self, *, price_changed: bool = False) -> "TargetState":
        """A check read the record. A paused target stays paused."""
        haste = min(self.haste + 1, HASTE_MAX) if price_changed else max(self.haste - 1, 0)
        status = self.status if self.status is TargetStatus.PAUSED else TargetStatus.ACTIVE
        return TargetState(status=status, haste=haste)

    def failed(self) -> "TargetState":
        """A check read nothing. The fifth in a row breaks the target."""
        failures = self.failures + 1
        status = self.status
        if status is not TargetStatus.PAUSED:
            status = TargetStatus.BROKEN if failures >= FAILURES_TO_BROKEN else TargetStatus.ACTIVE
        return TargetState(status=status, failures=failures)

    def next_due_at(
        self,
        finished: datetime,
        *,
        interval: timedelta = INTERVAL,
        calendar: Calendar | None = None,
    ) -> datetime:
        """`finished + interval`, or the calendar's next; sooner after price changes, weekly when broken."""
        if self.status is TargetStatus.BROKEN:
            return finished + RECHECK_EVERY
        gap = interval if calendar is None else calendar(finished) - finished
        return finished + max(gap / (1 << self.haste), min(gap, HASTY_GAP_MIN))


def from_ten_scale(priority: int) -> int:
    """Converts a 1–10 scale where 1 is highest: here the larger number goes first."""
    if not 1 <= priority <= 10:
        raise ValueError(f"priority {priority} is not on a scale from 1 to 10")
    return 10 - priority
