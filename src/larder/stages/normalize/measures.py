"""Numbers that pages write as text: areas, rooms, ratings, counts. Other texts are left out."""

import math
import re
from decimal import Decimal
from typing import Any

from larder.stages.normalize.price import parse_price

SQUARE_FOOT = 0.09290304
MAX_AREA = 10_000_000.0
MAX_COUNT = 1_000
_FEET = re.compile(r"sq\.?\s?f(?:ee)?t|sqft|ft²|ft2|square f(?:ee|oo)t", re.IGNORECASE)
_STUDIO = re.compile(r"\bstudio\b", re.IGNORECASE)
_HALF = re.compile(r"\s*½")
_NUMBER = re.compile(r"\d[\d.,' \u00a0\u202f]*")


def first_number(value: Any) -> float | None:
    """The first number of a text, or the number itself."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _finite(value)
    if not isinstance(value, str):
        return None
    match = _NUMBER.search(_HALF.sub(".5", value[:200]))
    price = parse_price(match[0]) if match else None
    return _finite(price.amount) if price else None


def area_m2(value: Any) -> float | None:
    """Square metres, also from square feet."""
    area = first_number(value)
    if area is None or not 0 < area <= MAX_AREA:
        return None
    feet = isinstance(value, str) and _FEET.search(value)
    return round(area * SQUARE_FOOT, 2) if feet else area


def room_count(value: Any) -> float | int | None:
    """The number of rooms, beds or baths, as an integer if it is whole; a studio has no separate bedroom."""
    if isinstance(value, str) and _STUDIO.search(value):
        return 0
    found = first_number(value)
    if found is None or not 0 <= found <= MAX_COUNT:
        return None
    return int(found) if found == int(found) else found


def degrees(value: Any, most: float) -> float | None:
    """A latitude or longitude within its bounds."""
    try:
        angle = (
            float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
        )
    except ValueError:
        return None
    return round(angle, 6) if abs(angle) <= most else None


def _finite(value: float | Decimal) -> float | None:
    try:
        converted = float(value)
    except OverflowError:
        return None
    return converted if math.isfinite(converted) else None
