"""Asks the message broker for a connection, and tells one that is away from one that refuses.

One that is away may come back: whoever needs it waits. One that refuses does so until its address is right.
"""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from larder.core.errors import Unusable, not_installed

if TYPE_CHECKING:
    from kombu.connection import Connection

CONNECT_SECONDS = 5.0
_LOGIN = {"AccessRefused", "AuthenticationError"}
_ADDRESS = {"NotAllowed", "ResponseError"}
"""RabbitMQ refuses access and virtual hosts, Redis an authentication and a number of a database."""


class BrokerAway(Unusable):
    """Nobody answers at the broker's address."""


class BrokerRefuses(Unusable):
    """The broker answers, and lets us in no further."""


def broker_place(broker: str) -> str:
    """Its address, without who logs in."""
    parts = urlsplit(broker)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}"


def check_broker(broker: str) -> None:
    """Connect once; it raises `BrokerRefuses` or `BrokerAway`, each with the next step."""
    try:
        from kombu.connection import Connection  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise not_installed("workers on several machines", "celery") from error
    try:
        _connect(Connection(broker, connect_timeout=CONNECT_SECONDS))  # type: ignore[no-untyped-call]
    except Exception as error:
        raise _explain(broker_place(broker), error) from error


def _connect(connection: "Connection") -> None:
    with connection as opened:
        opened.ensure_connection(max_retries=1, timeout=CONNECT_SECONDS)


def _explain(place: str, error: BaseException) -> Unusable:
    names = {type(each).__name__ for each in _causes(error)}
    if names & _LOGIN:
        return BrokerRefuses(f"{place} refuses the login", hint="correct user and password in LARDER_BROKER")
    words = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
    if names & _ADDRESS:
        return BrokerRefuses(
            f"{place} refuses the connection ({words})", hint="correct what follows the host in LARDER_BROKER"
        )
    return BrokerAway(f"{place} does not answer ({words})", hint="start it, or correct LARDER_BROKER")


def _causes(error: BaseException | None) -> list[BaseException]:
    """An error and what it comes from: kombu wraps those of transports."""
    return [] if error is None else [error, *_causes(error.__cause__)]
