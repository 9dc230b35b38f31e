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
    """The source's own, secrets included: sent to its host only."""
    user_agent: str | None = None
    jar: str | None = None
    """Whose cookies (the source's)."""
    etag: str | None = None
    last_modified: str | None = None
    timeout: timedelta = FETCH_TIMEOUT
    local_site: str | None = None
    """The source's site, if an operator listed it as local."""
    javascript: bool = False
    """It is known to be empty without its scripts."""
    proxied: bool = False
    """Through whichever proxy's turn it is."""
    fetcher: FetcherName | None = None
    """Begin with this one, whatever the source says."""
    source: Source | None = None
    """Who asks: its fetcher, tier and parameters decide which ways are taken, and in which order."""


class Fetcher(Protocol):
    """Fetches a page: by HTTP, browser, relay or actor."""

    async def fetch(self, request: FetchRequest) -> Fetched:
        """One attempt; no exception but cancellation leaves it."""
        ...
