"""When is a run or a job stale?

A run has a heartbeat; one that waits for a cooldown, a Retry-After or its turn needs none. A job that nobody
took for a day is stale; many of them alert.
"""

from datetime import timedelta

HEARTBEAT_LOST_AFTER = timedelta(minutes=30)
STALE_AFTER = timedelta(hours=24)
STALE_ALERT_PAST = 100


def alerts(stale_jobs: int) -> bool:
    """So many stale jobs that they alert."""
    return stale_jobs > STALE_ALERT_PAST
