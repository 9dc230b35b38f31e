"""Converts schema.org nodes (JSON-LD and microdata alike) to raw fields.

Only this module knows the words of the vocabulary. Values stay text: normalize interprets them.
"""

import re
from collections.abc import Iterator
from typing import Any

from larder.core.model.source import Kind
from larder.sdk.jsonld import types_of
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.agenda.machine_dates import readable_start
from larder.stages.parse.extraction_task import Fields
from larder.stages.parse.json_values import (
    as_list,
    first_value,
    image_urls,
    json_amount,
    json_text,
    name_in,
)

_PRODUCT = frozenset({
    "Product", "ProductGroup", "ProductModel", "IndividualProduct", "SomeProducts", "Vehicle", "Car",
    "Book", "SoftwareApplication", "MobileApplication", "Offer"
})  # fmt: skip
_LISTING = frozenset({
    "RealEstateListing", "Apartment", "House", "SingleFamilyResidence", "ApartmentComplex", "Residence",
    "Accommodation", "Suite", "Room", "Product", "IndividualProduct", "Offer", "Vehicle", "Car"
})  # fmt: skip
_EVENT_ALSO = frozenset({"Festival", "CourseInstance", "Hackathon"})


def is_node_of_kind(node: Any, kind: Kind) -> bool:
    """Whether a node's type makes it a candidate for a record of that kind."""
    return any(_names(name, kind) for name in types_of(node))


def _names(name: str, kind: Kind) -> bool:
    if kind is Kind.EVENT:
        return name.endswith("Event") or name in _EVENT_ALSO
    return name in (_PRODUCT if kind is Kind.PRODUCT else _LISTING)


def fields_of(node: dict[str, Any], kind: Kind, base: str) -> Fields:
    """A node's raw fields."""
    fields = _common(node, base)
    if kind is Kind.EVENT:
        fields |= _event(node)
    else:
        fields |= _offer_fields(node, base)
    if kind is Kind.LISTING:
        fields |= _listing(node)
    return without_empty(fields)


def _common(node: dict[str, Any], base: str) -> Fields:
    rating = first_value(node.get("aggregateRating"))
    return {
        "title": json_text(node.get("name"))
        or json_text(node.get("headline"))
        or json_text(node.get("title"))
        or json_text(node.get("summary")),
        "url": _url(node, base),
        "description": json_text(node.get("description")),
        "images": image_urls(node.get("image") or node.get("photo"), base),
        "brand": name_in(node.get("brand")) or name_in(node.get("manufacturer")),
        "sku": json_text(node.get("sku")),
        "gtin": _gtin(node),
        "mpn": json_text(node.get("mpn")),
        "platform_id": json_text(node.get("productID") or node.get("identifier")),
        "category": _category(node.get("category")),
        "rating": json_text(_value_of(rating, "ratingValue")),
        "rating_best": json_text(_value_of(rating, "bestRating")),
        "review_count": json_text(_value_of(rating, "reviewCount"))
        or json_text(_value_of(rating, "ratingCount")),
        "interested": _interest_count(node),
        "posted_at": json_text(node.get("datePosted")) or json_text(node.get("datePublished")),
    }


_INTEREST = (
    "BookmarkAction",
    "LikeAction",
    "JoinAction",
    "FollowAction",
    "WantAction",
    "RsvpAction",
    "WatchAction",
)


def _interest_count(node: dict[str, Any]) -> str:
    """How many people saved, liked or joined it; of several counts the most explicit."""
    counters = [each for each in as_list(node.get("interactionStatistic"))[:20] if isinstance(each, dict)]
    counts = {_interaction_count(each): json_text(each.get("userInteractionCount")) for each in counters}
    return next((counts[name] for name in _INTEREST if counts.get(name)), "")


def _interaction_count(counter: dict[str, Any]) -> str:
    kind = first_value(counter.get("interactionType"))
    return next(iter(types_of(kind)), "") if isinstance(kind, dict) else _schema_term(kind)


