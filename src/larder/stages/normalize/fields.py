"""Converts raw fields to values, one by one. Unreadable values are left out.

`validate` decides about them.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from larder.sdk.urls import join
from larder.stages.normalize.measures import first_number
from larder.stages.normalize.text import DEFAULT_LIMIT, MAX_DESCRIPTION, MAX_TITLE, clean

MAX_IMAGES = 100
MAX_ENTRIES = 100
MAX_DEPTH = 4

_SHORT_TEXTS = (
    "brand", "seller", "address", "city", "postcode", "region", "country", "property_type",
    "floor", "condition",
    "mpn", "organiser", "shipping", "status"
)  # fmt: skip
_ADDRESS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_WEB = ("https://", "http://")
_CHECKED = frozenset({8, 12, 13, 14})

Raw = Mapping[str, Any]


def common_fields(raw: Raw, base_url: str) -> dict[str, Any]:
    """The fields that any kind of record may have."""
    found: dict[str, Any] = {name: clean(single_value(raw[name])) for name in _SHORT_TEXTS if name in raw}
    found["title"] = clean(single_value(raw.get("title") or raw.get("name")), MAX_TITLE)
    found |= {name: read(raw[name]) for name, read in _READERS.items() if name in raw}
    if "images" in raw:
        found["images"] = images(raw["images"], base_url)
    if "rating" in raw:
        found["rating"] = _rating(raw)
    return {name: value for name, value in found.items() if value not in (None, [], {})}


def single_value(value: Any) -> Any:
    """One value of a field that may be a list, a postal address or a named thing."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return next((single_value(entry) for entry in value if entry), None)
    if isinstance(value, Mapping):
        parts = [str(value[key]) for key in _ADDRESS if isinstance(value.get(key), str | int) and value[key]]
        return ", ".join(parts) or value.get("name")
    return value


def resolve_url(value: Any, base_url: str) -> str | None:
    """An absolute http(s) URL, or None."""
    text = value.strip() if isinstance(value, str) else ""
    url = join(base_url, text) if text else None
    return (
        url if url and url.startswith(_WEB) else None
    )  # what join returns is a URL: only its scheme needs a check


def images(value: Any, base_url: str) -> list[dict[str, Any]]:
    """Each image once, with its position and other known data."""
    entries = value if isinstance(value, list | tuple) else [value]
    found: dict[str, dict[str, Any]] = {}
    for entry in entries[:MAX_IMAGES]:
        raw = entry if isinstance(entry, Mapping) else {"url": entry}
        url = resolve_url(raw.get("url"), base_url)
        if url and url not in found:
            found[url] = {"url": url, "position": len(found), **_image_details(raw)}
    return list(found.values())


def _image_details(raw: Raw) -> dict[str, Any]:
    details = {
        "type": clean(raw.get("type"), 50),
        "alt": clean(raw.get("alt")),
        "width": _whole(raw.get("width")),
        "height": _whole(raw.get("height")),
    }
    return {name: value for name, value in details.items() if value is not None}


def gtin(value: Any) -> str | None:
    """A GTIN, EAN or UPC whose check digit is right; leading zeros are part of it."""
    digits = re.sub(r"[\s-]", "", clean(value) or "")
    if not (digits.isascii() and digits.isdigit() and len(digits) in _CHECKED):
        return None
    weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return digits if weighted % 10 == 0 and int(digits) else None


def identifiers(value: Any) -> dict[str, str]:
    """Typed identifiers as the page gives them: `{"mls": "…", "asin": "…"}`."""
    if not isinstance(value, Mapping):
        return {}
    pairs = ((clean(name, 50), clean(number_)) for name, number_ in list(value.items())[:MAX_ENTRIES])
    return {name: text for name, text in pairs if name and text}


def bounded_json(value: Any, depth: int = 0) -> Any:
    """A copy that is valid JSON and bounded in size."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if first_number(value) is not None and abs(value) < 2**53 else None
    if isinstance(value, str):
        return clean(value, MAX_TITLE) or ""
    if depth >= MAX_DEPTH:
        return None
    if isinstance(value, Mapping):
        pairs = list(value.items())[:MAX_ENTRIES]
        return {name: bounded_json(entry, depth + 1) for key, entry in pairs if (name := clean(key, 100))}
    if isinstance(value, list | tuple):
        return [bounded_json(entry, depth + 1) for entry in value[:MAX_ENTRIES]]
    return None


def _rating(raw: Raw) -> float | None:
    """The rating out of five, whatever the page's scale."""
    rating, best = first_number(raw.get("rating")), first_number(raw.get("rating_best")) or 5.0
    if rating is None or not 0 <= rating <= best:
        return None
    return round(rating * 5 / best, 2)


def _people(value: Any) -> int | None:
    """How many people are interested, according to the page: 1,204 or "87 going"."""
    match = re.search(r"\d[\d.,\s]{0,12}", str(single_value(value) or ""))
    return min(int(re.sub(r"\D", "", match[0])), 2**31 - 1) if match else None


def _whole(value: Any) -> int | None:
    found = first_number(value)
    return int(found) if found is not None and 0 <= found < 2**31 else None


_READERS: dict[str, Callable[[Any], Any]] = {
    "description": lambda value: clean(single_value(value), MAX_DESCRIPTION),
    "platform_id": lambda value: clean(value, DEFAULT_LIMIT + 1),
    "sku": lambda value: clean(value, DEFAULT_LIMIT + 1),
    "gtin": gtin,
    "identifiers": identifiers,
    "metadata": lambda value: bounded_json(value) if isinstance(value, Mapping) else None,
    "review_count": _whole,
    "interested": _people,
}
