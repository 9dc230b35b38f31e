"""When is one named URL looked at again, and when do we stop expecting much of it?

A target keeps its own time: an interval, or a calendar (a cron expression, parsed elsewhere and handed in as
a function). Each price change halves the gap to the next look, up to three times; each look without one takes
a halving back. So we look closer where something is going on and calm down as it does, but never closer than
a quarter of an hour on that account.
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
"""A target that nobody looked at for this long after it was due."""
HASTE_MAX = 3
HASTY_GAP_MIN = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRules:
    """The numbers of one source."""

    failures_to_broken: int = FAILURES_TO_BROKEN
    recheck_every: timedelta = RECHECK_EVERY


DEFAULTS = TargetRules()

Calendar = Callable[[datetime], datetime]
"""The first moment after the given one that a cron expression names."""


class TargetStatus(StrEnum):
    """What to expect of a target."""

    ACTIVE = "active"
    PAUSED = "paused"
    BROKEN = "broken"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetState:
    """A target's state as its looks leave it."""

    status: TargetStatus = TargetStatus.ACTIVE
    failures: int = 0
    """In a row."""
    haste: int = 0
    """How often the gap to the next look is halved."""

    def succeeded(self, *, price_changed: bool = False) -> "TargetState":
        """A look brought the record. A pause is a person's word and stays."""
        haste = min(self.haste + 1, HASTE_MAX) if price_changed else max(self.haste - 1, 0)
        status = self.status if self.status is TargetStatus.PAUSED else TargetStatus.ACTIVE
        return TargetState(status=status, haste=haste)

    def failed(self, rules: TargetRules = DEFAULTS) -> "TargetState":
        """A look brought nothing. The fifth in a row breaks the target; a stale one has been looked at."""
        failures = self.failures + 1
        status = self.status
        if status is not TargetStatus.PAUSED:
            status = TargetStatus.BROKEN if failures >= rules.failures_to_broken else TargetStatus.ACTIVE
        return TargetState(status=status, failures=failures)

    def next_due_at(
        self,
        finished: datetime,
        *,
        interval: timedelta = INTERVAL,
        calendar: Calendar | None = None,
        rules: TargetRules = DEFAULTS,
    ) -> datetime:
        """`finished + interval`, or the calendar's next; sooner in haste, weekly when broken."""
        if self.status is TargetStatus.BROKEN:
            return finished + rules.recheck_every
        gap = interval if calendar is None else calendar(finished) - finished
        return finished + max(gap / (1 << self.haste), min(gap, HASTY_GAP_MIN))


def from_ten_scale(priority: int) -> int:
    """A 1–10 scale where 1 is highest, turned round: the larger first, as everywhere here."""
    if not 1 <= priority <= 10:
        raise ValueError(f"priority {priority} is not on a scale from 1 to 10")
    return 10 - priority
