"""sgammo.com: a WooCommerce shop with a theme of its own.

Traps kept here and nowhere else: the JSON-LD names the shop as brand and has no tiers; fifteen amounts on one
page (tiers, per round, related products); a related row may have lost its table; a page out of stock still
shows its price.
"""

import re
from typing import Any

from larder.adapters.sgammo.ammunition import ammunition
from larder.sdk import (
    Element,
    Extracted,
    Failed,
    FailReason,
    Kind,
    Page,
    Reading,
    SiteAdapter,
    Source,
    Strategy,
    raw_item,
    text_of,
)
from larder.sdk.urls import join

_PRODUCT = "div.sgammo-content-single-product"
_RIGHT = ".sgammo-content-single-product__details__right"
_ROW = "tr.sgammo-content-product-item, .sgammo-content-product-item"
_BRANDS = (
    "Aguila", "Armscor", "Barnaul", "Barnes", "Black Hills", "Blazer", "Browning", "CCI", "Colt", "Federal",
    "Fiocchi", "Geco", "Hornady", "HSM", "IMI", "Igman", "Lapua", "Magtech", "MAXXTech", "Norma", "PMC",
    "Prvi Partizan", "PPU", "Remington", "Red Army Standard", "Rio", "RWS", "Sellier & Bellot",
    "Sellier and Bellot", "SIG Sauer", "Speer", "Sterling", "STV", "Swiss P", "Tula", "TulAmmo", "Turan",
    "Underwood", "Weatherby", "Winchester", "Wolf", "ZSR",
)  # fmt: skip
_BRAND = re.compile(rf"\b({'|'.join(re.escape(name) for name in _BRANDS)})\b", re.IGNORECASE)
_MPN = re.compile(r"-\s*([A-Z0-9][A-Z0-9.-]{2,})\s*$", re.IGNORECASE)
_TIER = re.compile(r"(\d+)\s*(?:\+|or more)", re.IGNORECASE)
_TIER_BEFORE = re.compile(r"(\d+)\s*\+\s*@?\s*$")
_MONEY = re.compile(r"\$\s?[\d,]+(?:\.\d+)?")
_SKU = re.compile(r"SKU:\s*(.+?)\s*$", re.IGNORECASE)
_POST = re.compile(r"(?:post|product)-(\d+)")


class Sgammo(SiteAdapter):
    """Category lists and product pages."""

    id, version, domain, kind = "sgammo", "1.1.0", "sgammo.com", Kind.PRODUCT
    strict = True

    def index_url(self, source: Source, page: int) -> str | None:
        """WooCommerce counts in the path."""
        if "index_url" in source.params or page <= 1:
            return super().index_url(source, page)
        return f"{source.url.rstrip('/')}/page/{page}/"

    def read_index(self, page: Page) -> Reading:
        """The rows of a category."""
        rows = [
            row for row in page.css(_ROW) if row.select_one(".sgammo-content-product-item__title") is not None
        ]
        if not rows:
            return Failed(reason=FailReason.SELECTOR_NOT_FOUND, details=_ROW)
        last = page.first("a.next, .woocommerce-pagination .next") is None
        return Extracted(
            items=tuple(raw_item(_row(row, page)) for row in rows), strategy=Strategy.SELECTORS, last=last
        )

    def read_detail(self, page: Page) -> Reading:
        """The product of a detail page."""
        product = page.first(_PRODUCT)
        if product is None:
            return Failed(reason=FailReason.SELECTOR_NOT_FOUND, details=_PRODUCT)
        title = _plain(text_of(product.select_one("h1")))
        if not title:
            return Failed(reason=FailReason.TITLE_NOT_FOUND)
        return Extracted(items=(raw_item(_detail(product, title, page)),), strategy=Strategy.SELECTORS)


