"""When is an undelivered message retried, and when is it given up?

An unavailable channel is retried for a week, with waits that double up to an hour; a longer Retry-After is
kept, up to that hour. A message that the channel refuses is given up sooner, because everything behind it
waits.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

FIRST_WAIT = timedelta(seconds=10)
MAX_WAIT = timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=7)
REFUSALS = 10
"""Attempts at a message that the channel refuses: about an hour and a half, enough to repair a gateway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The channel accepted it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undelivered:
    """The channel did not accept it, or did not answer."""

    error: str
    """For a person; never with the channel's address in it."""
    refused: bool = False
    """The message is wrong, not the connection."""
    retry_after: timedelta | None = None


DeliveryResult = Delivered | Undelivered


def retry_wait(attempts: int) -> timedelta:
    """The wait after the `attempts`th try (from 1): 10 s, 20 s, 40 s … 1 h."""
    return min(FIRST_WAIT * (1 << min(attempts - 1, 20)), MAX_WAIT)


def retry_at(failure: Undelivered, *, attempts: int, written_at: datetime, now: datetime) -> datetime | None:
    """When to retry after the `attempts`th failure; None: give up."""
    if failure.refused and attempts >= REFUSALS:
        return None
    if now - written_at >= GIVEN_UP_AFTER:
        return None
    wait = min(failure.retry_after or timedelta(0), MAX_WAIT)
    return now + max(retry_wait(attempts), wait)
