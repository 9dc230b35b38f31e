"""What has stopped moving?

A run shows that it lives by its heartbeat; one that waits for a cooldown, a Retry-After or its turn is parked
and owes none. A job nobody took for a day is stale: it is put aside, and told when there are many.
"""

from datetime import datetime, timedelta

HEARTBEAT_LOST_AFTER = timedelta(minutes=30)
STALE_AFTER = timedelta(hours=24)
STALE_ALERT_PAST = 100


def has_stalled(heartbeat_at: datetime, now: datetime, *, parked_until: datetime | None = None) -> bool:
    """A running run is to be failed. Its silence counts from when it should have woken up."""
    expected = heartbeat_at if parked_until is None else max(heartbeat_at, parked_until)
    return now - expected > HEARTBEAT_LOST_AFTER


def is_stale(pending_since: datetime, now: datetime) -> bool:
    """A pending job has waited too long."""
    return now - pending_since > STALE_AFTER


def alerts(stale_jobs: int) -> bool:
    """So many stale jobs that a person should know."""
    return stale_jobs > STALE_ALERT_PAST
