"""Runs tasks in the process itself, without limits: for virtual time, tests and debuggers."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class InProcess:
    """Runs each task at once, so that virtual time stays deterministic."""

    concurrent = False

    def warm_up(self, *, events: bool = False) -> None:
        """Does nothing: no preparation is needed."""

    async def run(self, task: Callable[[], T], *, pages: int = 1, affinity: int = 0) -> T:  # noqa: ARG002
        """Run the task at once."""
        return task()

    async def close(self) -> None:
        """Does nothing: nothing is open."""
