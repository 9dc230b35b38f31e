"""The outcome of a failed exchange, and one sentence for a person.

The sentence names the host and the problem, without the client library's class names.
"""

import os
import ssl

import aiohttp

from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch.decompression import EncodingError
from larder.stages.fetch.guard import RefusedError
from larder.stages.fetch.proxy.connections import UnknownNameError

MAX_TEXT = 500


class TooLargeError(Exception):
    """The body exceeds its limit."""


def failure(error: Exception) -> tuple[FetchOutcome, str]:
    """The outcome of a request that raised, and its sentence."""
    outcome = _outcome(error)
    return outcome, _sentence(error)[:MAX_TEXT]


def _outcome(error: Exception) -> FetchOutcome:
    match error:
        case TooLargeError():
            return FetchOutcome.TOO_LARGE
        case TimeoutError():
            return FetchOutcome.TIMEOUT
        case aiohttp.ClientConnectorDNSError() | UnknownNameError():
            return FetchOutcome.DNS_ERROR
        case aiohttp.ClientSSLError() | ssl.SSLError():
            return FetchOutcome.TLS_ERROR
        case _:
            return FetchOutcome.ERROR


def _sentence(error: Exception) -> str:
    match error:
        case TooLargeError() | UnknownNameError():
            return str(error)
        case TimeoutError():
            return "no complete answer in time"
        case RefusedError() | aiohttp.ClientConnectorError(os_error=RefusedError()):
            return f"guard: {getattr(error, 'os_error', error)}"
        case aiohttp.ClientConnectorError() | aiohttp.ClientConnectorCertificateError():
            return _not_connected(error)
        case aiohttp.ServerDisconnectedError():
            return "the server closed the connection without an answer"
        case EncodingError():
            return f"undecodable: {error}"
        case _:
            return f"{type(error).__name__}: {error}"


def _not_connected(error: aiohttp.ClientConnectorError | aiohttp.ClientConnectorCertificateError) -> str:
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return f"the certificate of {error.host} is not valid ({_reason(error.certificate_error)})"
        case aiohttp.ClientConnectorDNSError():
            return f"the name {error.host} cannot be resolved ({_reason(error.os_error)})"
        case _:
            return f"cannot connect to {error.host}:{error.port} ({_reason(error.os_error)})"


def _reason(error: BaseException) -> str:
    """The system's message, without numbers and addresses."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
