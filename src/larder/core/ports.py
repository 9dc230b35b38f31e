"""The interfaces for time, randomness, and the process in which pages are parsed."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeVar

T = TypeVar("T")


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


class ParseRunner(Protocol):
    """Runs functions that read scraped pages: in worker processes with limits, or in this process."""

    @property
    def concurrent(self) -> bool:
        """Tasks run beside the caller; False: they run in the caller's process, one after the other."""
        ...

    def warm_up(self, *, events: bool = False) -> None:
        """Prepare for tasks that will come soon, without waiting; `events`: some read pages of events."""
        ...

    async def run(self, task: Callable[[], T], *, pages: int = 1, affinity: int = 0) -> T:
        """The result of a task that reads so many pages; `ParseAborted` where it exceeded its limits.

        Tasks of the same affinity run in the same worker where it is idle, so that its caches are used.
        """
        ...
