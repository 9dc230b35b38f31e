"""What the rooms ask of the outside: time and chance come from there, never from here."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The deployment's time: UTC, and the same for all its workers (database time where there are many)."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...

    async def sleep_until(self, moment: datetime) -> None:
        """Come back at `moment`; in virtual time that is at once."""
        ...


class Chance(Protocol):
    """A source of randomness (`random.Random` is one)."""

    def random(self) -> float:
        """A number in [0, 1)."""
        ...

    def uniform(self, a: float, b: float) -> float:
        """A number in [a, b]."""
        ...
