"""Which work goes first?

Between sources: by waiting time, number of items and reliability. Within a site's lane: by rank, and waiting
moves a job up. That order is an index, so it cannot depend on `now`: each rank adds ten minutes to the job's
creation time. A verification that waited for fifty minutes is level with a new manual job, and no rank can
starve another.
"""

from datetime import datetime, timedelta

from larder.core.model.run import Trigger

DAY = timedelta(days=1)

PER_DAY = 10
PER_ITEM = 0.1
ITEMS_MAX = 50
PER_RELIABILITY = 5
PER_FAILURE = 20
NEVER_RAN = 7 * DAY
"""A source that never ran counts as waiting for a week."""

AGEING = timedelta(minutes=10)
MANUAL_RANK = 0


def dispatch_priority(
    now: datetime, *, last_run_at: datetime | None, items_seen: int, reliability: float, failures: int
) -> float:
    """Which due source is started first; the larger number. `reliability` is a share, 0 … 1."""
    waited = NEVER_RAN if last_run_at is None else max(now - last_run_at, timedelta(0))
    return (
        PER_DAY * (waited / DAY)
        + min(items_seen * PER_ITEM, ITEMS_MAX)
        + PER_RELIABILITY * min(max(reliability, 0.0), 1.0)
        - PER_FAILURE * failures
    )


def lane_rank(rank: int, trigger: Trigger = Trigger.SCHEDULED) -> int:
    """A run's rank in its site's lane: that of its kind, unless a person asked for it."""
    return MANUAL_RANK if trigger is Trigger.MANUAL else rank


def claim_order(rank: int, created_at: datetime) -> datetime:
    """A job's position in its lane, the smaller first; fixed when it is created."""
    return created_at + AGEING * rank
