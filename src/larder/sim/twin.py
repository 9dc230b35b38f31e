"""A page without its HTML: the raw fields that reading it would give, for virtual time.

Exact for the layouts `jsonld`, `cards` and `table` (a test parses their HTML and compares); the other two are
given as `jsonld` is.
"""

from typing import Any

from larder.core.model.item import Extracted, Item, Strategy
from larder.sim.classifieds import IndexPage
from larder.sim.layouts import Layout
from larder.sim.shown import Shop, area, decimal, iso, money
from larder.sim.truth import Listing

_WORDED = frozenset({Layout.CARDS, Layout.TABLE})


def read_index(shop: Shop, layout: Layout, page: IndexPage) -> Extracted:
    """What an index page says."""
    strategy = _strategy(layout)
    row = _worded_row if layout in _WORDED else _marked_row
    items = tuple(Item(fields=row(shop, listing), strategy=strategy) for listing in page.rows)
    return Extracted(items=items, strategy=strategy, last=page.last, advertised=page.total)


def read_detail(shop: Shop, layout: Layout, listing: Listing) -> Extracted:
    """What a listing's page says."""
    strategy = _strategy(layout)
    fields = _worded_detail(listing) if layout in _WORDED else _marked_detail(shop, listing)
    return Extracted(items=(Item(fields=fields, strategy=strategy),), strategy=strategy)


def _strategy(layout: Layout) -> Strategy:
    return Strategy.SELECTORS if layout in _WORDED else Strategy.JSON_LD


def _worded_row(shop: Shop, listing: Listing) -> dict[str, Any]:
    return {
        "title": listing.home.title,
        "url": shop.listing(listing),
        "price": money(listing.price),
        "platform_id": listing.platform_id,
        "seller": listing.home.seller,
    }


def _worded_detail(listing: Listing) -> dict[str, Any]:
    return {
        "title": listing.home.title,
        "price": money(listing.price),
        "platform_id": listing.platform_id,
        "seller": listing.home.seller,
        "area": area(listing),
        "rooms": str(listing.home.rooms),
        "address": listing.address,
        "description": listing.home.description,
        "posted_at": iso(listing.posted_at),
    }


def _marked_row(shop: Shop, listing: Listing) -> dict[str, Any]:
    return {
        "title": listing.home.title,
        "url": shop.listing(listing),
        "images": [shop.photo(listing)],
        "platform_id": listing.platform_id,
        "price": decimal(listing.price),
        "currency": "EUR",
        "availability": "InStock",
        "seller": listing.home.seller,
    }


def _marked_detail(shop: Shop, listing: Listing) -> dict[str, Any]:
    home = listing.home
    return {
        **_marked_row(shop, listing),
        "description": home.description,
        "posted_at": iso(listing.posted_at),
        "area": area(listing),
        "rooms": str(home.rooms),
        "address": f"{home.street}, {home.postcode}, {home.city}",
        "city": home.city,
        "postcode": home.postcode,
        "latitude": repr(home.latitude),
        "longitude": repr(home.longitude),
    }
