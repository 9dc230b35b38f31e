"""The Celery application: queues, time limits and the three entries of beat."""

from datetime import timedelta
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_process_shutdown, worker_shutting_down
from kombu.entity import Exchange, Queue

from larder.celery.host import HOST
from larder.celery.sending import count_waiting, send_task
from larder.celery.tasks import dispatch, drive, maintain, verify
from larder.core.errors import BadInput
from larder.core.model.hint import Hint
from larder.settings import Settings

SCRAPING, MAINTENANCE, DEFAULT = "scraping", "maintenance", "default"
QUEUES = (SCRAPING, MAINTENANCE, DEFAULT)
_NO_EXCHANGE = Exchange("")  # type: ignore[no-untyped-call]
"""Messages go to queues by name: on Redis, bindings are keys that are lost with a flush."""

VERIFY_EVERY = timedelta(minutes=5)
MAINTAIN_EVERY = timedelta(minutes=1)

SHUTDOWN_MARGIN = timedelta(minutes=2)
"""The time after its slice in which a drive may commit what is in flight."""
MAX_MAINTENANCE = timedelta(hours=2)
CONNECTION_RETRIES = 100
"""Attempts to reach a broker that restarts; with Celery's backoff about half an hour."""


def make_celery(settings: Settings) -> Celery:
    """The application on the broker that the settings name; its tasks drive the deployment of `settings`."""
    broker = settings.broker.get_secret_value()
    if not broker:
        raise BadInput(
            "LARDER_BROKER is empty: no message broker is set",
            hint="set it to amqp://user:password@host:5672// or redis://host:6379/0; one process needs none",
        )
    if settings.embedded:
        raise BadInput(
            "LARDER_DATABASE is SQLite: one process drives it",
            hint=Hint(
                text="several workers need PostgreSQL: copy the data, then set LARDER_DATABASE",
                action="database.copy",
            ),
        )
    HOST.settings = settings
    celery = Celery("larder", broker=broker, set_as_current=False)
    celery.conf.update(_configuration(broker, settings))
    for name, function, limit in _tasks(settings):
        celery.task(function, name=name, time_limit=limit.total_seconds())
    HOST.send = lambda name: send_task(celery, name)
    HOST.count_waiting = lambda name: count_waiting(celery, name)
    setup_logging.connect(_leave_logging, weak=False)
    worker_shutting_down.connect(HOST.begin_shutdown, weak=False)
    worker_process_shutdown.connect(HOST.close, weak=False)
    return celery


def _leave_logging(**_: Any) -> None:
    """Keep Celery from configuring logging: the command that starts the process does."""


def _tasks(settings: Settings) -> tuple[tuple[str, Any, timedelta], ...]:
    slice_limit = timedelta(seconds=settings.slice_seconds) + SHUTDOWN_MARGIN
    return (
        ("larder.drive", drive, slice_limit),
        ("larder.dispatch", dispatch, slice_limit),
        ("larder.verify", verify, slice_limit),
        ("larder.maintain", maintain, MAX_MAINTENANCE),
    )


def _configuration(broker: str, settings: Settings) -> dict[str, Any]:
    prefix = settings.queue_prefix
    return {
        "task_ignore_result": True,
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": CONNECTION_RETRIES,
        "broker_transport_options": _transport_options(broker),
        "task_queues": [_queue(prefix + name) for name in QUEUES],
        "task_default_queue": prefix + DEFAULT,
        "task_default_exchange": "",
        "task_default_routing_key": prefix + DEFAULT,
        "task_routes": {
            "larder.drive": {"queue": prefix + SCRAPING},
            "larder.maintain": {"queue": prefix + MAINTENANCE},
        },
        "beat_schedule": _beat_schedule(settings),
        "beat_max_loop_interval": 5,
        "timezone": "UTC",
    }


def _queue(name: str) -> Queue:
    return Queue(name, exchange=_NO_EXCHANGE, routing_key=name)  # type: ignore[no-untyped-call]


def _transport_options(broker: str) -> dict[str, Any]:
    """Redis delivers a message again after its visibility timeout: no task may take longer."""
    if broker.startswith(("redis:", "rediss:")):
        longest = MAX_MAINTENANCE + SHUTDOWN_MARGIN
        return {"visibility_timeout": longest.total_seconds(), "socket_keepalive": True}
    return {"confirm_publish": True}


def _beat_schedule(settings: Settings) -> dict[str, Any]:
    """Three entries, however many sources there are."""
    every = {"dispatch": settings.tick_every, "verify": VERIFY_EVERY, "maintain": MAINTAIN_EVERY}
    return {name: {"task": f"larder.{name}", "schedule": period} for name, period in every.items()}
