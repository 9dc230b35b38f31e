"""What a person reads of a request that failed."""

import errno
import socket
import ssl

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch.failure import TooLargeError, failure
from larder.stages.fetch.guard import RefusedError
from larder.stages.fetch.proxy.connections import UnknownNameError

KEY = ConnectionKey(
    host="shop.test", port=443, is_ssl=True, ssl=True, proxy=None, proxy_auth=None, proxy_headers_hash=None
)
UNKNOWN = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
EXPIRED = ssl.SSLCertVerificationError(1, "certificate verify failed")
EXPIRED.verify_message = "certificate has expired"


@pytest.mark.parametrize(
    ("error", "outcome", "text"),
    [
        pytest.param(
            aiohttp.ClientConnectorDNSError(KEY, UNKNOWN),
            FetchOutcome.DNS_ERROR,
            "the name shop.test cannot be resolved (Name or service not known)",
            id="no such name",
        ),
        pytest.param(
            UnknownNameError("the name shop.test cannot be resolved (no address)"),
            FetchOutcome.DNS_ERROR,
            "the name shop.test cannot be resolved (no address)",
            id="no such name, asked before a proxy",
        ),
        pytest.param(
            aiohttp.ClientConnectorCertificateError(KEY, EXPIRED),
            FetchOutcome.TLS_ERROR,
            "the certificate of shop.test is not valid (certificate has expired)",
            id="an expired certificate",
        ),
        pytest.param(
            aiohttp.ClientConnectorError(
                KEY, OSError(errno.ECONNREFUSED, "Connect call failed ('192.0.2.1', 443)")
            ),
            FetchOutcome.ERROR,
            "cannot connect to shop.test:443 (Connection refused)",
            id="nobody listens",
        ),
        pytest.param(
            aiohttp.ClientConnectorError(KEY, RefusedError("127.0.0.1 is private")),
            FetchOutcome.ERROR,
            "guard: 127.0.0.1 is private",
            id="the guard refuses",
        ),
        pytest.param(
            aiohttp.ServerDisconnectedError(),
            FetchOutcome.ERROR,
            "the server closed the connection without an answer",
            id="the server hangs up",
        ),
        pytest.param(TimeoutError(), FetchOutcome.TIMEOUT, "no complete answer in time", id="too slow"),
        pytest.param(
            TooLargeError("more than 10 bytes"), FetchOutcome.TOO_LARGE, "more than 10 bytes", id="too large"
        ),
    ],
)
def test_a_failed_request_is_said_in_one_plain_sentence(
    error: Exception, outcome: FetchOutcome, text: str
) -> None:
    assert failure(error) == (outcome, text)
