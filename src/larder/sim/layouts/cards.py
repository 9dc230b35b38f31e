"""Cards with descriptive class names and no structured data: a site that is read by declared selectors."""

from collections.abc import Mapping
from html import escape
from typing import Any

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts.document_frame import index_document, listing_document, time_element
from larder.sim.wording import SiteBrand, area, euros, listing_summary

SELECTORS: Mapping[str, Any] = {
    "index": {
        "row": "article.card",
        "fields": {
            "title": "h2 a",
            "url": "h2 a@href",
            "price": ".price",
            "platform_id": "@data-id",
            "seller": ".seller",
        },
        "next": "a.next@href",
        "total": ".count",
        "empty": ".none",
    },
    "detail": {
        "fields": {
            "title": "h1",
            "price": ".side .price",
            "platform_id": "article.advert@data-id",
            "seller": ".seller",
            "area": ".area",
            "rooms": ".rooms",
            "address": ".address",
            "description": ".description",
            "posted_at": "time.posted@datetime",
        },
    },
}

_STYLE = """
:root{--accent:#c2410c}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(15.5rem,1fr));gap:1.25rem;margin-top:1.25rem}
.card{background:#fff;border:1px solid var(--line);border-radius:.8rem;overflow:hidden;
display:flex;flex-direction:column}
.card .text{padding:.9rem 1rem 1rem;display:flex;flex-direction:column;gap:.2rem;flex:1}
.card h2{font-size:1rem;line-height:1.35;margin:0}.card h2 a{color:var(--ink)}
.card .foot{margin-top:auto;padding-top:.5rem;display:flex;justify-content:space-between;gap:.5rem}
"""


def index(brand: SiteBrand, page: ListingPage[Listing]) -> str:
    """A grid of cards."""
    grid = "\n".join(_card(brand, listing) for listing in page.rows)
    return index_document(brand, page, f'<div class="grid">\n{grid}\n</div>', style=_STYLE)


def detail(brand: SiteBrand, listing: Listing) -> str:
    """Picture and text on the left, the facts on the right."""
    home = listing.home
    body = f"""<article class="advert" data-id="{listing.platform_id}">
<div><img class="photo" src="{brand.photo(listing)}" alt="">
<h1>{escape(home.title)}</h1>
<p class="description" lang="{home.language}">{escape(home.description)}</p></div>
<aside class="side"><span class="price">{euros(listing.price)}</span> <span class="period">a month</span>
<dl class="facts"><dt>Size</dt><dd class="area">{area(listing)}</dd>
<dt>Rooms</dt><dd class="rooms">{home.rooms}</dd>
<dt>Address</dt><dd class="address">{escape(listing.address)}</dd>
<dt>Offered by</dt><dd class="seller">{escape(home.seller)}</dd>
<dt>Posted</dt><dd>{time_element(listing.posted_at, "posted")}</dd>
<dt>Ad</dt><dd>{listing.platform_id}</dd></dl></aside>
</article>"""
    return listing_document(brand, listing, body, style=_STYLE)


def _card(brand: SiteBrand, listing: Listing) -> str:
    home = listing.home
    return (
        f'<article class="card" data-id="{listing.platform_id}">'
        f'<img class="photo" src="{brand.photo(listing)}" alt="" loading="lazy">'
        f'<div class="text"><h2><a href="{brand.listing(listing)}">{escape(home.title)}</a></h2>'
        f'<span class="where">{escape(listing_summary(listing))}</span>'
        f'<span class="seller">{escape(home.seller)}</span>'
        f'<div class="foot"><span class="price">{euros(listing.price)}</span>'
        f"{time_element(listing.refreshed_at, 'when')}</div></div></article>"
    )
