"""A message could not be delivered: when is it tried again, and when is that hopeless?

A channel that is away is waited for, a week, each wait twice the one before and none longer than an hour;
whoever asks for more time gets it, up to that hour. A message that the channel itself refuses (it understood
the request and will not have it) is given up sooner, because everything behind it waits.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

FIRST_WAIT = timedelta(seconds=10)
LONGEST_WAIT = timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=7)
REFUSALS = 10
"""Together about an hour and a half: long enough for a gateway that is being mended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The channel has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undelivered:
    """The channel does not have it, or did not say so."""

    error: str
    """For a person; never with the channel's address in it."""
    refused: bool = False
    """It is the message that is wrong, not the way."""
    retry_after: timedelta | None = None


DeliveryResult = Delivered | Undelivered


def retry_wait(attempts: int) -> timedelta:
    """After the `attempts`th try (from 1): 10 s, 20 s, 40 s … 1 h."""
    return min(FIRST_WAIT * (1 << min(attempts - 1, 20)), LONGEST_WAIT)


def retry_at(failure: Undelivered, *, attempts: int, written_at: datetime, now: datetime) -> datetime | None:
    """When to try again after the `attempts`th failure; None: it is for a person now."""
    if failure.refused and attempts >= REFUSALS:
        return None
    if now - written_at >= GIVEN_UP_AFTER:
        return None
    asked = min(failure.retry_after or timedelta(0), LONGEST_WAIT)
    return now + max(retry_wait(attempts), asked)
