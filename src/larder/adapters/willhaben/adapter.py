"""willhaben.at: everything a page shows is in its `__NEXT_DATA__`.

Traps kept here and nowhere else: search pages write numbers with a point, detail pages with a comma;
`PUBLISHED_String` ends in Z but is Vienna's local time; a page without state is a refusal, not an empty list.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from larder.sdk import (
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
    list_or_empty,
    raw_item,
)
from larder.sdk.adapter import with_query

SITE = "https://www.willhaben.at/iad/"
IMAGES = "https://cache.willhaben.at/mmo/"
ROWS = 90

_VIENNA = ZoneInfo("Europe/Vienna")
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_GONE = frozenset({"sold", "deleted", "expired", "inactive"})
_PRICES = (
    "PRICE",
    "RENTAL_PRICE/PER_MONTH",
    "RENT/PER_MONTH_LETTINGS",
    "ESTATE_PRICE/PRICE_SUGGESTION",
    "PRICE/AMOUNT",
)
_EXTRA = {
    "FLOOR": "floor",
    "OWNAGETYPE": "ownership",
    "BUILDING_CONDITION": "condition",
    "BUILDING_TYPE": "building_type",
    "CONSTRUCTION_YEAR": "construction_year",
    "HEATING": "heating",
    "ADDITIONAL_COST/DEPOSIT": "deposit",
    "PRICE/SQUARE_METER": "price_per_m2",
    "FREE_AREA_TYPE_NAME": "outdoor_space",
}


class Willhaben(SiteAdapter):
    """Search and detail pages of the real-estate and classifieds sections."""

    id, version, domain, kind = "willhaben", "1.0.0", "willhaben.at", Kind.LISTING

    def index_url(self, source: Source, page: int) -> str | None:
        """Newest first, as many rows as the site gives."""
        if "index_url" in source.params:
            return super().index_url(source, page)
        params = {"rows": ROWS, "sort": 1, "page": page}
        missing = (f"{name}={value}" for name, value in params.items() if f"{name}=" not in source.url)
        return with_query(source.url, "&".join(missing))

    def read_index(self, page: Page) -> Reading:
        """One item an advert; the index says itself how many it has."""
        props = _props(page)
        if props is None:
            return Failed(reason=FailReason.BLOCKED_PAGE, details="no __NEXT_DATA__")
        result = props.get("searchResult")
        if not isinstance(result, dict):
            return Failed(reason=FailReason.PAGE_STRUCTURE_CHANGED, details="no searchResult")
        adverts = list_or_empty(_get(result, "advertSummaryList", "advertSummary"))
        items = tuple(_item(_summary(advert)) for advert in adverts if isinstance(advert, dict))
        return Extracted(
            items=items,
            strategy=Strategy.EMBEDDED,
            last=_is_last(result),
            advertised=_whole(result.get("rowsFound")),
        )

    def read_detail(self, page: Page) -> Reading:
        """The advert of a detail page."""
        props = _props(page)
        if props is None:
            return Failed(reason=FailReason.BLOCKED_PAGE, details="no __NEXT_DATA__")
        advert = props.get("advertDetails")
        if not isinstance(advert, dict):
            reason = FailReason.EMPTY_PAGE if props.get("is404") else FailReason.PAGE_STRUCTURE_CHANGED
            return Failed(reason=reason, details="no advertDetails")
        return Extracted(items=(_item(_detail(advert, page)),), strategy=Strategy.EMBEDDED)


def _props(page: Page) -> dict[str, Any] | None:
    states = [state.value for state in page.embedded() if state.name == "__NEXT_DATA__"]
    for state in [*states, page.json()]:
        props = _get(state, "props", "pageProps")
        if isinstance(props, dict):
            return props
    return None


def _item(fields: Mapping[str, Any]) -> Item:
    return raw_item(fields, strategy=Strategy.EMBEDDED, score=1.0)


def _summary(advert: dict[str, Any]) -> dict[str, Any]:
    values = _attributes(advert)
    return {
        **_shared(advert, values),
        "title": values.get("HEADING") or advert.get("description"),
        "url": _address(values.get("SEO_URL")),
        "description": values.get("BODY_DYN"),
        "address": values.get("ADDRESS"),
        "city": values.get("LOCATION"),
        "postcode": values.get("POSTCODE"),
        "region": values.get("STATE"),
        "seller": values.get("ORGNAME"),
        "images": _summary_images(advert, values),
        "posted_at": _published(values),
        "metadata": _metadata(advert, values) | {"district": values.get("DISTRICT")},
    }


def _detail(advert: dict[str, Any], page: Page) -> dict[str, Any]:
    values = _attributes(advert)
    place = advert.get("advertAddressDetails") or {}
    seller = _get(advert, "organisationDetails", "orgName") or _get(advert, "sellerProfileUserData", "name")
    company = values.get("CONTACT/COMPANY")
    return {
        **_shared(advert, values),
        "title": advert.get("description") or values.get("HEADING"),
        "url": _get(advert, "seoMetaData", "canonicalUrl") or page.url,
        "description": values.get("DESCRIPTION"),
        "address": values.get("LOCATION/ADDRESS_1") or _first(_get(place, "addressLines", "value")),
        "city": _get(place, "postalName") or values.get("LOCATION/ADDRESS_2"),
        "postcode": _get(place, "postCode"),
        "region": _get(place, "province"),
        "seller": seller or (company if values.get("ISPRIVATE") == "0" else None),
        "images": [
            _get(image, "referenceImageUrl") or _get(image, "mainImageUrl") for image in _images(advert)
        ],
        "posted_at": advert.get("publishedDate"),
        "available_from": values.get("AVAILABLE_DATE"),
        "metadata": _metadata(advert, values),
    }


def _shared(advert: dict[str, Any], values: dict[str, str]) -> dict[str, Any]:
    latitude, _, longitude = values.get("COORDINATES", "").partition(",")
    return {
        "platform_id": str(advert.get("id") or values.get("ADID") or ""),
        "price": _price(values),
        "currency": "EUR",
        "period": "month" if _is_rent(values) else None,
        "area": _number(
            values.get("ESTATE_SIZE/LIVING_AREA")
            or values.get("ESTATE_SIZE")
            or values.get("ESTATE_SIZE/USEABLE_AREA")
        ),
        "rooms": _number(values.get("NUMBER_OF_ROOMS") or values.get("NO_OF_ROOMS")),
        "property_type": values.get("PROPERTY_TYPE"),
        "floor": values.get("FLOOR"),
        "latitude": latitude.strip(),
        "longitude": longitude.strip(),
        "availability": "SoldOut" if _get(advert, "advertStatus", "id") in _GONE else None,
    }


def _price(values: dict[str, str]) -> float | None:
    return next((amount for name in _PRICES if (amount := _number(values.get(name)))), None)


def _is_rent(values: dict[str, str]) -> bool:
    return any("PER_MONTH" in name for name in values) or values.get("OWNAGETYPE") == "Miete"


def _metadata(advert: dict[str, Any], values: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {ours: values[theirs] for theirs, ours in _EXTRA.items() if theirs in values}
    if "ISPRIVATE" in values:
        found["private"] = values["ISPRIVATE"] == "1"
    children = advert.get("children")
    return found | ({"units": len(children)} if isinstance(children, list) and children else {})


def _attributes(advert: dict[str, Any]) -> dict[str, str]:
    values: dict[str, str] = {}
    for attribute in list_or_empty(_get(advert, "attributes", "attribute")):
        name, value = _get(attribute, "name"), _first(_get(attribute, "values"))
        if isinstance(name, str) and value is not None:
            values[name] = str(value).strip()
    return values


def _summary_images(advert: dict[str, Any], values: dict[str, str]) -> list[str]:
    listed = [_get(image, "referenceImageUrl") or _get(image, "mainImageUrl") for image in _images(advert)]
    paths = values.get("ALL_IMAGE_URLS", values.get("MMO", "")).split(";")
    return [url for url in listed if url] or [IMAGES + path.strip() for path in paths if path.strip()]


def _images(advert: dict[str, Any]) -> list[Any]:
    return list_or_empty(_get(advert, "advertImageList", "advertImage"))


def _address(path: str | None) -> str | None:
    return SITE + path.lstrip("/") if path else None


def _published(values: dict[str, str]) -> str | None:
    """The epoch is right; the text is local time whatever its Z says."""
    if values.get("PUBLISHED", "").isdigit():
        return datetime.fromtimestamp(int(values["PUBLISHED"][:13]) / 1000, UTC).isoformat()
    try:
        local = datetime.fromisoformat(values["PUBLISHED_String"].rstrip("Z"))
    except (KeyError, ValueError):
        return None
    return local.replace(tzinfo=_VIENNA).isoformat()


def _is_last(result: dict[str, Any]) -> bool | None:
    found, counts, page = (_whole(result.get(key)) for key in ("rowsFound", "rowsRequested", "pageRequested"))
    if found is None or not counts or not page:
        return None
    return page * counts >= found


def _number(text: str | None) -> float | None:
    """`673.59`, `68,8`, `4.690,31` and `3.000` (three thousand)."""
    digits = (text or "").replace("€", "").replace("\u00a0", "").replace(" ", "")
    if "," in digits:
        digits = digits.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(digits):
        digits = digits.replace(".", "")
    try:
        return float(digits)
    except ValueError:
        return None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _get(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _first(value: Any) -> Any:
    return (value[0] if value else None) if isinstance(value, list) else value
