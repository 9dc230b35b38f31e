"""The library interface: one page in, its fields out, without a source or a database.

    from larder.extraction import extract

    found = extract(html, url="https://shop.example/kettle")
    found.ok, found.strategy, found.items[0]["price"]

These names are stable; docs/reference/library.md describes them.
"""

from larder.extraction.facade import Extraction, extract
from larder.extraction.trial import Attempted, Judged, Trial, try_page
from larder.sdk.urls import canonical_url, registrable_domain
from larder.stages.normalize.dates import When, parse_when
from larder.stages.normalize.price import Price, parse_price

__all__ = [
    "Attempted",
    "Extraction",
    "Judged",
    "Price",
    "Trial",
    "When",
    "canonical_url",
    "extract",
    "parse_price",
    "parse_when",
    "registrable_domain",
    "try_page",
]
