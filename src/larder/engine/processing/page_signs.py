"""Reads the signs of a record from the page of a check: address, headings, identifiers, text."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.policy.trust.record_evidence import PageSigns, RecordSigns
from larder.sdk.page import Page, text_of
from larder.sdk.urls import canonical_url, join

HEADINGS = "title, h1, h2"
MAX_HEADINGS = 40
IDENTIFIERS = (
    "[itemprop=sku], [itemprop=productID], [data-id], [data-product-id], [data-listing-id], [data-sku]"
)
MAX_ELEMENTS = 200
_ID_ATTRIBUTES = ("content", "data-id", "data-product-id", "data-listing-id", "data-sku")
_ID_NAMES = ("sku", "productID", "identifier", "mpn")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


def record_signs(url: str, signs: Mapping[str, Any]) -> RecordSigns:
    """The signs of a record that the job of a check carries."""
    price = signs.get("price")
    return RecordSigns(
        url=canonical_url(url),
        title=signs.get("title") or "",
        identifier=signs.get("id") or "",
        price=None if price is None else Decimal(price),
    )


def page_signs(page: Page) -> PageSigns:
    """The signs of a page, for checks of records."""
    meta = page.meta()
    headings = [text_of(node) for node in page.css(HEADINGS)[:MAX_HEADINGS]]
    return PageSigns(
        headings=[*headings, meta.get("og:title", ""), meta.get("twitter:title", "")],
        text=page.visible,
        data=_script_data(page),
        addresses={*_own_addresses(page, meta)},
        identifiers={*_own_identifiers(page)} - {""},
    )


def text_hash(fetched: Fetched) -> str:
    """A hash of the page's visible text; empty if no page came."""
    if fetched.outcome is not FetchOutcome.OK:
        return ""
    if fetched.payload is not None:
        return _hash(repr(fetched.payload))
    if not fetched.body.strip():
        return ""
    page = Page(fetched.final_url, fetched.body, content_type=fetched.headers.get("content-type"))
    return _hash(page.visible or page.text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _script_data(page: Page) -> str:
    json_text = " ".join(script.text for script in page.scripts if "json" in script.attribute("type").lower())
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), json_text)


def _own_addresses(page: Page, meta: Mapping[str, str]) -> Iterator[str]:
    for name in ("canonical", "og:url"):
        address = join(page.base, meta[name]) if name in meta else None
        try:
            yield canonical_url(address or "")
        except BadInput:
            continue


def _own_identifiers(page: Page) -> Iterator[str]:
    for node in page.css(IDENTIFIERS)[:MAX_ELEMENTS]:
        yield from ((node.attr(name) or "").strip() for name in _ID_ATTRIBUTES)
        yield text_of(node) if node.attr("itemprop") else ""
    for thing in page.json_ld()[:MAX_ELEMENTS]:
        yield from (str(thing[name]) for name in _ID_NAMES if isinstance(thing.get(name), str | int))
