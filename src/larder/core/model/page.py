"""The result of a fetch, and the addresses that a feed names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from larder.core.model.item import NextPage
from larder.core.model.outcome import FetchOutcome


class FeedAddress(NamedTuple):
    """An address in a feed."""

    url: str
    canonical_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One request of a fetch: a redirect, or the page itself."""

    url: str
    status: int
    sent_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LastPage:
    """The last stored page of the same URL, and the result of parsing it."""

    id: int
    content_hash: str
    adapter_version: str
    etag: str | None = None
    last_modified: str | None = None
    last: bool | None = None
    next_page: NextPage | None = None
    advertised: int | None = None
    left_out: Mapping[str, Any] = field(default_factory=dict)
    """Items left out, by reason."""
    yielded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The end of one fetch. `body` is the decoded content, already within its caps."""

    outcome: FetchOutcome
    url: str
    final_url: str
    fetched_at: datetime
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    content_hash: str | None = None
    """SHA-256 of `body` in hex; None where there is no body."""
    duration: timedelta = timedelta(0)
    fetcher: str = "http"
    hops: tuple[Hop, ...] = ()
    error: str = ""
    retry_at: datetime | None = None
    """Not before this time: the site said so (Retry-After), or the lane has no slot until then."""
    waiting: bool = False
    """Nothing was sent, because no slot was free: this costs the job no attempt."""
    payload: Any = None
    """Items that came without a page (an actor's dataset, the simulator); parse passes them through."""
