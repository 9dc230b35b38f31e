"""What a page announces in its meta tags: Open Graph's words for a product, and their usual variants."""

from larder.sdk.page import Page
from larder.sdk.urls import join
from larder.stages.parse.look import Fields, tidy

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
_CODES = ("product:retailer_item_id", "product:sku", "og:sku", "sku", "product:mfr_part_no")


def announced(page: Page) -> Fields:
    """The raw fields that meta tags hold."""
    meta = page.meta()
    image = meta.get("og:image", "")
    own = meta.get("canonical") or meta.get("og:url") or page.url
    return tidy(
        {
            **{field: _first(meta, names) for field, names in _TAGS.items()},
            "url": join(page.url, own) if page.url else own,
            "images": [join(page.url, image) or image] if image else [],
        }
    )


def announced_code(page: Page) -> str:
    """The shop's number as its meta tags have it."""
    return _first(page.meta(), _CODES)


def sells(page: Page) -> bool:
    """Do the page's meta tags name a price?"""
    return "price" in announced(page)


def _first(meta: dict[str, str], names: tuple[str, ...]) -> str:
    return next((meta[name] for name in names if meta.get(name)), "")
