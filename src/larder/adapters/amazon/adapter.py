"""Amazon product, search and bestseller pages, old layouts and new.

There is no JSON-LD. The price is in one of a dozen places that changed over the years; each list below is
in the order of trust. Scripts inside `#availability` are no words about stock.
"""

import re
from typing import Any

from larder.sdk import (
    Element,
    Extracted,
    Failed,
    FailReason,
    Item,
    Kind,
    Page,
    Reading,
    SiteAdapter,
    Source,
    Strategy,
    raw_item,
    text_of,
)
from larder.sdk.adapter import with_query
from larder.sdk.urls import join

CURRENCIES = {
    "com": "USD", "co.uk": "GBP", "de": "EUR", "fr": "EUR", "it": "EUR", "es": "EUR", "nl": "EUR",
    "ie": "EUR",
    "com.be": "EUR", "se": "SEK", "pl": "PLN", "ca": "CAD", "com.mx": "MXN", "com.br": "BRL", "co.jp": "JPY",
    "in": "INR", "com.au": "AUD", "ae": "AED", "sg": "SGD", "com.tr": "TRY",
}  # fmt: skip

_TITLES = ("#productTitle", "#ebooksProductTitle", "#title", "[data-feature-name=title] h1", "h1")
_PRICES = (
    "#corePrice_feature_div .a-price:not(.a-text-price) .a-offscreen",
    "#corePriceDisplay_desktop_feature_div .a-price:not(.a-text-price) .a-offscreen",
    "#apex_desktop .a-price:not(.a-text-price) .a-offscreen",
    "#priceblock_dealprice",
    "#priceblock_saleprice",
    "#priceblock_ourprice",
    "#price_inside_buybox",
    "#newBuyBoxPrice",
    "#kindle-price",
    "#buyNewSection .offer-price",
    "#mediaNoAccordion .header-price",
    "#tmmSwatches .selected .a-color-price",
    "#actualPriceValue",
    "#price",
    "#olp_feature_div .a-color-price",
    "#olp-upd-new .a-color-price",
    "#olp-upd-new-used a",
    "#olp_feature_div a",
    "#buybox-see-all-buying-choices",
    "#moreBuyingChoices_feature_div .a-color-price",
)
_RARE_PRICES = (
    ".swatchElement.selected .a-color-price",
    ".a-button-selected .a-color-price",
    "[id^=DigitalMusicBuyButton], [id*=dmusic] .a-color-price",
)
"""Elements without an id of their own: the whole page must be read for them."""
_PRICE_VALUES = ("#twister-plus-price-data-price@value", "#attach-base-product-price@value")
_BRANDS = (
    re.compile(r"^Visit the (.+?) Store$"),
    re.compile(r"^Besuchen? Sie den (.+?)-Store$"),
    re.compile(r"^Visiter la boutique (.+)$"),
    re.compile(r"^Visita lo Store di (.+)$"),
    re.compile(r"^Visita la tienda de (.+)$"),
    re.compile(r"^Bezoek de (.+?)-store$", re.IGNORECASE),
    re.compile(r"^(?:Brand|Marke|Marque|Marca|Merk|ブランド)\s*[:：]\s*(.+)$"),
)
_SPONSORED = re.compile(r"^\[?(?:Sponsored|Gesponsert|Sponsorisé|Sponsorizzato|Patrocinado)\]?\s*")
_ASIN = re.compile(r"/(?:dp|gp/product|gp/aw/d|product-reviews)/([A-Z0-9]{10})")
_AMOUNT = re.compile(r"\d[\d.,\s\u00a0']*")
_MONEY = re.compile(
    r"(?:[€£$￥¥₹]|EUR|USD|GBP)\s*\d[\d.,]*|\d[\d.,]*(?:[\s\u00a0]\d{3})*[\d.,]*[\s\u00a0]*(?:[€£$￥¥₹]|EUR|"
    r"USD|zł|kr|TL)"
)
_OUT = re.compile(
    r"currently unavailable|derzeit nicht verfügbar|actuellement indisponible|non disponibile|no disponible|"
    r"momenteel niet verkrijgbaar|現在在庫切れ|out of stock|nicht auf lager",
    re.IGNORECASE,
)
_BUY = (
    "#add-to-cart-button",
    "#buy-now-button",
    "#one-click-button",
    "[name^='submit.add'], [name^='submit.buy']",
)
_CARDS = (
    "[data-asin][data-component-type=s-search-result], [data-asin].s-result-item, .zg-item-immersion, "
    "[id^=gridItemRoot]"
)


