"""Raises alerts and delivers messages; one channel never waits for another.

In real time each channel has its own task. In virtual time, and at shutdown, `round` does the same one after
another.
"""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from larder.core.policy.alerting import GROUPING_WINDOW, AlertName, Severity
from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.core.policy.quiet_hours import QuietHours
from larder.core.ports import Clock
from larder.engine.background import condition_alerts, watches
from larder.stages.notify import summary
from larder.stages.notify.summary import SummarySchedule
from larder.store.database import Connection, Database, DriverError, moment
from larder.store.database.write_errors import is_disk_full
from larder.store.operations.notifications import alerts, outbox, outbox_cleanup
from larder.store.operations.notifications.outbox import Message, Notification

log = logging.getLogger("larder.notify")

Send = Callable[[Message], Awaitable[DeliveryResult]]
"""Delivers a message to its channel; never raises."""

CONDITIONS_EVERY = timedelta(minutes=5)
WATCH_EVERY = timedelta(seconds=30)
"""The time from a change to the evaluation of watches."""
OUTBOX_EVERY = timedelta(seconds=5)
SPACING = timedelta(seconds=1)
"""The time between two messages to one channel, as services like Slack require."""
LAST_ROUND = timedelta(seconds=5)
"""How long delivery may take at shutdown; other messages wait in the outbox."""


@dataclass(slots=True, kw_only=True)
class Notifier:
    """Delivers alerts, watch matches and summaries."""

    database: Database
    clock: Clock
    minimums: Mapping[str, Severity]
    """The channels, each with the lowest severity it accepts."""
    send: Send
    quiet: Mapping[str, QuietHours] = field(default_factory=dict)
    """The quiet hours of each channel: it gets only P1 then."""
    summary_schedule: SummarySchedule = field(default_factory=SummarySchedule)
    _conditions_at: datetime = field(default_factory=lambda: moment(0))
    _summary_at: datetime = field(default_factory=lambda: moment(0))
    _watch_at: datetime = field(default_factory=lambda: moment(0))
    _events: list[asyncio.Event] = field(default_factory=list)
    _stopping: bool = False

    def stop(self) -> None:
        """Stop starting deliveries; `run` ends when those in flight are finished."""
        self._stopping = True
        self._wake_all()

    async def run(self) -> None:
        """Deliver all channels until stopped."""
        lines = [partial(self.deliver, channel) for channel in self.minimums]
        works: list[Callable[[], Awaitable[bool]]] = [self._queue_due, *lines]
        async with asyncio.TaskGroup() as tasks:
            for work in works:
                event = asyncio.Event()
                self._events.append(event)
                tasks.create_task(self._loop(work, event))

    async def round(self, *, flush: bool = False) -> int:
        """Queue what is due and deliver it (`flush`: everything); returns how many were delivered."""
        if not await self._queue_due(flush=flush):
            return 0
        arrived = 0
        for channel in self.minimums:
            while await self.deliver(channel, flush=flush):
                arrived += 1
        return arrived

    async def deliver(self, channel: str, *, flush: bool = False) -> bool:
        """Deliver the next message of one channel; True where it was delivered."""
        now = self.clock.now()
        quiet = channel in self.quiet and self.quiet[channel].cover(now)
        message = await self.database.run(outbox.claim, channel, now=now, flush=flush, quiet=quiet)
        if message is None:
            return False
        answer = await self._answer(message)
        await self.database.run(outbox.record_answer, message, answer, now=self.clock.now())
        return isinstance(answer, Delivered)

    async def alert_full_disk(self, consequence: str) -> None:
        """Tell all channels, past the database, that nothing can be written."""
        message = f"the disk is full: nothing can be written; {consequence}, and nothing is half-written"
        await self.send_now(AlertName.DISK_FULL, "deployment", message)

    async def send_now(self, name: AlertName, subject: str, message: str) -> None:
        """Alert all channels directly, without the database: the database is the problem."""
        now = self.clock.now()
        payload = {"name": name, "subject": subject, "message": message}
        note = Notification(id=0, topic="alert", severity=name.severity, payload=payload, written_at=now)
        key = hashlib.sha256(f"{name} {subject} {now}".encode()).hexdigest()[:32]
        hearing = [c for c, minimum in self.minimums.items() if name.severity.reaches(minimum)]
        messages = [Message(channel=channel, notes=[note], attempt=1, key=key) for channel in hearing]
        await asyncio.gather(*map(self._answer, messages))

    async def _answer(self, message: Message) -> DeliveryResult:
        try:
            return await self.send(message)
        except Exception as error:  # noqa: BLE001 - what cannot even be put into words must not stop its line
            return Undelivered(error=f"it could not be written ({type(error).__name__})", refused=True)

    async def _queue_due(self, *, flush: bool = False) -> bool:
        """Check conditions, watches and the summary, and route what is due; True where messages are due.

        A time further ahead than its own interval was set by a clock that went back: it is due now.
        """
        now = self.clock.now()
        if not now < self._conditions_at <= now + CONDITIONS_EVERY:
            await self.database.run(update_condition_alerts, now=now)
            self._conditions_at = now + CONDITIONS_EVERY
        if not now < self._summary_at <= self.summary_schedule.next(now):
            channels = list(self.minimums)
            if await self.database.run(queue_summary, self.summary_schedule, channels, now=now):
                self._summary_at = self.summary_schedule.next(now)
        if not now < self._watch_at <= now + WATCH_EVERY:
            while await self.database.run(watches.evaluate_watches, now=now) == watches.BATCH:
                log.debug("more changes to evaluate")
            self._watch_at = now + WATCH_EVERY
        due = await self.database.run(outbox.is_due, now=now + GROUPING_WINDOW if flush else now)
        routed = await self.database.run(outbox.route, self.minimums, now=now) if due else 0
        if routed:
            self._wake_all()
        return due

    async def _loop(self, work: Callable[[], Awaitable[bool]], event: asyncio.Event) -> None:
        """Repeat the work; an unavailable database is retried like a channel."""
        while not self._stopping:
            event.clear()
            try:
                more = await work()
            except (DriverError, OSError) as error:
                log.warning("outbox unavailable (%s)", type(error).__name__)
                more = False
            await _wait_for_wake_up(event, SPACING if more else OUTBOX_EVERY)

    def _wake_all(self) -> None:
        for event in self._events:
            event.set()


