"""The result of a reader of one format."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRows:
    """The rows of a document, unchanged: addresses may be relative."""

    rows: tuple[Mapping[str, Any], ...] = ()
    next_url: str = ""
    indexes: tuple[str, ...] = ()
    sitemap: bool = False
    """Whether its rows are addresses of any pages of a site."""
    cut: str = ""