class Amazon(SiteAdapter):
    """One adapter for all countries: the markup is the same, words and currency differ."""

    id, version, domain, kind = "amazon", "1.0.0", "amazon.com", Kind.PRODUCT
    strict = True
    also = tuple(f"amazon.{country}" for country in CURRENCIES if country != "com")

    def index_url(self, source: Source, page: int) -> str | None:
        """Search pages count from 1."""
        if "index_url" in source.params or page <= 1:
            return super().index_url(source, page)
        return with_query(source.url, f"page={page}")

    def read_index(self, page: Page) -> Reading:
        """The cards of a search or bestseller page."""
        if refused := _refusal(page):
            return refused
        items = [item for card in page.css(_CARDS)[:500] if (item := _card(card, page))]
        if not items:
            return Failed(reason=FailReason.PAGE_STRUCTURE_CHANGED, details="no cards")
        last = page.first(".a-pagination .a-last.a-disabled") is not None
        return Extracted(items=tuple(items), strategy=Strategy.SELECTORS, last=last or None)

    def read_detail(self, page: Page) -> Reading:
        """The product of a detail page."""
        title = _first_text(page, _TITLES)
        if not title or not page.cached(_asin):
            return _refusal(page) or Failed(reason=FailReason.TITLE_NOT_FOUND)
        return Extracted(items=(raw_item(_detail(page, title)),), strategy=Strategy.SELECTORS)


def _refusal(page: Page) -> Failed | None:
    challenge = page.first("form[action*=validateCaptcha]")
    return Failed(reason=FailReason.BLOCKED_PAGE, details="captcha") if challenge is not None else None


def _detail(page: Page, title: str) -> dict[str, Any]:
    asin = page.cached(_asin)
    return {
        "title": title,
        "price": page.cached(_price),
        "currency": page.cached(_currency),
        "availability": _availability(page),
        "sku": asin,
        "platform_id": asin,
        "brand": _brand(page),
        "rating": _rating(page),
        "review_count": _count(page),
        "category": _crumb(page),
        "images": _images(page),
        "description": _description(page),
        "url": _own_url(page),
        "seller": _seller(page),
    }


def _own_url(page: Page) -> str:
    canonical = page.markup.canonical
    return (join(page.url, canonical) if canonical and page.url else canonical) or page.url


def _asin(page: Page) -> str:
    chosen = page.parts.first("#ASIN") or page.first("input[name=ASIN][value], input[name='ASIN.0'][value]")
    match = _ASIN.search(page.url) or _ASIN.search(page.markup.canonical)
    return (chosen.attr("value") or "" if chosen is not None else "") or (match[1] if match else "")


def _price(page: Page) -> str:
    rare = _RARE_PRICES if not _OUT.search(page.cached(_stock)) else ()
    return _money_at(page, _PRICES) or _kept_price(page) or _money_at(page, rare)


def _money_at(page: Page, selectors: tuple[str, ...]) -> str:
    texts = (text_of(element) for selector in selectors for element in page.parts.css(selector)[:3])
    return next((str(money[0]) for text in texts if (money := _MONEY.findall(text))), "")


def _kept_price(page: Page) -> str:
    """The price in an attribute or hidden field, for pages that show none."""
    for declared in _PRICE_VALUES:
        selector, _, attribute = declared.partition("@")
        element = page.parts.first(selector)
        value = (element.attr(attribute) or "").strip() if element is not None else ""
        if value.strip("0.,"):
            return value
    return ""