def _event(node: dict[str, Any]) -> Fields:
    place = first_value(node.get("location"))
    offer = next(offers_of(node), {})
    return {
        "starts_at": readable_start(json_text(node.get("startDate"))),
        "ends_at": json_text(node.get("endDate")),
        "doors_at": json_text(node.get("doorTime")),
        "venue": name_in(place),
        "status": _schema_term(node.get("eventStatus")),
        "organiser": name_in(node.get("organizer")) or name_in(node.get("performer")),
        "price": price_of(offer),
        "currency": json_text(_value_of(offer, "priceCurrency")),
        "availability": _schema_term(_value_of(offer, "availability")),
        "category": _category(node.get("category")) or _event_type(node),
        **_place(place),
    }


def _event_type(node: dict[str, Any]) -> str:
    names = [name for name in types_of(node) if name not in ("Event", "PublicationEvent")]
    return names[0] if names else ""


def _offer_fields(node: dict[str, Any], base: str) -> Fields:
    offers = [node] if "Offer" in types_of(node) else list(offers_of(node)) or _offer_in_node(node)
    offer = _best_offer(offers)
    if not offer:
        return {}
    found = {
        "price": price_of(offer),
        "price_high": json_amount(offer.get("highPrice")),
        "currency": _currency(offer),
        "availability": _availability(offers),
        "seller": name_in(offer.get("seller") or offer.get("offeredBy")),
        "condition": _schema_term(offer.get("itemCondition")),
        "sku": _shared_value(offers, "sku") if not json_text(node.get("sku")) else "",
        "gtin": _gtin(offer) if not _gtin(node) else "",
        "mpn": _shared_value(offers, "mpn") if not json_text(node.get("mpn")) else "",
    }
    if "Offer" in types_of(node):
        thing = first_value(node.get("itemOffered"))
        found |= without_empty(_common(thing, base)) if isinstance(thing, dict) else {}
    return without_empty(found)


def _offer_in_node(node: dict[str, Any]) -> list[dict[str, Any]]:
    """The price of a thing without an offer."""
    return [node] if price_of(node) not in (None, "", []) else []


def _listing(node: dict[str, Any]) -> Fields:
    thing = _home_in(node)
    merged = {**thing, **{key: value for key, value in node.items() if value not in (None, "", [], {})}}
    return {
        "area": _quantity(merged.get("floorSize")),
        "rooms": _quantity(merged.get("numberOfRooms")),
        "beds": _quantity(merged.get("numberOfBedrooms")),
        "baths": _quantity(merged.get("numberOfBathroomsTotal") or merged.get("numberOfFullBathrooms")),
        **_place(merged),
        **({"title": name_in(thing)} if not json_text(node.get("name")) and name_in(thing) else {}),
    }


def _home_in(node: dict[str, Any]) -> dict[str, Any]:
    """The home of a listing or its offer."""
    offered = (offer.get("itemOffered") for offer in offers_of(node))
    about = (node.get("mainEntity"), node.get("about"), node.get("itemOffered"), *offered)
    return next((thing for each in about if isinstance(thing := first_value(each), dict)), {})


def _place(place: Any) -> Fields:
    if isinstance(place, str):
        return {"location_text": json_text(place)}
    if not isinstance(place, dict):
        return {}
    geo = first_value(place.get("geo"))
    return without_empty(
        {
            "address": address_of(place.get("address")),
            "city": json_text(_value_of(first_value(place.get("address")), "addressLocality")),
            "postcode": json_text(_value_of(first_value(place.get("address")), "postalCode")),
            "latitude": json_text(_value_of(geo, "latitude") or place.get("latitude")),
            "longitude": json_text(_value_of(geo, "longitude") or place.get("longitude")),
        }
    )


