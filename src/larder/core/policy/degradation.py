"""What happens to a write that the database refuses?

Transient errors are retried; duplicates and orphans are left out and the rest is written; a full disk alerts
at once. Work is never lost: what cannot be written becomes a dead letter, and while the database is
unavailable, a file in the spool.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

WRITE_WAITS = (timedelta(seconds=10), timedelta(seconds=10))
CONNECTION_WAITS = (timedelta(seconds=1), timedelta(seconds=2), timedelta(seconds=4))


class DatabaseFault(StrEnum):
    """How a write can fail."""

    WRITE = "write"
    CONNECTION = "connection"
    UNIQUE = "unique"
    FOREIGN_KEY = "foreign_key"
    DISK_FULL = "disk_full"


class Remedy(StrEnum):
    """What to do about it."""

    RETRY = "retry"
    DEAD_LETTER = "dead_letter"
    SPOOL = "spool"
    SKIP = "skip"
    LOG_AND_SKIP = "log_and_skip"
    ALERT = "alert"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFailureAction:
    """What to do, and for a retry how long to wait."""

    remedy: Remedy
    wait: timedelta = timedelta(0)


_WAITS = {
    DatabaseFault.WRITE: (WRITE_WAITS, Remedy.DEAD_LETTER),
    DatabaseFault.CONNECTION: (CONNECTION_WAITS, Remedy.SPOOL),
    DatabaseFault.UNIQUE: ((), Remedy.SKIP),
    DatabaseFault.FOREIGN_KEY: ((), Remedy.LOG_AND_SKIP),
    DatabaseFault.DISK_FULL: ((), Remedy.ALERT),
}
"""The waits before each retry, and the last resort."""


def write_failure_action(fault: DatabaseFault, *, faults: int) -> WriteFailureAction:
    """The action after the `faults`th fault of this kind (from 1) on the same write."""
    waits, last_resort = _WAITS[fault]
    if faults <= len(waits):
        return WriteFailureAction(remedy=Remedy.RETRY, wait=waits[faults - 1])
    return WriteFailureAction(remedy=last_resort)
