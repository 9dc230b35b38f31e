"""One request and its answer, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from larder.core.model.outcome import FetchOutcome
from larder.core.policy.retry import FETCH_TIMEOUT

MAX_BYTES = 10 * 1024 * 1024
KEPT_SIZE = 8 * 1024
REDIRECTS = frozenset({301, 302, 303, 307, 308})
STORED_HEADERS = frozenset(
    {
        "content-language",
        "content-type",
        "date",
        "etag",
        "last-modified",
        "link",
        "location",
        "retry-after",
        "x-robots-tag",
    }
)


class Method(StrEnum):
    """The HTTP methods that fetching uses."""

    GET = "GET"
    HEAD = "HEAD"


@dataclass(slots=True, kw_only=True)
class Exchange:
    """What to send, and how much of the response to read; the permit has the URL.

    Like the answer it is created for each request and short-lived: frozen, both would cost more.
    """

    method: Method = Method.GET
    headers: Mapping[str, str] = field(default_factory=dict)
    jar: str | None = None
    """The key of the cookie jar; None: no cookies."""
    timeout: timedelta = FETCH_TIMEOUT
    max_bytes: int = MAX_BYTES
    truncate: bool = False
    """Accept the first `max_bytes` of a longer body."""
    keep: frozenset[str] = STORED_HEADERS
    """Headers of the response to keep."""


@dataclass(slots=True, kw_only=True)
class Answer:
    """The answer. `failure`: what went wrong; `status` may be known nevertheless."""

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    sent_at: datetime | None = None
    """None: nothing was sent."""
    failure: FetchOutcome | None = None
    error: str = ""
    guarded: bool = False
    """The guard refused the address of the connection."""


def stored_headers(headers: Mapping[str, str], names: frozenset[str] = STORED_HEADERS) -> dict[str, str]:
    """The response headers that are stored."""
    return {
        name: value
        for key, value in headers.items()
        if (name := key.lower()) in names and len(value) <= KEPT_SIZE
    }
