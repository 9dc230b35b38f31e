"""Sends messages while their queue is short, so that a queue without readers does not grow.

Messages have no expiry: the clocks of machines differ, and a worker whose clock is ahead would drop every
message that it takes.
"""

import logging
from typing import Any

from celery import Celery
from celery.apps.beat import Beat
from celery.beat import ScheduleEntry, Scheduler, Service

log = logging.getLogger("larder.beat")

MAX_WAITING = 60
"""Maximum waiting messages from beat: an hour of dispatches."""


def send_task(celery: Celery, name: str) -> None:
    """Send a task without arguments to its queue."""
    celery.tasks[name].apply_async()


def count_waiting(celery: Celery, name: str) -> int:
    """The number of messages in a task's queue that no worker has taken."""
    queue = celery.amqp.router.route({}, name)["queue"]
    with celery.connection_for_write() as connection:
        return int(queue.bind(connection.default_channel).queue_declare().message_count)


def send_first(celery: Celery) -> None:
    """Wait for the broker, then send the messages that beat would send only after its first period."""
    with celery.connection_for_write() as connection:
        connection.ensure_connection(_tell_of_waiting, celery.conf.broker_connection_max_retries)
    for entry in celery.conf.beat_schedule.values():
        _send_unless_full(celery, entry["task"])


def _tell_of_waiting(error: Exception, seconds: float) -> None:
    log.warning("the broker does not answer (%s): asked again in %.0f s", error, seconds)


def _send_unless_full(celery: Celery, name: str) -> None:
    if count_waiting(celery, name) < MAX_WAITING:
        send_task(celery, name)


class BoundedScheduler(Scheduler):  # type: ignore[misc]
    """Beat's scheduler, which skips a message if too many wait."""

    def apply_async(self, entry: ScheduleEntry, *_: Any, **__: Any) -> None:
        """Send the message of an entry that is due."""
        _send_unless_full(self.app, entry.task)


class BoundedBeat(Beat):  # type: ignore[misc]
    """Beat with the scheduler above; signals are left to the command that runs it."""

    def __init__(self, celery: Celery) -> None:
        super().__init__(app=celery, scheduler_cls=BoundedScheduler, quiet=True)

    def install_sync_handler(self, service: Service) -> None:
        """There is no schedule to save."""
