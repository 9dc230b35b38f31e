"""The interfaces for time and randomness."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The deployment's time: UTC, the same for all its workers."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...

    async def sleep_until(self, moment: datetime) -> None:
        """Wait until `moment`; virtual time moves there at once."""
        ...


class Chance(Protocol):
    """A source of randomness (`random.Random` is one)."""

    def random(self) -> float:
        """A number in [0, 1)."""
        ...

    def uniform(self, a: float, b: float) -> float:
        """A number in [a, b]."""
        ...
