"""A person who interrupts `larder run start` does not wait for a slow site."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any, cast

import pytest

from larder.cli.run import commands
from larder.cli.up import commands as up_commands


class SlowDriver:
    """Notes how long it would wait for pages in flight when it is stopped."""

    def __init__(self) -> None:
        self.grace = timedelta(seconds=40)
        self.stopped = asyncio.Event()
        self.grace_at_stop: timedelta | None = None

    async def run_forever(self) -> None:
        await self.stopped.wait()

    def stop(self) -> None:
        self.grace_at_stop = self.grace
        self.stopped.set()


@contextmanager
def interrupted_soon(stop: Callable[[], None]) -> Iterator[list[int]]:
    asyncio.get_running_loop().call_soon(stop)
    yield [signal.SIGINT]


async def test_l10_17_an_interrupted_run_waits_shortly_for_pages_in_flight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(up_commands, "ask_on_signal", interrupted_soon)
    driver = SlowDriver()
    shorten = partial(commands._shorten_grace, cast("Any", driver))
    assert await up_commands.drive(cast("Any", driver), on_stop=shorten) == signal.SIGINT
    assert driver.grace_at_stop == commands.INTERRUPT_GRACE
