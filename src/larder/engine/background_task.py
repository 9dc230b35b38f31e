"""Work that runs beside the driver, one round at a time."""

import asyncio
import logging
from abc import ABC, abstractmethod
from datetime import timedelta
from typing import ClassVar

log = logging.getLogger("larder.background")


class BackgroundTask(ABC):
    """A task that each tick starts unless it is running, and that ends with the driver."""

    shutdown_timeout: ClassVar[timedelta] = timedelta(0)
    """How long `end` waits for a round before it is cancelled."""
    _task: "asyncio.Task[None] | None" = None

    @property
    def running(self) -> bool:
        """Whether a round is running."""
        return self._task is not None and not self._task.done()

    async def on_tick(self) -> None:
        """Start a round, unless one is running."""
        if not self.running:
            self._task = asyncio.create_task(self._guarded())

    async def end(self) -> None:
        """Stop; the next round continues what this one did not finish."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=self.shutdown_timeout.total_seconds())
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @abstractmethod
    async def round(self) -> object:
        """Run one round."""

    async def _guarded(self) -> None:
        try:
            await self.round()
        except Exception:
            log.exception("%s failed; the next round tries again", type(self).__name__)
