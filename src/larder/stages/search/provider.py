"""What a search provider is asked and answers; Serper is one, others need these methods only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from larder.core.errors import Category, Transient


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One result."""

    url: str
    title: str = ""
    snippet: str = ""


class SearchLimited(Transient):
    """The rate limit is reached: ask again later."""

    def __init__(self, message: str, *, retry_after: timedelta | None = None) -> None:
        super().__init__(message, category=Category.QUOTA)
        self.retry_after = retry_after


class SearchDown(Transient):
    """It did not answer, or not with results."""

    category = Category.NETWORK


class SearchRefused(Transient):
    """It will not answer before a person acts: the key is wrong, or the credits are spent (`quota`)."""

    def __init__(self, message: str, *, quota: bool = False) -> None:
        super().__init__(message, category=Category.QUOTA)
        self.quota = quota


class SearchProvider(Protocol):
    """Searches the web."""

    @property
    def name(self) -> str:
        """Its name in the cache of answers."""
        ...

    async def search(self, query: str, *, country: str, language: str) -> Sequence[SearchHit]:
        """Results, best first; raises SearchLimited, SearchDown or SearchRefused."""
        ...
