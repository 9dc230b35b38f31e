"""How SIGINT (Ctrl-C) and SIGTERM end a command, whatever it is doing: without a traceback, with one line.

The first signal calls what the command registered with `ask_on_signal`, or else cancels its task; the
second cancels in any case; the third ends the process at once.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

from larder.core.errors import LarderError

SIGNALS = (signal.SIGINT, signal.SIGTERM)
MAX_SIGNALS = 2
"""Signals that leave time to close files and connections."""
EXIT_CODE_BASE = 128
"""Shells report a command ended by a signal as this plus the signal's number."""


class Interrupted(LarderError):
    """A signal ended the command early."""

    def __init__(self, number: int, *, note: str = "") -> None:
        name = "Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name
        super().__init__(f"stopped by {name}" + (f": {note}" if note else ""))
        self.number = number
        self.exit_code = EXIT_CODE_BASE + number


class StopSignals:
    """The received signals, and the effect of each."""

    def __init__(self) -> None:
        self.received: list[int] = []
        self.ask: Callable[[], Any] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.task: asyncio.Task[Any] | None = None
        self.ended = False

    def on_signal(self, number: int, _frame: FrameType | None = None) -> None:
        """Run in the main thread between two instructions: schedule, raise or end the process."""
        self.received.append(number)
        if len(self.received) > MAX_SIGNALS:
            os._exit(EXIT_CODE_BASE + number)
        ask, self.ask = self.ask, None
        if self.loop is None:
            self._raise(number)
        elif not self.loop.is_closed():
            self.loop.call_soon_threadsafe(ask or self._cancel)

    def _raise(self, number: int) -> None:
        """Raise for the first signal only: the interrupted code may need time to end."""
        if len(self.received) == 1 and not self.ended:
            raise Interrupted(number)

    def _cancel(self) -> None:
        """Cancel once: a second cancellation would interrupt the closing of files and connections."""
        if self.task is not None and not self.task.cancelling():
            self.task.cancel()


_CURRENT: ContextVar[StopSignals | None] = ContextVar("stop_signals", default=None)


def handle_signals() -> StopSignals:
    """Handles both signals from now to the end of the process."""
    signals = StopSignals()
    _CURRENT.set(signals)
    for number in SIGNALS:
        signal.signal(number, signals.on_signal)
    return signals


def current_signals() -> StopSignals:
    """The signals of this process; empty where no handler is installed."""
    return _CURRENT.get() or StopSignals()


@contextmanager
def ask_on_signal(ask: Callable[[], Any]) -> Iterator[list[int]]:
    """The first signal in the block calls `ask`, which ends the work cleanly; yields the received signals."""
    signals = current_signals()
    signals.ask = ask
    try:
        yield signals.received
    finally:
        signals.ask = None


def end_at_once_on_signal() -> None:
    """For commands that keep no state and wait for a server: a signal is their proper end, exit code 0.

    An exception between two parts of an answer would leave the server's client waiting for the second one.
    """
    for number in SIGNALS:
        signal.signal(number, _end_at_once)


def _end_at_once(number: int, _frame: FrameType | None) -> None:
    os.write(sys.stderr.fileno(), f"{Interrupted(number)}\n".encode())
    os._exit(0)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """For commands that run until they are stopped: a signal is a normal end, with exit code 0."""
    try:
        yield
    except Interrupted as end:
        sys.stderr.write(f"{end}\n")
