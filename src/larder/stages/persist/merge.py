"""What a record says after one more page.

The newest non-empty value wins. Between an index row and the record's own detail page the richer one does:
once a detail page was read, index rows speak for price, availability and seller alone; the rest of a row is
often cut short. A place that was found is never given up for the source's default.
"""

from collections.abc import Mapping
from typing import Any

from larder.core.model.job import Purpose

SPOKEN_BY_ROWS = frozenset({"price", "price_minor", "currency", "period", "availability", "seller"})
PLACE = frozenset({"latitude", "longitude", "coordinates_from"})
DEFAULT = "default"


def merge(
    known: Mapping[str, Any], said: Mapping[str, Any], *, purpose: Purpose, detailed: bool
) -> dict[str, Any]:
    """The fold of one version onto a record's content."""
    merged = dict(known)
    kept = PLACE if _only_guesses(known, said) else frozenset()
    for field, value in said.items():
        if _empty(value) or field in kept:
            continue
        if purpose is Purpose.INDEX and detailed and field not in SPOKEN_BY_ROWS and field in known:
            continue
        merged[field] = value
    return merged


def _only_guesses(known: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """The source's own place is said of a record whose place is known."""
    return said.get("coordinates_from") == DEFAULT and known.get("coordinates_from", DEFAULT) != DEFAULT


def _empty(value: Any) -> bool:
    return value is None or value in ("", [], {})
