"""Attributes of a trade that an adapter read (calibre, roast, frame size …), and costs per unit.

They never replace a field that any record may have; names and values are bounded, because pages contain
anything.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from larder.stages.normalize.fields import MAX_ENTRIES
from larder.stages.normalize.measures import first_number
from larder.stages.normalize.text import MAX_TITLE, clean

COST = "cost_per_"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RESERVED = frozenset({
    "address", "availability", "brand", "category", "city", "currency", "description", "gtin", "identifiers",
    "images", "interested", "latitude", "longitude", "metadata", "mpn", "period", "platform_id", "postcode",
    "price", "price_minor", "rating", "region", "review_count", "seller", "sku", "tax_included",
    "title", "url",
})  # fmt: skip


def own_attributes(declared: Any) -> dict[str, Any]:
    """The raw field `attributes`: texts, numbers and booleans, by a name that no other field has."""
    pairs = list(declared.items())[:MAX_ENTRIES] if isinstance(declared, Mapping) else []
    known = ((str(name), _value(value)) for name, value in pairs if str(name) not in _RESERVED)
    return {name: value for name, value in known if _NAME.fullmatch(name) and value is not None}


def unit_costs(price: str, counts: Any) -> dict[str, str]:
    """The costs per unit, to a tenth of a cent, from the raw field `cost_per`, such as `{"round": 20}`."""
    pairs = list(counts.items())[:MAX_ENTRIES] if isinstance(counts, Mapping) else []
    return {
        f"{COST}{unit}": str((Decimal(price) / count).quantize(Decimal("0.001")))
        for unit, count in pairs
        if _NAME.fullmatch(str(unit)) and isinstance(count, int) and 0 < count < 10**9
    }


def _value(value: Any) -> str | int | float | bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if first_number(value) is not None and abs(value) < 2**53 else None
    return clean(value, MAX_TITLE) if isinstance(value, str) else None