@asynccontextmanager
async def running(notifier: Notifier) -> AsyncIterator[None]:
    """Deliver messages while the body runs, and what is left at its end."""
    task = asyncio.create_task(notifier.run())
    task.add_done_callback(_log_failure)
    try:
        yield
    except (DriverError, OSError) as error:
        if is_disk_full(error):
            await notifier.alert_full_disk("Larder has stopped")
        raise
    finally:
        notifier.stop()
        await asyncio.wait({task}, timeout=LAST_ROUND.total_seconds())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await _final_delivery(notifier)


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("the notifier stopped: messages wait in the outbox", exc_info=error)


async def _final_delivery(notifier: Notifier) -> None:
    """Deliver a last time; undelivered messages stay in the outbox."""
    try:
        async with asyncio.timeout(LAST_ROUND.total_seconds()):
            await notifier.round(flush=True)
    except (TimeoutError, DriverError, OSError) as error:
        log.warning("undelivered messages wait for the next start (%s)", type(error).__name__)


async def _wait_for_wake_up(event: asyncio.Event, at_most: timedelta) -> None:
    """Wait for the event, at most so long."""
    try:
        async with asyncio.timeout(at_most.total_seconds()):
            await event.wait()
    except TimeoutError:
        return


def update_condition_alerts(conn: Connection, *, now: datetime) -> None:
    """Check conditions and repeat open alerts, in one process at a time."""
    if outbox.try_lock(conn, "condition alerts"):
        condition_alerts.check_conditions(conn, now=now)
        alerts.send_reminders(conn, now=now)


def queue_summary(conn: Connection, schedule: SummarySchedule, channels: list[str], *, now: datetime) -> bool:
    """Queue the daily summary; False if another process does."""
    if not outbox.try_lock(conn, "daily summary"):
        return False
    if summary.send_if_due(conn, schedule, now=now):
        outbox_cleanup.delete_sent(conn, now=now)
        outbox_cleanup.dead_letter_unknown_channels(conn, channels, now=now)
    return True
