"""Clocks: the machine's, the database's, one that can skip hours, and virtual time."""

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta


class SystemClock:
    """This machine's time; enough where all workers share one machine."""

    def now(self) -> datetime:
        """The machine's time."""
        return datetime.now(UTC)

    async def sleep_until(self, moment: datetime) -> None:
        """Wait on the event loop."""
        wait = (moment - self.now()).total_seconds()
        if wait > 0:
            await asyncio.sleep(wait)


class DatabaseClock(SystemClock):
    """The database's time, advanced by this machine's monotonic clock between two readings.

    Leases and slots of several machines are compared, so they must share one time. A process that was frozen
    wakes up with the right time, because the monotonic clock went on.
    """

    def __init__(self) -> None:
        self._read_at = time.monotonic()
        self._then = datetime.now(UTC)

    def synchronize(self, moment: datetime, read_at: float) -> None:
        """Set the clock: the database's time was `moment` when the monotonic clock read `read_at`."""
        self._read_at, self._then = read_at, moment

    def now(self) -> datetime:
        """The database's time now."""
        return self._then + timedelta(seconds=time.monotonic() - self._read_at)


class SkippingClock(SystemClock):
    """This machine's time plus skipped hours."""

    def __init__(self) -> None:
        self.skipped = timedelta(0)
        self._skipping = asyncio.Event()

    def now(self) -> datetime:
        """The machine's time plus what was skipped."""
        return super().now() + self.skipped

    def skip(self, span: timedelta) -> None:
        """Move ahead; sleepers check whether their time has come."""
        self.skipped += span
        self._skipping.set()
        self._skipping = asyncio.Event()

    async def sleep_until(self, moment: datetime) -> None:
        """Wait on the event loop, or for a skip."""
        while (wait := (moment - self.now()).total_seconds()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._skipping.wait()


class VirtualClock:
    """Virtual time: it advances only when a caller waits."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """The virtual time."""
        return self._now

    def advance(self, moment: datetime) -> None:
        """Move on to `moment`; time never goes back."""
        self._now = max(self._now, moment)

    async def sleep_until(self, moment: datetime) -> None:
        """Advance the virtual time to `moment`."""
        self.advance(moment)
