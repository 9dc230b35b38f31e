"""The visible values marked up as schema.org microdata."""

from collections.abc import Mapping
from html import escape
from typing import Any

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts.document_frame import index_document, listing_document, time_element
from larder.sim.wording import SiteBrand, area, decimal, euros, listing_summary

SELECTORS: Mapping[str, Any] = {
    "index": {
        "row": "section.tile",
        "fields": {
            "title": "[itemprop=name]",
            "url": "a[itemprop=url]@href",
            "price": ".price",
            "platform_id": "[itemprop=productID]@content",
            "seller": ".seller",
        },
        "next": "a.next@href",
        "total": ".count",
        "empty": ".none",
    },
    "detail": {
        "fields": {
            "title": "h1",
            "price": ".price",
            "platform_id": "[itemprop=productID]",
            "seller": ".seller",
            "area": ".size",
            "description": "[itemprop=description]",
        },
    },
}

_STYLE = """
:root{--accent:#6d28d9}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(21rem,1fr));gap:1rem;margin-top:1.25rem}
.tile{background:#fff;border-left:4px solid var(--accent);border-radius:.4rem;padding:.9rem 1.1rem;
box-shadow:0 1px 3px rgb(31 41 51/.12)}
.tile h2{font-size:1rem;margin:0 0 .3rem}.tile p{margin:0}
.split{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}
"""

_SCHEMA = "https://schema.org"


def index(brand: SiteBrand, page: ListingPage[Listing]) -> str:
    """Tiles, each a product that is offered."""
    tiles = "\n".join(_tile(brand, listing) for listing in page.rows)
    return index_document(brand, page, f'<div class="tiles">\n{tiles}\n</div>', style=_STYLE)


def detail(brand: SiteBrand, listing: Listing) -> str:
    """The page of one product."""
    home = listing.home
    body = f"""<div class="advert" itemscope itemtype="{_SCHEMA}/Product">
<div><img class="photo" itemprop="image" src="{brand.photo(listing)}" alt="">
<h1 itemprop="name">{escape(home.title)}</h1>
<p itemprop="description" lang="{home.language}">{escape(home.description)}</p></div>
<aside class="side">{_offer(listing)}
<dl class="facts"><dt>Size</dt><dd class="size">{area(listing)}</dd><dt>Rooms</dt><dd>{home.rooms}</dd>
<dt>Where</dt><dd>{escape(listing.address)}</dd>
<dt>Since</dt><dd>{time_element(listing.posted_at, "posted")}</dd>
<dt>Ad</dt><dd itemprop="productID">{listing.platform_id}</dd></dl>
<link itemprop="url" href="{brand.listing(listing)}"></aside>
</div>"""
    return listing_document(brand, listing, body, style=_STYLE)


def _tile(brand: SiteBrand, listing: Listing) -> str:
    home = listing.home
    return (
        f'<section class="tile" itemscope itemtype="{_SCHEMA}/Product">'
        f'<meta itemprop="productID" content="{listing.platform_id}">'
        f'<h2><a itemprop="url" href="{brand.listing(listing)}">'
        f'<span itemprop="name">{escape(home.title)}</span></a></h2>'
        f'<p class="split"><span class="where">{escape(listing_summary(listing))}</span>'
        f"{time_element(listing.refreshed_at, 'when')}</p>{_offer(listing)}</section>"
    )


def _offer(listing: Listing) -> str:
    return (
        f'<div class="split" itemprop="offers" itemscope itemtype="{_SCHEMA}/Offer">'
        f'<span class="price" itemprop="price" content="{decimal(listing.price)}">'
        f"{euros(listing.price)}</span>"
        '<meta itemprop="priceCurrency" content="EUR">'
        f'<link itemprop="availability" href="{_SCHEMA}/InStock">'
        f'<span class="seller" itemprop="seller" itemscope itemtype="{_SCHEMA}/Organization">'
        f'<span itemprop="name">{escape(listing.home.seller)}</span></span></div>'
    )
