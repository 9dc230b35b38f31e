"""A value of every field of a source, as people write it and as it is stored."""

from typing import Any

BEFORE: dict[str, Any] = {
    "url": "https://goods.test/list", "slug": "goods", "kind": "product", "adapter": "product",
}  # fmt: skip
WRITTEN: dict[str, str] = {
    "url": "https://goods.test/all", "feed_url": "https://goods.test/feed.xml",
    "name": "Goods", "kind": "product", "adapter": "product",
    "params": "city: Utrecht\nlimit: 5", "plan": "monitor", "tier": "hot", "cadence_hours": "3.5",
    "policy": "verification_every: 7200", "enabled": "false", "needs_review": "true",
    "max_items_per_run": "40", "max_pages": "4", "fetcher": "browser", "place": "52.09, 5.12",
    "latitude": "52.09", "longitude": "5.12", "tz": "Europe/Vienna", "language": "de", "currency": "EUR",
    "visibility": "public", "upc_trusted": "true", "reenables_itself": "true",
}  # fmt: skip
STORED: dict[str, Any] = {
    "url": "https://goods.test/all", "feed_url": "https://goods.test/feed.xml",
    "name": "Goods", "kind": "product", "adapter": "product",
    "params": {"city": "Utrecht", "limit": 5}, "plan": "monitor", "tier": "hot", "cadence_hours": 3.5,
    "policy": {"verification_every": 7200.0}, "enabled": 0, "needs_review": 1, "max_items_per_run": 40,
    "max_pages": 4, "fetcher": "browser", "latitude": 52.09, "longitude": 5.12, "tz": "Europe/Vienna",
    "language": "de", "currency": "EUR", "visibility": "public", "upc_trusted": 1, "reenables_itself": 1,
}  # fmt: skip
DEFAULTS: dict[str, Any] = {
    "url": "https://goods.test/all", "feed_url": None,
    "name": None, "kind": "product", "adapter": "product", "params": None,
    "plan": "index", "tier": "standard", "cadence_hours": None, "policy": None, "enabled": 1,
    "needs_review": 0, "max_items_per_run": None, "max_pages": None, "fetcher": "http", "latitude": None,
    "longitude": None, "tz": "UTC", "language": "en", "currency": None, "visibility": "hidden",
    "upc_trusted": 0, "reenables_itself": 0,
}  # fmt: skip
KEPT = ("url", "kind", "adapter")
"""What a source cannot be without: the samples change it, and do not remove it."""