def address_of(value: Any) -> str:
    """A postal address in one line."""
    value = first_value(value)
    if isinstance(value, dict):
        parts = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
        return ", ".join(
            part for key in parts if (part := name_in(value.get(key)) or json_text(value.get(key)))
        )
    return json_text(value)


def offers_of(node: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The offers of a node: its own, those of its variants, and each aggregate before its parts."""
    if not isinstance(node, dict) or depth > 3:
        return
    for offer in as_list(node.get("offers") or node.get("offer")):
        if isinstance(offer, dict):
            yield offer
            yield from offers_of(offer, depth + 1)
    for variant in as_list(node.get("hasVariant") or node.get("model")):
        yield from offers_of(variant, depth + 1)


def _best_offer(offers: list[dict[str, Any]]) -> dict[str, Any]:
    priced = [offer for offer in offers if price_of(offer) not in (None, "", [])]
    return priced[0] if priced else (offers[0] if offers else {})


def _shared_value(offers: list[dict[str, Any]], key: str) -> str:
    """The value that all offers with this key share: the code of one variant is not the thing's."""
    values = {value for offer in offers if (value := json_text(offer.get(key)))}
    return values.pop() if len(values) == 1 else ""


def _availability(offers: list[dict[str, Any]]) -> str:
    """In stock if one of the variants is."""
    words = [word for offer in offers if (word := _schema_term(offer.get("availability")))]
    return next((word for word in words if word.lower() == "instock"), words[0] if words else "")


def price_of(offer: Any) -> Any:
    """An offer's price: its own, its price specifications', the low end of an aggregate."""
    if not isinstance(offer, dict):
        return None
    for key in ("price", "lowPrice"):
        if shown := json_amount(offer.get(key)):
            return shown
    specs = [spec for spec in as_list(offer.get("priceSpecification")) if isinstance(spec, dict)]
    selling = [spec for spec in specs if not _is_list_price(spec)]
    for spec in selling or specs:
        if shown := json_amount(spec.get("price")) or json_amount(spec.get("minPrice")):
            return shown
    return json_amount(offer.get("highPrice")) or None


def _is_list_price(spec: dict[str, Any]) -> bool:
    return bool(re.search(r"ListPrice|StrikethroughPrice|SRP|MSRP", str(spec.get("priceType", ""))))


def _currency(offer: dict[str, Any]) -> str:
    specs = [spec for spec in as_list(offer.get("priceSpecification")) if isinstance(spec, dict)]
    return json_text(offer.get("priceCurrency")) or next(
        (c for spec in specs if (c := json_text(spec.get("priceCurrency")))), ""
    )


def _gtin(node: dict[str, Any]) -> str:
    for key in ("gtin13", "gtin14", "gtin12", "gtin8", "gtin", "isbn", "ean", "upc"):
        if value := json_text(first_value(node.get(key))):
            return value
    return ""


def _category(value: Any) -> str:
    return name_in(first_value(value)) or json_text(first_value(value))


def _quantity(value: Any) -> str:
    value = first_value(value)
    if isinstance(value, dict):
        amount = json_text(value.get("value")) or json_text(value.get("minValue"))
        unit = json_text(value.get("unitText")) or _UNITS.get(json_text(value.get("unitCode")), "")
        return f"{amount} {unit}".strip()
    return json_text(value)


_UNITS = {"MTK": "m²", "FTK": "sq ft", "SQF": "sq ft", "FT2": "sq ft"}


def _schema_term(value: Any) -> str:
    """The last word of a schema.org URL: `https://schema.org/InStock` is `InStock`."""
    return json_text(first_value(value)).rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]


def _url(node: dict[str, Any], base: str) -> str:
    url = first_value(node.get("url")) or node.get("@id")
    if isinstance(url, dict):
        url = url.get("@id") or url.get("url")
    found = json_text(url)
    if not found or found.startswith(("_:", "#")):
        return ""
    return (join(base, found) if base else found) or ""


def _value_of(node: Any, key: str) -> Any:
    return node.get(key) if isinstance(node, dict) else None
