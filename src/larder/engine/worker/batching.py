"""Pages and lanes of slow sites wait for others, so that one transaction stores, commits or claims many.

Otherwise many sites at a request a second each would cost three transactions a page. While a page of a fast
site is in flight nothing waits, unless drivers share the database: their batches are smaller than those of
one driver alone, and a transaction costs nearly as much for one page as for many.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from larder.engine.work_items import NO_WAIT, BatchWait, Work
from larder.store.database import moment

MAX_WAIT = timedelta(milliseconds=250)
PART_OF_SPACING = 8
"""The share of the time until its site's next request that a page may wait."""
SHARED_WAIT = timedelta(milliseconds=50)
"""How long a page of a fast site waits if drivers share the database and fewer than half of all pages are
there.
"""


@dataclass(slots=True, kw_only=True)
class Batching:
    """Decides how long claims and finished pages wait to be batched."""

    longest: timedelta = timedelta(0)
    """The longest wait: none in virtual time, where it gains nothing."""
    _next_claim: datetime = field(default_factory=lambda: moment(0))

    def max_wait(self, under_way: Iterable[Work]) -> timedelta:
        """How long a finished page may wait for others."""
        if not self.longest:
            return self.longest
        gaps = (work.lane.politeness.spacing for work in under_way)
        return min(min(gaps, default=timedelta(0)) / PART_OF_SPACING, self.longest)

    def batch_wait(self, under_way: Collection[Work], *, shared: bool) -> BatchWait:
        """How a fetched page waits for others before it is stored."""
        wait = self.max_wait(under_way)
        if shared and self.longest and wait < SHARED_WAIT:
            return BatchWait(SHARED_WAIT, -(-len(under_way) // 2))
        return BatchWait(wait, len(under_way)) if wait else NO_WAIT

    def claimed(self, under_way: Iterable[Work], now: datetime) -> None:
        """Note claimed lanes: those that are due soon wait for each other."""
        self._next_claim = now + self.max_wait(under_way)

    def claim_at(self, look_at: datetime, now: datetime) -> datetime:
        """When to claim lanes if the first is due at `look_at`; a clock set back delays nothing."""
        return max(look_at, self._next_claim) if self._next_claim - self.longest <= now else look_at
