"""Limits requests by caller: so many a minute, in bursts of at most that many.

Uses the generic cell rate algorithm: for each caller one time is kept, at which all its requests so far are
paid for. It needs no timer, and idle callers are dropped.
"""

import math
from collections.abc import Callable

from larder.core.errors import UsageError

REMEMBERED = 10_000
"""Callers kept before idle ones are dropped."""


class TooMany(UsageError):
    """Too many requests; `retry_after` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            "too many requests", hint=f"wait {retry_after} s; the limit is LARDER_REQUESTS_A_MINUTE"
        )
        self.retry_after = retry_after


class Limiter:
    """Counts requests by caller, in this process. `clock` gives seconds that never go back."""

    def __init__(self, a_minute: int, clock: Callable[[], float]) -> None:
        self._each = 60 / a_minute if a_minute else 0.0
        self._clock = clock
        self._paid: dict[str, float] = {}

    def take(self, who: str) -> None:
        """Count one request; raises `TooMany` over the limit."""
        if not self._each:
            return
        now = self._clock()
        paid = max(self._paid.get(who, now), now) + self._each
        if paid - now > 60 + self._each / 2:
            raise TooMany(max(1, math.ceil(paid - now - 60)))
        self._paid[who] = paid
        if len(self._paid) > REMEMBERED:
            self._paid = {each: until for each, until in self._paid.items() if until > now}
