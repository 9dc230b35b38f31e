"""Items of the hosted actors that read apartments.com, in the shapes they have had so far.

Old: one item a property, rents and sizes as ranges. New: `rentals`, one a unit; those become items of their
own. A third one names its fields `listing…`. Anything else is of an unknown shape and says so.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from larder.sdk import dict_or_empty, list_or_empty, without_empty

UNKNOWN = "unknown_shape"
_MASKED = "N/A"


def read_row(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The raw fields of one actor item: of the property, or of each of its units."""
    if row.get("demo"):
        yield {UNKNOWN: "demo item", "metadata": {"demo": True}}
        return
    if row.get("listingId"):
        yield without_empty(_flat(row))
    elif not row.get("id") or not row.get("propertyName"):
        yield {UNKNOWN: f"no id or name; keys: {', '.join(sorted(map(str, row))[:10])}"}
    elif list_or_empty(row.get("rentals")):
        for unit in list_or_empty(row["rentals"]):
            yield without_empty({**_property(row), **_unit(row, dict_or_empty(unit))})
    else:
        yield without_empty(_property(row))


def _property(row: Mapping[str, Any]) -> dict[str, Any]:
    place, point, rent = (dict_or_empty(row.get(name)) for name in ("location", "coordinates", "rent"))
    return {
        "platform_id": str(row["id"]),
        "title": row["propertyName"],
        "url": row.get("url"),
        "address": place.get("fullAddress") or place.get("streedAddress") or place.get("streetAddress"),
        "city": place.get("city"),
        "region": place.get("state"),
        "postcode": place.get("postalCode"),
        "latitude": point.get("latitude"),
        "longitude": point.get("longitude"),
        "price": rent.get("min"),
        "currency": "USD",
        "period": "month",
        "beds": row.get("beds"),
        "baths": row.get("baths"),
        "area": row.get("sqft"),
        "rating": row.get("rating"),
        "description": row.get("description"),
        "images": list_or_empty(row.get("photos")),
        "metadata": without_empty(
            {
                "rent_max": rent.get("max"),
                "neighborhood": place.get("neighborhood"),
                "last_updated": row.get("lastUpdated"),
                "models": len(list_or_empty(row.get("models"))) or None,
                "phone": dict_or_empty(row.get("contact")).get("phone"),
            }
        ),
    }


def _unit(row: Mapping[str, Any], unit: Mapping[str, Any]) -> dict[str, Any]:
    number = str(unit.get("unitNumber") or "")
    own = "" if number.startswith(_MASKED) else number
    return {
        "platform_id": f"{row['id']}-{unit.get('key') or own}".rstrip("-"),
        "title": f"{row['propertyName']} {own}".strip(),
        "price": unit.get("totalPrice") or unit.get("basePrice"),
        "beds": unit.get("beds"),
        "baths": unit.get("baths"),
        "area": _feet(unit.get("squareFeet")),
        "available_from": str(unit.get("availableDate") or "")[:10],
        "images": [unit["image"]] if unit.get("image") else [],
        "metadata": without_empty({"base_price": unit.get("basePrice"), "unit": own}),
    }


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    parts = ("streetAddress", "listingCity", "listingState", "listingZip")
    return {
        "platform_id": str(row["listingId"]),
        "title": row.get("propertyName") or row.get("streetAddress"),
        "url": row.get("url"),
        "address": ", ".join(str(row[part]) for part in parts if row.get(part)),
        "city": row.get("listingCity"),
        "region": row.get("listingState"),
        "postcode": row.get("listingZip"),
        "price": row.get("listingMinRent"),
        "currency": "USD",
        "period": "month",
        "beds": row.get("minBeds"),
        "images": [row["imageUrl"]] if row.get("imageUrl") else [],
        "metadata": without_empty(
            {"property_type": row.get("propertyType"), "phone": row.get("phoneNumber")}
        ),
    }


def _feet(value: Any) -> str | None:
    return f"{value} sq ft" if value else None
