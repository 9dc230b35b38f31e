"""The values as JSON-LD beside a plain visible list: a site that needs no selectors."""

from collections.abc import Mapping
from html import escape
from typing import Any

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts.document_frame import (
    index_document,
    item_list,
    json_script,
    listing_document,
    time_element,
)
from larder.sim.wording import SiteBrand, area, decimal, euros, iso_time, listing_summary

SELECTORS: Mapping[str, Any] = {
    "index": {
        "row": "li.ad",
        "fields": {
            "title": "a.name",
            "url": "a.name@href",
            "price": ".price",
            "platform_id": "@data-ad",
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
            "seller": ".seller",
            "address": ".address",
            "description": ".story",
        },
    },
}

_STYLE = """
.ads{list-style:none;margin:1.25rem 0 0;padding:0;display:grid;gap:.7rem}
.ad{display:grid;grid-template-columns:8.5rem 1fr auto;gap:1.1rem;align-items:center;background:#fff;
border:1px solid var(--line);border-radius:.8rem;overflow:hidden;padding-right:1.25rem}
.ad .photo{height:100%;min-height:6.2rem}.ad .name{font-weight:600;color:var(--ink)}
.ad .text{padding:.7rem 0;display:grid}.ad .sum{text-align:right;display:grid}
@media(max-width:35rem){
.ad{grid-template-columns:5rem 1fr}.ad .sum{grid-column:2;text-align:left;padding-bottom:.7rem}
}
"""

_KIND = 'type="application/ld+json"'
_NEWEST_FIRST = "https://schema.org/ItemListOrderDescending"


def index(brand: SiteBrand, page: ListingPage[Listing]) -> str:
    """A list, and an ItemList that says the same."""
    rows = "\n".join(_row(brand, listing) for listing in page.rows)
    offered = item_list(page, [_offered(brand, row) for row in page.rows], itemListOrder=_NEWEST_FIRST)
    script = json_script(offered, _KIND)
    return index_document(brand, page, f'<ol class="ads">\n{rows}\n</ol>', style=_STYLE, script=script)


def detail(brand: SiteBrand, listing: Listing) -> str:
    """The advert, and the same as an apartment that is offered."""
    home = listing.home
    body = f"""<div class="advert"><section><img class="photo" src="{brand.photo(listing)}" alt="">
<h1>{escape(home.title)}</h1><p class="story" lang="{home.language}">{escape(home.description)}</p></section>
<aside class="side"><span class="price">{euros(listing.price)}</span> <span class="period">a month</span>
<dl class="facts"><dt>Where</dt><dd class="address">{escape(listing.address)}</dd>
<dt>Home</dt><dd>{area(listing)}, {home.rooms} rooms</dd>
<dt>From</dt><dd class="seller">{escape(home.seller)}</dd>
<dt>Since</dt><dd>{time_element(listing.posted_at, "posted")}</dd></dl></aside></div>"""
    script = json_script(_apartment(brand, listing), _KIND)
    return listing_document(brand, listing, body, style=_STYLE, script=script)


def _row(brand: SiteBrand, listing: Listing) -> str:
    home = listing.home
    return (
        f'<li class="ad" data-ad="{listing.platform_id}">'
        f'<img class="photo" src="{brand.photo(listing)}" alt="" loading="lazy">'
        f'<div class="text"><a class="name" href="{brand.listing(listing)}">{escape(home.title)}</a>'
        f'<span class="where">{escape(listing_summary(listing))}</span>'
        f'<span class="seller">{escape(home.seller)}</span></div>'
        f'<div class="sum"><span class="price">{euros(listing.price)}</span>'
        f"{time_element(listing.refreshed_at, 'when')}</div></li>"
    )


def _offered(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    return {
        "@type": ["Apartment", "Product"],
        "productID": listing.platform_id,
        "name": listing.home.title,
        "url": brand.listing(listing),
        "image": brand.photo(listing),
        "offers": {
            "@type": "Offer",
            "price": decimal(listing.price),
            "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock",
            "seller": {"@type": "Organization", "name": listing.home.seller},
        },
    }


def _apartment(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    home = listing.home
    return {
        "@context": "https://schema.org",
        **_offered(brand, listing),
        "description": home.description,
        "datePosted": iso_time(listing.posted_at),
        "numberOfRooms": home.rooms,
        "floorSize": {"@type": "QuantitativeValue", "value": home.area, "unitCode": "MTK"},
        "address": {
            "@type": "PostalAddress",
            "streetAddress": home.street,
            "postalCode": home.postcode,
            "addressLocality": home.city,
        },
        "geo": {"@type": "GeoCoordinates", "latitude": home.latitude, "longitude": home.longitude},
    }
