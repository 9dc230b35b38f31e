"""Messages have no time of expiry, and a queue that nobody reads does not grow."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from socketserver import BaseRequestHandler, TCPServer, ThreadingMixIn
from threading import Thread
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from celery import Celery
from celery.beat import ScheduleEntry

from larder.celery import sending
from larder.celery.config import make_celery
from larder.celery.sending import MAX_WAITING, BoundedScheduler, count_waiting, send_first, send_task
from larder.settings import Settings
from tests.services import free_port


@pytest.fixture
def celery(monkeypatch: pytest.MonkeyPatch) -> Iterator[Celery]:
    monkeypatch.setenv("LARDER_BROKER", "memory://")
    monkeypatch.setenv("LARDER_DATABASE", "postgresql://larder@127.0.0.1:1/larder")
    monkeypatch.setenv("LARDER_QUEUE_PREFIX", f"{uuid4().hex}.")
    monkeypatch.setenv("LARDER_TICK_SECONDS", "7")
    made = make_celery(Settings())
    yield made
    made.close()


def test_messages_in_a_queue_are_counted(celery: Celery) -> None:
    assert count_waiting(celery, "larder.drive") == 0
    send_task(celery, "larder.drive")
    send_task(celery, "larder.drive")
    assert count_waiting(celery, "larder.drive") == 2
    assert count_waiting(celery, "larder.maintain") == 0


def test_no_message_expires_by_a_clock_that_may_be_wrong(celery: Celery) -> None:
    send_task(celery, "larder.drive")
    with celery.connection_for_read() as connection:
        queue = celery.amqp.router.route({}, "larder.drive")["queue"]
        message = queue.bind(connection.default_channel).get()
    assert message.headers["expires"] is None


def test_beat_sends_nothing_to_a_queue_that_nobody_reads(celery: Celery) -> None:
    scheduler = BoundedScheduler(celery, lazy=True)
    entry = ScheduleEntry(app=celery, **celery.conf.beat_schedule["maintain"], name="maintain")
    for _ in range(MAX_WAITING + 5):
        scheduler.apply_async(entry)
    assert count_waiting(celery, "larder.maintain") == MAX_WAITING


def test_beat_has_three_entries_and_dispatches_each_tick(celery: Celery) -> None:
    every = {name: entry["schedule"].total_seconds() for name, entry in celery.conf.beat_schedule.items()}
    assert every == {"dispatch": 7, "verify": 300, "maintain": 60}
    send_first(celery)
    assert [count_waiting(celery, f"larder.{name}") for name in every] == [2, 2, 1]


class Forwarder(ThreadingMixIn, TCPServer):
    """Listens for a broker that was away, and hands all that it is told on to one that is there."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int, target: tuple[str, int]) -> None:
        super().__init__(("127.0.0.1", port), Forwarded)
        self.target = target


class Forwarded(BaseRequestHandler):
    """One connection, in both directions."""

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as there:  # type: ignore[attr-defined]
            Thread(target=_pipe, args=(there, self.request), daemon=True).start()
            _pipe(self.request, there)


def _pipe(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while some := source.recv(65_536):
            target.sendall(some)


def test_l11_beat_waits_for_a_broker_that_is_away(monkeypatch: pytest.MonkeyPatch, redis_url: str) -> None:
    parts, port = urlsplit(redis_url), free_port()
    away = urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.port}", f":{port}")))
    monkeypatch.setenv("LARDER_BROKER", away)
    monkeypatch.setenv("LARDER_DATABASE", "postgresql://larder@127.0.0.1:1/larder")
    monkeypatch.setenv("LARDER_QUEUE_PREFIX", f"{uuid4().hex}.")
    waited: list[str] = []

    def start(message: str, error: Exception, _seconds: float) -> None:
        waited.append(f"{message} {error}")
        server = Forwarder(port, (str(parts.hostname), parts.port or 0))
        Thread(target=server.serve_forever, daemon=True).start()

    monkeypatch.setattr(sending.log, "warning", start)
    made = make_celery(Settings())
    send_first(made)
    assert ("Connection refused" in waited[0], len(waited)) == (True, 1)
    assert count_waiting(made, "larder.maintain") == 1
    made.close()
