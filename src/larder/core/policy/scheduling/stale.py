"""What has stopped moving?

A run shows that it lives by its heartbeat; one that waits for a cooldown, a Retry-After or its turn is parked
and owes none. A job nobody took for a day is stale: it is put aside, and told when there are many.
"""

from datetime import timedelta

HEARTBEAT_LOST_AFTER = timedelta(minutes=30)
STALE_AFTER = timedelta(hours=24)
STALE_ALERT_PAST = 100


def alerts(stale_jobs: int) -> bool:
    """So many stale jobs that a person should know."""
    return stale_jobs > STALE_ALERT_PAST
