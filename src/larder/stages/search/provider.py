"""What a search provider is asked and answers; Serper is one, others need these methods only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from larder.core.errors import Category, ServiceLimited, ServiceRefused, Transient


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One result."""

    url: str
    title: str = ""
    snippet: str = ""


class SearchLimited(ServiceLimited):
    """The rate limit is reached."""


class SearchDown(Transient):
    """It did not answer, or not with results."""

    category = Category.NETWORK


class SearchRefused(ServiceRefused):
    """The key is wrong, or the quota is spent."""


class SearchProvider(Protocol):
    """Searches the web."""

    @property
    def name(self) -> str:
        """Its name in the cache of answers."""
        ...

    async def search(self, query: str, *, country: str, language: str) -> Sequence[SearchHit]:
        """Results, best first; raises SearchLimited, SearchDown or SearchRefused."""
        ...
