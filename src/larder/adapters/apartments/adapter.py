"""apartments.com: pages, and the items of the actors that read them for us.

Traps kept here and nowhere else: the shown price is the total a month, `data-maxrent` only the base rent; on
houses the price is where the name should; a placeholder unit ("Unit SI ID1607372P") is no name. The site
refuses plain clients: most sources get actor items.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from larder.adapters.apartments.actor import UNKNOWN, read_row
from larder.sdk import (
    Dropped,
    Element,
    Extracted,
    Failed,
    FailReason,
    Item,
    Kind,
    Page,
    Quarantined,
    QuarantineReason,
    Reading,
    SiteAdapter,
    Source,
    Strategy,
    dict_or_empty,
    list_or_empty,
    raw_item,
    text_of,
)
from larder.sdk.urls import join

_PLACEHOLDER = re.compile(r"\s*\bUnit SI ID\w+", re.IGNORECASE)
_LABELS = {"Bedrooms": "beds", "Bathrooms": "baths", "Square Feet": "area", "Monthly Rent": "price"}
_MONEY = re.compile(r"\$[\d,]+")


class Apartments(SiteAdapter):
    """Search and property pages, and actor items of both generations."""

    id, version, domain, kind = "apartments", "1.0.0", "apartments.com", Kind.LISTING

    def market_url(self, city: str, state: str) -> str:
        """A market is named by its city and the two letters of its state."""
        name = re.sub(r"[^a-z0-9]+", "-", f"{city} {state}".lower()).strip("-")
        return f"https://www.apartments.com/{name}/"

    def index_url(self, source: Source, page: int) -> str | None:
        """Search pages count in the path."""
        if "index_url" in source.params or page <= 1:
            return super().index_url(source, page)
        return f"{source.url.rstrip('/')}/{page}/"

    def read_index(self, page: Page) -> Reading:
        """The placards of a search page, or an actor's dataset."""
        rows = page.json()
        if isinstance(rows, list):
            return self.read_payload(rows)
        placards = page.css("article.placard[data-listingid]")
        if not placards:
            return Failed(reason=FailReason.SELECTOR_NOT_FOUND, details="article.placard")
        items = tuple(raw_item(_placard(placard, page)) for placard in placards)
        return Extracted(items=items, strategy=Strategy.SELECTORS, last=_is_last(page))

    def read_detail(self, page: Page) -> Reading:
        """The property of a detail page."""
        main = page.first("main[data-listingid], [data-listingid]#profileApp")
        if main is None:
            return Failed(reason=FailReason.PAGE_STRUCTURE_CHANGED, details="main[data-listingid]")
        return Extracted(items=(raw_item(_property(main, page)),), strategy=Strategy.SELECTORS)

    def read_payload(self, rows: Sequence[Mapping[str, Any]]) -> Reading:
        """Actor items, one a rentable unit where the actor tells units apart."""
        items = [Item(fields=fields, strategy="actor") for row in rows for fields in read_row(row)]
        return Extracted(items=tuple(items), strategy="actor")

    def normalize(self, item: Item) -> Item | Dropped | Quarantined:
        """A demo item or one of an unknown shape is for a person to look at."""
        if UNKNOWN in item.fields:
            return Quarantined(
                reason=QuarantineReason.VALIDATION_FAILED, item=item, details=str(item.fields[UNKNOWN])
            )
        return item


def _placard(placard: Element, page: Page) -> dict[str, Any]:
    link = placard.select_one("a.property-link[href]")
    title = _PLACEHOLDER.sub("", text_of(placard.select_one(".property-title, .js-placardTitle")))
    address = text_of(placard.select_one(".property-address")) or title
    return {
        "platform_id": placard.attr("data-listingid"),
        "url": join(page.url, link.attr("href") or "") if link is not None else "",
        "title": title or address,
        "address": address,
        "price": text_of(placard.select_one(".priceTextBox, p.property-pricing, .property-rents")),
        "currency": "USD",
        "period": "month",
        **_beds_and_baths(text_of(placard.select_one(".bedTextBox, p.property-beds"))),
    }


def _beds_and_baths(text: str) -> dict[str, str]:
    beds = re.search(r"studio|\d+(?=\s*(?:bed|bd))", text, re.IGNORECASE)
    baths = re.search(r"[\d.]+(?=\s*(?:bath|ba\b))", text, re.IGNORECASE)
    return {"beds": beds[0] if beds else "", "baths": baths[0] if baths else ""}


def _property(main: Element, page: Page) -> dict[str, Any]:
    node = _listing_node(page)
    place = dict_or_empty(node.get("mainEntity"))
    address, geo = dict_or_empty(place.get("address")), dict_or_empty(place.get("geo"))
    values = _shown(main)
    name = text_of(main.select_one("#propertyName"))
    street = text_of(main.select_one(".delivery-address h1, .delivery-address"))
    return {
        **values,
        "platform_id": main.attr("data-listingid"),
        "url": page.meta().get("canonical") or page.url,
        "title": street if _MONEY.match(name) else name or node.get("name"),
        "price": name if _MONEY.match(name) else values.get("price") or _rent(main),
        "currency": "USD",
        "period": "month",
        "address": address.get("streetAddress") or street,
        "city": address.get("addressLocality"),
        "region": address.get("addressRegion"),
        "postcode": address.get("postalCode"),
        "latitude": geo.get("latitude"),
        "longitude": geo.get("longitude"),
        "description": node.get("description") or text_of(main.select_one("#descriptionSection p")),
        "images": [dict_or_empty(image).get("url") for image in list_or_empty(place.get("image"))],
        "metadata": _metadata(main),
    }


def _shown(main: Element) -> dict[str, str]:
    """The row of facts under the name."""
    facts: dict[str, str] = {}
    for column in main.select(".priceBedRangeInfo li")[:10]:
        label, value = (
            text_of(column.select_one(".rentInfoLabel")),
            text_of(column.select_one(".rentInfoDetail")),
        )
        if label in _LABELS:
            facts[_LABELS[label]] = value
        elif label == "Available":
            facts["available_from"] = value.removeprefix("Available").strip()
    return facts


def _rent(main: Element) -> str:
    """The lowest rent of the pricing grid, tabs repeated or not."""
    return text_of(main.select_one("#pricingView .pricingGridItem .rentLabel"))


def _metadata(main: Element) -> dict[str, Any]:
    amenities = dict.fromkeys(text_of(label) for label in main.select(".amenityLabel, li.specInfo")[:200])
    built = re.search(r"Built in (\d{4})", text_of(main.select_one("#feesSection, #profileV2FeesWrapper")))
    deposit = re.search(r"\$[\d,]+(?= deposit)", text_of(main.select_one(".leaseDepositLabel")))
    lease = re.search(r"\d+ Month Lease", text_of(main.select_one(".leaseDepositLabel")))
    found = {
        "amenities": list(amenities),
        "year_built": built[1] if built else None,
        "deposit": deposit[0] if deposit else None,
        "lease": lease[0] if lease else None,
    }
    return {name: value for name, value in found.items() if value}


def _listing_node(page: Page) -> dict[str, Any]:
    return next((node for node in page.json_ld() if "RealEstateListing" in str(node.get("@type"))), {})


def _is_last(page: Page) -> bool | None:
    return None if page.first("nav#paging") is None else page.first("nav#paging a.next") is None
