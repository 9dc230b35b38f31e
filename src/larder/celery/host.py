"""One deployment, opened once in each worker process, and the event loop that its tasks run in."""

import asyncio
import logging
import multiprocessing
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from larder.app import App, open_app
from larder.settings import Settings

log = logging.getLogger("larder.celery")
T = TypeVar("T")


def _not_connected(name: str) -> NoReturn:
    raise RuntimeError(f"cannot send {name}: there is no Celery application")


@dataclass(slots=True, kw_only=True)
class Host:
    """The state of a worker process.

    The process that Celery forks from sets `stopping`; its children, which inherit it, end their slices.
    """

    settings: Settings | None = None
    send: Callable[[str], None] = _not_connected
    """Sends a task without arguments to its queue."""
    count_waiting: Callable[[str], int] = _not_connected
    """Messages in a task's queue."""
    stopping: Any = field(default_factory=multiprocessing.Event)
    _runner: asyncio.Runner | None = None
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _app: App | None = None

    def run(self, work: Callable[[App], Awaitable[T]]) -> T:
        """Run a task in this process's deployment; after an error it is opened anew."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        try:
            return self._runner.run(self._with_app(work))
        except BaseException:
            self.close()
            raise

    async def _with_app(self, work: Callable[[App], Awaitable[T]]) -> T:
        if self._app is None:
            if self.settings is None:
                raise RuntimeError("the Celery application was made without settings")
            self._app = await self._stack.enter_async_context(open_app(self.settings))
        return await work(self._app)

    def begin_shutdown(self, **_: Any) -> None:
        """Celery is shutting down: end slices as soon as what is in flight is committed."""
        self.stopping.set()

    def close(self, **_: Any) -> None:
        """Close the deployment and the loop."""
        if self._runner is None:
            return
        try:
            self._runner.run(self._stack.aclose())
        except Exception:
            log.exception("the deployment did not close cleanly")
        finally:
            self._runner.close()
            self._runner, self._app = None, None


HOST = Host()
