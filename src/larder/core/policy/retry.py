"""Is a fetch retried, and when?

Transient failures are retried a bounded number of times, each wait twice the one before. A Retry-After is a
lower bound. Jitter only adds (up to half), so that jobs that failed together do not return together or too
early.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from larder.core.model.outcome import FetchOutcome

ATTEMPTS = 3
FIRST_WAIT = timedelta(seconds=1)
MAX_WAIT = timedelta(seconds=30)
JITTER = 0.5
"""At most this share is added to a wait."""
RETRY_STATUSES = frozenset({429, 500, 502, 503, 504})

DEAD_LETTER_RETRIES = 3
DEAD_LETTER_WAIT = timedelta(hours=1)
INCOMPLETE_WAIT = timedelta(hours=6)
INCOMPLETE_LONGEST_WAIT = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryAfter:
    """Retry after `wait`, with this `timeout`."""

    wait: timedelta
    timeout: timedelta


def incomplete_row_due_at(reads: int, last_read_at: datetime) -> datetime:
    """When the page of a row that is still incomplete is read again, after `reads` readings."""
    wait = INCOMPLETE_WAIT * (1 << min(max(reads - 1, 0), 10))
    return last_read_at + min(wait, INCOMPLETE_LONGEST_WAIT)


def is_transient(outcome: FetchOutcome, status: int | None) -> bool:
    """Rate limits, server errors, timeouts and lost connections are transient; a refusal is not."""
    match outcome:
        case FetchOutcome.TIMEOUT:
            return True
        case FetchOutcome.ERROR:
            return status is None or status in RETRY_STATUSES
        case FetchOutcome.BLOCKED:
            return status in RETRY_STATUSES
        case _:
            return False


def fetch_wait(attempt: int, chance: float) -> timedelta:
    """The wait after the `attempt`th failure: 1 s, 2 s, 4 s … plus jitter, at most 30 s."""
    doubled = FIRST_WAIT * (1 << min(attempt - 1, 20))
    return min(doubled * (1 + JITTER * chance), MAX_WAIT)


def fetch_retry(
    outcome: FetchOutcome,
    status: int | None,
    *,
    attempt: int,
    timeout: timedelta,
    chance: float,
    retry_after: timedelta | None,
) -> RetryAfter | None:
    """The retry after the `attempt`th try (from 1) ended like this; None: no retry."""
    if attempt >= ATTEMPTS or not is_transient(outcome, status):
        return None
    return RetryAfter(
        wait=max(fetch_wait(attempt, chance), retry_after or timedelta(0)),
        timeout=timeout * 2 if outcome is FetchOutcome.TIMEOUT else timeout,
    )


class ActorFault(StrEnum):
    """How a call of a hosted actor can fail."""

    TIMEOUT = "timeout"
    LIMITED = "limited"
    SERVER = "server"
    NETWORK = "network"


FETCH_TIMEOUT = timedelta(seconds=30)
"""For one page; twice as long after a timeout."""
ACTOR_TIMEOUT = timedelta(seconds=600)
ACTOR_RETRY_TIMEOUT = timedelta(seconds=1200)


def _seconds(*waits: int) -> tuple[timedelta, ...]:
    return tuple(timedelta(seconds=wait) for wait in waits)


ACTOR_WAITS = {
    ActorFault.TIMEOUT: _seconds(0, 0),
    ActorFault.LIMITED: _seconds(300, 300, 300),
    ActorFault.SERVER: _seconds(60, 120, 240),
    ActorFault.NETWORK: _seconds(30, 60, 120),
}
"""The waits after the first, second, third fault of each kind."""


def actor_retry(fault: ActorFault, *, faults: int, timeout: timedelta = ACTOR_TIMEOUT) -> RetryAfter | None:
    """The retry after the `faults`th fault of this kind (from 1); None: no retry."""
    waits = ACTOR_WAITS[fault]
    if faults > len(waits):
        return None
    longer = ACTOR_RETRY_TIMEOUT if fault is ActorFault.TIMEOUT else timeout
    return RetryAfter(wait=waits[faults - 1], timeout=longer)


def dead_letter_retry(retries: int) -> timedelta | None:
    """The wait before a dead letter is retried again; None: a person decides."""
    return DEAD_LETTER_WAIT * (1 << retries) if retries < DEAD_LETTER_RETRIES else None


def service_retry_after(header: str | None) -> timedelta | None:
    """The wait that a service's Retry-After header asks for, a day at most; None for a date or no number."""
    if header is None or not header.isascii() or not header.isdigit():
        return None
    return timedelta(seconds=min(int(header), 86_400))
