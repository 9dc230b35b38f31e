"""What a record says after one more page.

The newest non-empty value wins. Between an index row and the record's own detail page the richer one does:
once a detail page was read, index rows speak for price, availability and seller alone; the rest of a row is
often cut short.
"""

from collections.abc import Mapping
from typing import Any

from larder.core.model.job import Purpose

SPOKEN_BY_ROWS = frozenset({"price", "price_minor", "currency", "period", "availability", "seller"})


def merge(
    known: Mapping[str, Any], said: Mapping[str, Any], *, purpose: Purpose, detailed: bool
) -> dict[str, Any]:
    """The fold of one version onto a record's content."""
    merged = dict(known)
    for field, value in said.items():
        if _empty(value):
            continue
        if purpose is Purpose.INDEX and detailed and field not in SPOKEN_BY_ROWS and field in known:
            continue
        merged[field] = value
    return merged


def _empty(value: Any) -> bool:
    return value is None or value in ("", [], {})
