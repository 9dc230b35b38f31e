"""Larder keeps a live, trustworthy copy of things on other people's websites.

What a program may use without a Larder of its own is named here; it is imported when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from larder.dataset import open  # noqa: A004 - it is called larder.open
    from larder.extraction import extract
    from larder.sdk.urls import canonical_url, registrable_domain
    from larder.stages.fetch.robots.policy import robots_allows, robots_crawl_delay
    from larder.stages.normalize.dates import parse_when
    from larder.stages.normalize.price import parse_price

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "canonical_url",
    "extract",
    "open",
    "parse_price",
    "parse_when",
    "registrable_domain",
    "robots_allows",
    "robots_crawl_delay",
]

_HOMES = {
    "canonical_url": "larder.sdk.urls",
    "extract": "larder.extraction",
    "open": "larder.dataset",
    "parse_price": "larder.stages.normalize.price",
    "parse_when": "larder.stages.normalize.dates",
    "registrable_domain": "larder.sdk.urls",
    "robots_allows": "larder.stages.fetch.robots.policy",
    "robots_crawl_delay": "larder.stages.fetch.robots.policy",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