def _currency(page: Page) -> str:
    declared = page.parts.first("#cerberus-data-metrics", "#currencyOfPreference")
    if declared is not None:
        code = declared.attr("data-asin-currency-code") or declared.attr("value") or ""
        if len(code) == 3:
            return code
    host = re.search(r"amazon\.([a-z.]+?)(?:/|$)", page.url or page.markup.canonical)
    return CURRENCIES.get(host[1], "") if host else ""


def _stock(page: Page) -> str:
    return text_of(page.parts.first("#availability")) or text_of(page.parts.first("#outOfStock"))


def _availability(page: Page) -> str:
    stock = page.cached(_stock)
    if _OUT.search(stock):
        return "OutOfStock"
    if page.parts.first(*_BUY) is not None:
        return "InStock"
    return stock if stock and not stock.startswith("P.when") else ("InStock" if page.cached(_price) else "")


def _brand(page: Page) -> str:
    line = text_of(page.parts.first("#bylineInfo")) or text_of(page.parts.first("#brand"))
    for pattern in _BRANDS:
        if match := pattern.match(line):
            return match[1].strip()
    return "" if "(" in line else line


def _rating(page: Page) -> str:
    popover = page.parts.first("#acrPopover")
    words = (popover.attr("title") if popover is not None else "") or text_of(popover)
    japanese = re.search(r"のうち\s*([\d.]+)", words)
    match = japanese or re.search(r"(\d(?:[.,]\d)?)", words)
    return match[1].replace(",", ".") if match else ""


def _count(page: Page) -> str:
    match = _AMOUNT.search(text_of(page.parts.first("#acrCustomerReviewText")))
    return re.sub(r"\D", "", match[0]) if match else ""


def _crumb(page: Page) -> str:
    links = page.parts.css("#wayfinding-breadcrumbs_feature_div a")
    return " > ".join(text_of(link) for link in links[:10])


def _images(page: Page) -> list[str]:
    main = page.parts.first("#landingImage", "#imgBlkFront", "#ebooksImgBlkFront", "#main-image")
    if main is None:
        return []
    best = main.attr("data-old-hires") or main.attr("src") or ""
    return [best] if best.startswith("http") else []


def _description(page: Page) -> str:
    bullets = [text_of(bullet) for bullet in page.parts.css("#feature-bullets li")[:20]]
    return " ".join(bullet for bullet in bullets if bullet) or text_of(
        page.parts.first("#productDescription")
    )


def _seller(page: Page) -> str:
    return text_of(page.parts.first("#sellerProfileTriggerId"))


def _first_text(page: Page, selectors: tuple[str, ...]) -> str:
    return next((text for selector in selectors if (text := text_of(page.parts.first(selector)))), "")


def _card(card: Element, page: Page) -> Item | None:
    link = card.select_one("h2 a[href], a.a-link-normal[href*='/dp/'], a[href*='/dp/']")
    title = _SPONSORED.sub("", text_of(card.select_one("h2")) or _picture_title(card) or text_of(link))
    asin = card.attr("data-asin") or _asin_of(link)
    if not asin or not title:
        return None
    price = card.select_one(
        ".a-price:not(.a-text-price) .a-offscreen, .p13n-sc-price, .a-color-price, .s-price"
    )
    return raw_item(
        {
            "title": title,
            "platform_id": asin,
            "sku": asin,
            "url": join(page.url, link.attr("href") or "") if link is not None and page.url else "",
            "price": text_of(price),
            "currency": page.cached(_currency),
        }
    )


def _picture_title(card: Element) -> str:
    picture = card.select_one("img[alt]")
    return " ".join((picture.attr("alt") or "").split()) if picture is not None else ""


def _asin_of(link: Element | None) -> str:
    match = _ASIN.search(link.attr("href") or "") if link is not None else None
    return match[1] if match else ""
