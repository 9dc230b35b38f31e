"""Reads product fields from meta tags: Open Graph's product properties and common variants."""

import re

from larder.sdk.page import Page
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.amounts import rough_amount
from larder.stages.parse.extraction_task import Fields

_TAGS = {
    "price": (
        "product:sale_price:amount", "product:price:amount", "og:price:amount", "price", "og:price",
    ),
    "currency": ("product:price:currency", "og:price:currency", "pricecurrency"),
    "availability": ("product:availability", "og:availability", "availability"),
    "brand": ("product:brand", "og:brand", "brand"),
    "description": ("og:description", "description"),
    "gtin": ("product:ean", "product:gtin", "product:upc", "og:upc", "og:ean"),
}  # fmt: skip
_LABELS = {
    "price": re.compile(r"price|prix|preis|prijs|precio|preço|prezzo|cena", re.IGNORECASE),
    "availability": re.compile(r"availab|verfüg|dispon|voorraad|stock", re.IGNORECASE),
}
_CODES = ("product:retailer_item_id", "product:sku", "og:sku", "sku", "product:mfr_part_no")


def meta_fields(page: Page) -> Fields:
    """The raw fields in meta tags."""
    meta = {**_twitter_card_fields(page.meta()), **page.meta()}
    image = meta.get("og:image", "")
    own = meta.get("canonical") or meta.get("og:url") or page.url
    return without_empty(
        {
            **{field: _first(meta, names) for field, names in _TAGS.items()},
            "url": join(page.url, own) if page.url else own,
            "images": [join(page.url, image) or image] if image else [],
        }
    )


def _twitter_card_fields(meta: dict[str, str]) -> dict[str, str]:
    """Labelled values of a Twitter card: `twitter:label1` is the name, `twitter:data1` the value."""
    labels = ((meta.get(f"twitter:label{at}", ""), meta.get(f"twitter:data{at}", "")) for at in (1, 2))
    found = (
        (field, value) for label, value in labels for field, word in _LABELS.items() if word.search(label)
    )
    return dict(found)


def meta_product_code(page: Page) -> str:
    """The shop's product number in meta tags."""
    return _first(page.meta(), _CODES)


_SALE_AND_LIST_TAGS = (
    "sale_price:amount",
    "standard_amount",
    "original_price:amount",
    "regular_price:amount",
)
_SALE_AND_LIST_BYTES = (b"_price:amount", b"standard_amount")
"""Texts of which a page with both prices has at least one: fast to search."""
_AMOUNT_BYTES = b"amount"
HEAD_BYTES = 200_000


def sale_price(page: Page, price: str) -> str:
    """The selling price, if a page states it beside the list price of its markup; else empty."""
    if page.unscripted.find(_AMOUNT_BYTES, 0, HEAD_BYTES) < 0:
        return ""
    if not any(page.unscripted.find(name, 0, HEAD_BYTES) >= 0 for name in _SALE_AND_LIST_BYTES):
        return ""
    meta = page.meta()
    listed = {
        rough_amount(value)
        for name, value in meta.items()
        if name.endswith(_SALE_AND_LIST_TAGS[1:]) or name in _LISTED
    }
    sold = next((meta[name] for name in _TAGS["price"] if meta.get(name)), "")
    return (
        sold
        if sold and rough_amount(price) in listed and 0 < rough_amount(sold) < rough_amount(price)
        else ""
    )


_LISTED = frozenset({"product:price:amount", "og:price:amount"})


def _first(meta: dict[str, str], names: tuple[str, ...]) -> str:
    return next((meta[name] for name in names if meta.get(name)), "")
