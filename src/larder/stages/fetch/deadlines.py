"""Time limits for many waits at once, without a timer for each.

Setting and cancelling a timer for every request costs as much as sending it. One check every tenth of a
second for all waits has the same effect; a limit is noticed that much later, and never too early.
"""

import asyncio
from types import TracebackType
from typing import Any, Self

CHECK_SECONDS = 0.1


class Deadlines:
    """The limits of all waits of one event loop."""

    def __init__(self) -> None:
        self._waits: set[DeadlineScope] = set()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether the timer runs: while a task waits, and once more after."""
        return self._timer is not None

    def limit(self, seconds: float) -> "DeadlineScope":
        """A deadline that the waiting task enters; raises TimeoutError there when it passes."""
        return DeadlineScope(self, seconds)

    def add(self, wait: "DeadlineScope", loop: asyncio.AbstractEventLoop) -> None:
        """Add a deadline."""
        self._waits.add(wait)
        if self._timer is None:
            self._timer = loop.call_later(CHECK_SECONDS, self._expire_due, loop)

    def discard(self, wait: "DeadlineScope") -> None:
        """Remove a deadline."""
        self._waits.discard(wait)

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire_due(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for wait in [wait for wait in self._waits if wait.due <= now]:
            self._waits.discard(wait)
            wait.expire()
        self._timer = loop.call_later(CHECK_SECONDS, self._expire_due, loop) if self._waits else None


class DeadlineScope:
    """The deadline of one task, as a context manager."""

    __slots__ = ("_cancelling", "_deadlines", "_expired", "_seconds", "_task", "due")

    def __init__(self, deadlines: Deadlines, seconds: float) -> None:
        self._deadlines = deadlines
        self._seconds = seconds
        self._expired = False

    def __enter__(self) -> Self:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        if task is None:
            raise RuntimeError("only a task can wait")
        self._task: asyncio.Task[Any] = task
        self._cancelling = task.cancelling()
        self.due = loop.time() + self._seconds
        self._deadlines.add(self, loop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Turns the cancellation by `expire` into TimeoutError; other cancellations pass through."""
        self._deadlines.discard(self)
        if self._expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def expire(self) -> None:
        """Cancel the task."""
        self._expired = True
        self._task.cancel()
