"""What a reader of one format gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRows:
    """The rows of a document as it writes them: addresses may be relative."""

    rows: tuple[Mapping[str, Any], ...] = ()
    next_url: str = ""
    indexes: tuple[str, ...] = ()
    sitemap: bool = False
    """Its rows are addresses of whatever a site has."""
    cut: str = ""
