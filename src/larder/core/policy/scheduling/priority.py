"""Who goes first?

Between sources: the one that waited longest, has most to give and has been reliable. Within a site's lane:
by rank of the work, but waiting moves it up. That order must be an index, so it cannot depend on `now`: each
rank costs a handicap of ten minutes on the job's time of birth. Sorted by the sum, a verification that has
waited for fifty minutes stands beside a manual job born this moment, and no rank can starve another.
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
"""A source that never ran counts as waiting for a week: ahead of all that are in good order."""

AGEING = timedelta(minutes=10)
MANUAL_RANK = 0


def dispatch_priority(
    now: datetime,
    *,
    last_run_at: datetime | None,
    items_seen: int,
    reliability: float,
    failures: int,
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
    """A job's place in its lane: the smaller first. Fixed at birth, so that it can be an index."""
    return created_at + AGEING * rank
