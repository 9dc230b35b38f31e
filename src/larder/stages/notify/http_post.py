"""Sends one small request to a service that the operator chose, bounded in time and size; it never raises.

Redirects are not followed: a person must check a webhook that moved, before a secret is sent there.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import aiohttp
import orjson

from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.core.policy.retry import service_retry_after
from larder.stages.notify import mask

POST_TIMEOUT = timedelta(seconds=15)
MAX_ANSWER = 2_000
QUOTED = 120
REFUSED = frozenset({400, 413, 415, 422})
"""Statuses that concern the message itself."""


def session(timeout: timedelta = POST_TIMEOUT) -> aiohttp.ClientSession:
    """A client for services, with few connections."""
    return aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=timeout.total_seconds()),
        connector=aiohttp.TCPConnector(limit=16, limit_per_host=4),
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
    )


async def post(
    client: aiohttp.ClientSession,
    url: str,
    body: Mapping[str, Any],
    *,
    key: str,
    sign: Callable[[bytes], Mapping[str, str]] | None = None,
) -> DeliveryResult:
    """Post JSON; `key` lets the receiver recognize a repeated message, `sign` adds headers for the body."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key, "User-Agent": "Larder"}
    data = orjson.dumps(body)
    headers |= sign(data) if sign else {}
    try:
        async with client.post(url, data=data, headers=headers, allow_redirects=False) as response:
            answer = await response.content.read(MAX_ANSWER)
            return _judged(url, response.status, answer, response.headers.get("Retry-After"))
    except TimeoutError:
        return Undelivered(error="it did not answer in time")
    except aiohttp.ClientConnectorCertificateError:
        return Undelivered(error="its certificate is not trusted")
    except aiohttp.ClientConnectorError:
        return Undelivered(error="it could not be reached")
    except (aiohttp.ClientError, OSError, ValueError) as error:
        return Undelivered(error=f"the connection failed ({type(error).__name__})")


def _judged(url: str, status: int, body: bytes, retry_after: str | None) -> DeliveryResult:
    if 200 <= status < 300:
        return Delivered()
    quoted = " ".join(mask.without_secrets(url, body.decode("utf-8", "replace")).split())[:QUOTED]
    return Undelivered(
        error=f"it answered {status}" + (f": {quoted}" if quoted.isprintable() and quoted else ""),
        refused=status in REFUSED,
        retry_after=service_retry_after(retry_after),
    )
