"""Web search through a provider: a query comes in, results or a typed failure go out."""

from larder.stages.search.provider import (
    SearchDown,
    SearchHit,
    SearchLimited,
    SearchProvider,
    SearchRefused,
)

__all__ = ["SearchDown", "SearchHit", "SearchLimited", "SearchProvider", "SearchRefused"]
