"""Runs tasks in the process itself, without limits: for virtual time, tests and debuggers."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class InProcess:
    """Never waits, so that virtual time stays deterministic."""

    concurrent = False

    def warm_up(self, *, events: bool = False) -> None:
        """Nothing needs to be prepared."""

    async def run(self, task: Callable[[], T], *, pages: int = 1, affinity: int = 0) -> T:  # noqa: ARG002
        """Run it here and now."""
        return task()

    async def close(self) -> None:
        """Nothing is open."""
