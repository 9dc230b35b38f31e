"""A page without its HTML: the raw fields that reading it would give, for virtual time.

Exact for the layouts `jsonld`, `cards` and `table` (a test parses their HTML and compares); the other two are
given as `jsonld`.
"""

from typing import Any

from larder.core.model.item import Extracted, Item, NextEvidence, NextPage, Strategy
from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts import Layout
from larder.sim.wording import SiteBrand, area, decimal, euros, iso_time

_WORDED = frozenset({Layout.CARDS, Layout.TABLE})


class LayoutReader:
    """Reads one site's pages in one layout. Rows that have not changed are not made again."""

    def __init__(self, brand: SiteBrand, layout: Layout) -> None:
        self._brand = brand
        self._worded = layout in _WORDED
        self._strategy = Strategy.SELECTORS if self._worded else Strategy.JSON_LD
        self._rows: dict[str, tuple[Listing, Item]] = {}

    def index(self, page: ListingPage[Listing]) -> Extracted:
        """The items of an index page."""
        items = tuple(self._row(listing) for listing in page.rows)
        following = None
        if not page.last:
            url = self._brand.page(page.page + 1)
            following = NextPage(url=url, evidence=NextEvidence.REL, because="rel=next")
        return Extracted(
            items=items,
            strategy=self._strategy,
            last=page.last,
            next_page=following,
            advertised=page.total,
        )

    def detail(self, listing: Listing) -> Extracted:
        """The item of a listing's page."""
        fields = (
            _worded_detail(self._brand, listing) if self._worded else _marked_detail(self._brand, listing)
        )
        item = Item(fields=fields, strategy=self._strategy)
        return Extracted(items=(item,), strategy=self._strategy)

    def _row(self, listing: Listing) -> Item:
        before = self._rows.get(listing.platform_id)
        if before is not None and before[0] is listing:
            return before[1]
        row = _worded_row if self._worded else _marked_row
        item = Item(fields=row(self._brand, listing), strategy=self._strategy)
        self._rows[listing.platform_id] = listing, item
        return item


def _worded_row(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    return {
        "title": listing.home.title,
        "url": brand.listing(listing),
        "price": euros(listing.price),
        "platform_id": listing.platform_id,
        "seller": listing.home.seller,
    }


def _worded_detail(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    return {
        **_worded_row(brand, listing),
        "area": area(listing),
        "rooms": str(listing.home.rooms),
        "address": listing.address,
        "description": listing.home.description,
        "posted_at": iso_time(listing.posted_at),
    }


def _marked_row(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    return {
        "title": listing.home.title,
        "url": brand.listing(listing),
        "images": [brand.photo(listing)],
        "platform_id": listing.platform_id,
        "price": decimal(listing.price),
        "currency": "EUR",
        "availability": "InStock",
        "seller": listing.home.seller,
    }


def _marked_detail(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    home = listing.home
    return {
        **_marked_row(brand, listing),
        "description": home.description,
        "posted_at": iso_time(listing.posted_at),
        "area": area(listing),
        "rooms": str(home.rooms),
        "address": f"{home.street}, {home.postcode}, {home.city}",
        "city": home.city,
        "postcode": home.postcode,
        "latitude": repr(home.latitude),
        "longitude": repr(home.longitude),
    }
