"""Sends requests to services (Elasticsearch, ClickHouse, geocoders, language models, search) and reads
responses.

A body is read to its end, up to a limit: a single `StreamReader.read(n)` returns only what has arrived so
far.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import orjson

MAX_BYTES = 1_000_000
UNAVAILABLE = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may succeed later."""


@dataclass(frozen=True, slots=True)
class ServiceResponse:
    """A response of a service, read to its end."""

    status: int
    body: bytes
    retry_after: str | None
    """The `Retry-After` header, as it was sent."""


class ResponseTooLongError(ValueError):
    """A body is longer than the limit."""


async def read_bounded(response: aiohttp.ClientResponse, limit: int = MAX_BYTES) -> bytes:
    """The whole body; raises `ResponseTooLongError` if it is longer than `limit` bytes."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(65_536):
        body += chunk
        if len(body) > limit:
            raise ResponseTooLongError(f"the answer is longer than {limit:,} bytes")
    return bytes(body)


async def post_json(
    client: aiohttp.ClientSession,
    url: str,
    body: Any,
    *,
    headers: Mapping[str, str],
    timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - of the request, by aiohttp
    service: str,
    down: Callable[[str], Exception],
) -> ServiceResponse:
    """POST JSON, without redirects; raises `down` with the name of the service if there is no response."""
    headers = {"Content-Type": "application/json", **headers}
    data = orjson.dumps(body)
    try:
        async with client.post(
            url, data=data, headers=headers, timeout=timeout, allow_redirects=False
        ) as response:
            text = await read_bounded(response)
            return ServiceResponse(response.status, text, response.headers.get("Retry-After"))
    except TimeoutError as error:
        raise down(f"{service} did not answer in time") from error
    except (aiohttp.ClientError, OSError) as error:
        raise down(f"{service} could not be reached ({type(error).__name__})") from error
    except ResponseTooLongError as error:
        raise down(f"{service}: {error}") from error