def _detail(product: Element, title: str, page: Page) -> dict[str, Any]:
    picture = product.select_one("img[src]")
    return {
        **_from_title(title),
        "title": title,
        "url": page.meta().get("canonical") or page.url,
        "price": _prices(product),
        "currency": "USD",
        "availability": _stock(product),
        "sku": _sku(text_of(product.select_one(f"{_RIGHT}__sku"))),
        "platform_id": _post_id(product),
        "images": [join(page.url, picture.attr("src") or "")] if picture is not None else [],
        "category": text_of(_last(product.select(f"{_RIGHT}__categories a"))),
        "description": text_of(product.select_one(".sgammo-content-single-product__product-description")),
        "metadata": {
            "weight": text_of(product.select_one(".woocommerce-product-attributes td")),
            "not_shipped_to": text_of(product.select_one(f"{_RIGHT}__disallowed-states-stmt")),
        },
    }


def _prices(product: Element) -> list[dict[str, Any]]:
    """The price of one, and the tiers beside it."""
    elements = product.select(f"{_RIGHT}__price .woocommerce-Price-amount")
    candidates: list[dict[str, Any]] = [_candidate(amount) for amount in elements[:4]]
    for row in product.select(f"table{_RIGHT}__qty-discounts-table tr")[:20]:
        tier, money = _TIER.search(text_of(row)), _MONEY.search(text_of(row))
        if tier and money:
            candidates.append({"text": money[0], "quantity": int(tier[1])})
    return candidates


def _candidate(amount: Element) -> dict[str, Any]:
    struck = amount.closest("del, s") is not None
    return {"text": text_of(amount), "quantity": 1, **({"struck": True} if struck else {})}


def _row(row: Element, page: Page) -> dict[str, Any]:
    link = row.select_one(".sgammo-content-product-item__title a[href]")
    title = _plain(text_of(row.select_one(".sgammo-content-product-item__title")))
    text = text_of(row.select_one(".sgammo-content-product-item__col-price")) or text_of(row)
    sku = next((found for cell in row.select("div") if (found := _sku(text_of(cell)))), "")
    return {
        **_from_title(title),
        "title": title,
        "url": join(page.url, link.attr("href") or "") if link is not None else "",
        "price": _row_prices(text),
        "currency": "USD",
        "availability": _stock(row),
        "sku": sku,
        "platform_id": _post_id(row),
    }


def _row_prices(text: str) -> list[dict[str, Any]]:
    """`$26.95 Each 10+ @$24.95 ($1.35 Per Round)`."""
    candidates: list[dict[str, Any]] = []
    for money in _MONEY.finditer(text):
        tier = _TIER_BEFORE.search(text[: money.start()])
        per_round = text[money.end() : money.end() + 12].lower().lstrip().startswith("per")
        quantity = None if per_round else int(tier[1]) if tier else 1
        candidates.append({"text": money[0], "quantity": quantity, "per_unit": per_round})
    return candidates


def _stock(element: Element) -> str:
    stock = element.select_one("p.stock")
    names = f"{element.attr('class') or ''} {(stock.attr('class') or '') if stock is not None else ''}"
    if "outofstock" in names or "out-of-stock" in names:
        return "OutOfStock"
    return "InStock" if "instock" in names or "in-stock" in names else text_of(stock)


def _sku(text: str) -> str:
    match = _SKU.search(text) if len(text) < 80 else None
    return match[1] if match else ""


def _post_id(element: Element) -> str:
    match = _POST.search(f"{element.attr('id') or ''} {element.attr('class') or ''}")
    return match[1] if match else ""


def _from_title(title: str) -> dict[str, Any]:
    """Maker, part number and what a box holds: the markup has none of them."""
    brand, part, attributes = _BRAND.search(title), _MPN.search(title), ammunition(title)
    return {
        "brand": brand[1] if brand else "",
        "mpn": part[1] if part else "",
        "attributes": attributes,
        "cost_per": {"round": attributes["rounds"]} if "rounds" in attributes else {},
    }


def _plain(title: str) -> str:
    """The shop's own hyphens, which its theme turns into dashes."""
    return title.replace("–", "-")


def _last(elements: list[Element]) -> Element | None:
    return elements[-1] if elements else None
