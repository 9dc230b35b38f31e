"""The request to a fetcher, and the interface of fetchers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from larder.core.model.job import Slot
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName, Source
from larder.core.policy.retry import FETCH_TIMEOUT
from larder.stages.fetch.exchange import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """A page to fetch."""

    url: str
    method: Method = Method.GET
    slot: Slot | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """The source's own headers, secrets included: sent to its host only."""
    user_agent: str | None = None
    jar: str | None = None
    """The key of the source's cookie jar."""
    etag: str | None = None
    last_modified: str | None = None
    timeout: timedelta = FETCH_TIMEOUT
    local_site: str | None = None
    """The source's site, if an operator listed it as local."""
    javascript: bool = False
    """Whether the page is known to be empty without its scripts."""
    proxied: bool = False
    """Whether a proxy is used."""
    fetcher: FetcherName | None = None
    """The first fetcher, overriding the source's."""
    source: Source | None = None
    """The requesting source.

    Its fetcher, tier and parameters decide which fetchers are used, and in which order.
    """


class Fetcher(Protocol):
    """Fetches a page: by HTTP, browser, relay or actor."""

    async def fetch(self, request: FetchRequest) -> Fetched:
        """One attempt; raises nothing but cancellation."""
        ...
