"""`larder worker` and `larder beat`: the Celery processes of a deployment on several machines."""

import logging
from contextlib import suppress
from socket import gethostname
from typing import TYPE_CHECKING, Annotated

import typer

from larder.app.broker import BrokerAway, check_broker
from larder.cli.common.interrupts import end_at_once_on_signal
from larder.cli.common.logs import start_logging
from larder.cli.common.session import run_async
from larder.cli.up.drivers import cores
from larder.core.errors import BadInput, not_installed
from larder.core.quoting import quoted
from larder.settings import Settings, load

if TYPE_CHECKING:
    from celery import Celery

log = logging.getLogger("larder.beat")

JsonLines = Annotated[bool, typer.Option("--json", help="Log JSON lines.")]


def worker(
    concurrency: Annotated[
        int | None, typer.Option(min=1, max=1_024, help="Processes; default: one for each core.")
    ] = None,
    queues: Annotated[
        str, typer.Option(help="Queues to work on, with commas between them.")
    ] = "scraping,maintenance,default",
    name: Annotated[
        str | None, typer.Option(help="Name of this worker, NAME@HOST; default: larder@ and the host's name.")
    ] = None,
    as_json: JsonLines = False,
) -> None:
    """Do the work of a deployment on PostgreSQL, as one of several workers; `larder beat` says when.

    SIGTERM ends it after open pages are stored. What it leaves undone, another worker continues with.
    """
    settings = load()
    celery = _celery(settings)
    chosen = [settings.queue_prefix + queue for queue in _queues(queues)]
    start_logging(as_json=as_json, level=settings.log_level)
    running = celery.Worker(
        concurrency=concurrency or cores(),
        queues=chosen,
        hostname=name or f"larder@{gethostname()}",
        quiet=True,
        without_mingle=True,
    )
    running.start()
    raise typer.Exit(running.exitcode or 0)


def beat(as_json: JsonLines = False) -> None:
    """Send the messages that start work: dispatch each tick, maintain each minute, verify each 5 minutes.

    Two of them do no harm: a repeated message finds its work claimed. It waits for a broker that is away.
    """
    settings = load()
    celery = _celery(settings)
    from larder.celery.sending import BoundedBeat, send_first  # noqa: PLC0415 - an extra

    end_at_once_on_signal()
    start_logging(as_json=as_json, level=settings.log_level)
    send_first(celery)
    log.info("beat is up", extra={"broker": celery.connection().as_uri()})
    BoundedBeat(celery).run()


def _celery(settings: Settings) -> "Celery":
    try:
        from larder.celery.config import make_celery  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise not_installed("workers on several machines", "celery") from error
    celery = make_celery(settings)
    run_async(_check(settings))
    with suppress(BrokerAway):  # it is waited for
        check_broker(settings.broker.get_secret_value())
    return celery


async def _check(settings: Settings) -> None:
    """Refuse an invalid key and an outdated schema now, not at the first message."""
    from larder.app import open_app  # noqa: PLC0415 - loaded when it is asked for
    from larder.store.operations.access.secrets import SecretCipher  # noqa: PLC0415 - the same

    SecretCipher(settings.secret_key.get_secret_value())
    async with open_app(settings):
        return


def _queues(value: str) -> list[str]:
    from larder.celery.config import QUEUES  # noqa: PLC0415 - an extra

    chosen = [part.strip() for part in value.split(",") if part.strip()]
    unknown = [each for each in chosen if each not in QUEUES]
    if unknown or not chosen:
        raise BadInput(
            f"--queues {quoted(value)}: there is no such queue", hint=f"choose from {', '.join(QUEUES)}"
        )
    return chosen
