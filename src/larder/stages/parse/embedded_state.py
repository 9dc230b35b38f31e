"""The strategy embedded: objects in a page's own state that describe what the page is about.

A state holds menus, recommendations and the user, too: an object counts only where it bears the page's title.
"""

import re
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

from larder.core.model.item import Item, Strategy
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.extraction_task import MAX_ITEMS, ExtractionTask, Fields
from larder.stages.parse.heuristic.headline import announced_title, headline, similarity
from larder.stages.parse.json_values import as_list, first_value, image_urls, json_amount, json_text, name_in
from larder.stages.parse.meta_tags import meta_fields
from larder.stages.parse.state_status import status_in_state

MAX_OBJECTS = 30_000
MAX_TITLE = 300
MAX_PRICE_DEPTH = 3
MAX_TIERS = 50
MAX_CENTS = 10**12
MIN_TITLE_SIMILARITY = 0.75
"""A title at least this similar to the page's own counts as the page's."""

_SPARE_TITLE = ("displayaddress", "heading", "headline", "summary", "body")
_TITLE = ("name", "title", "productname", "itemname", "displayname", *_SPARE_TITLE)
_TITLES = frozenset(_TITLE)
_NAMES: dict[str, tuple[str, ...]] = {
    "price": (
        "saleprice", "salesprice", "currentprice", "sellingprice", "finalprice", "offerprice", "now", "price",
        "pricevalue", "unitprice", "amount", "value",
    ),
    "currency": ("currency", "currencycode", "pricecurrency", "currencyunit"),
    "sku": ("sku", "articlenumber", "productcode", "itemnumber", "partnumber", "code", "skuid", "productid",
        "itemid"),
    "gtin": ("gtin", "gtin13", "ean", "upc", "isbn"),
    "brand": ("brand", "brandname", "manufacturer"),
    "availability": ("availability", "stockstatus", "instock", "isinstock", "isavailable", "available"),
    "description": ("description", "shortdescription"),
    "url": ("url", "canonicalurl", "producturl", "eventurl", "listingurl", "propertyurl", "itemurl", "adurl",
        "detailurl", "detailsurl", "pageurl", "link", "permalink", "href"),
    "slug": ("slug", "urlslug", "urlkey", "handle", "seourl"),
    "platform_id": ("id", "itemid", "listingid", "adid"),
    "starts_at": ("startdate", "startsat", "starttime", "start", "datetime", "eventdate", "date"),
    "ends_at": ("enddate", "endsat", "endtime", "end"),
    "venue": ("venue", "location", "place", "room", "hall", "stage", "zaal", "saal", "salle", "sala"),
    "images": ("images", "image", "imageurl"),
}  # fmt: skip
_AMOUNTS = (*_NAMES["price"], "current", "selling", "final", "sale", "discounted", "formatted", "regular")
"""Keys of the amount within a price that is an object."""
_CENT_KEYS = ("cents", "centamount", "pricecents", "priceincents", "amountcents", "amountincents",
    "valueincents", "amountminor", "priceminor", "minorunits", "minoramount",
    "amountinminorunits")  # fmt: skip
_PRICE_OBJECT_KEYS = ("pricing", "prices", "priceinfo", "pricedata", "pricerange", "offer")
"""Keys besides `price` of an object with a price."""
_PRICED = frozenset({*_NAMES["price"], *_CENT_KEYS, *_PRICE_OBJECT_KEYS})
_BY_KIND = {
    Kind.PRODUCT: ("price", "currency", "sku", "gtin", "brand", "availability", "description"),
    Kind.LISTING: ("price", "currency", "description", "url", "platform_id", "images"),
    Kind.EVENT: ("starts_at", "ends_at", "venue", "description", "url", "images"),
}
_ROW_FIELDS = ("url", "slug", "platform_id", "images")
"""Fields that identify a row and join it to its card."""
_REQUIRED_FIELD = {Kind.PRODUCT: "price", Kind.LISTING: "price", Kind.EVENT: "starts_at"}
_SCRIPT_MARKERS = {Kind.PRODUCT: ("rice", "ricing"), Kind.LISTING: ("rice", "ricing"), Kind.EVENT: ("",)}
"""Texts without which a script is not parsed, without their first letter, which may be a capital.

The next one is tried if the first finds nothing.
"""
_NESTED = frozenset({dict, list})
_CENTS = frozenset({"variants", "pricemin", "compareatprice"})
_ISO = re.compile(r"20\d{2}-\d{2}-\d{2}")
_KEY = re.compile(r"[^a-z0-9]")


def embedded_items(task: ExtractionTask) -> list[Item]:
    """Items from the page's state."""
    if task.wants_rows or task.page.json() is not None:
        found = [fields for node in candidate_objects(task) if (fields := _fields(node, task))]
        return [_item(fields, 0.6) for fields in _distinct(found, task)[:MAX_ITEMS]]
    own = _main_object_fields(task)
    announced_values = task.page.cached(meta_fields) if task.kind is Kind.PRODUCT else {}
    if "price" in announced_values:  # the page's own title is surer than one in its state
        return [_item({"title": task.page.cached(headline)[0], **own, **announced_values}, 0.7)]
    return [_item(own, 0.6)] if own else []


def _main_object_fields(task: ExtractionTask) -> Fields:
    """The fields of the object with the page's title; of several the one with most fields."""
    similarity_of = {id(node): _similarity(node, task) for node in candidate_objects(task)}
    similar = [node for node in candidate_objects(task) if similarity_of[id(node)] >= MIN_TITLE_SIMILARITY]
    read = [(node, _fields(node, task)) for node in similar]
    if not read:
        return {}
    best, fields = max(read, key=lambda each: (similarity_of[id(each[0])], len(each[1])))
    codes = {other.get("sku") for node, other in read if node.keys() == best.keys()}
    if len(codes) > 1:  # each size is an object of its own: the code of one is not the product's
        fields = {name: value for name, value in fields.items() if name != "sku"}
    return fields


def _similarity(node: dict[str, Any], task: ExtractionTask) -> float:
    title = _title(node)
    return round(similarity_to_page(title, task), 2) if 0 < len(title) <= MAX_TITLE else 0.0


def _item(fields: Fields, score: float) -> Item:
    return Item(fields=fields, strategy=Strategy.EMBEDDED, score=score)


def similarity_to_page(title: str, task: ExtractionTask) -> float:
    """How likely a title is the page's own."""
    shown, _ = task.page.cached(headline)
    return max(similarity(title, shown), similarity(title, task.page.cached(announced_title)))


def _distinct(found: list[Fields], task: ExtractionTask) -> list[Fields]:
    """Each thing once: by its address or number, else by its title (for events also by day)."""
    seen: dict[Any, Fields] = {}
    for fields in found:
        named = (fields["title"], fields.get("starts_at"))
        key = named if task.kind is Kind.EVENT else fields.get("url") or fields.get("platform_id") or named
        seen.setdefault(key, fields)
    return list(seen.values())


def candidate_objects(task: ExtractionTask) -> list[dict[str, Any]]:
    """Every object of the page's states that may be a thing of the wanted kind, outer before inner."""
    return task.page.cached(_OBJECTS[task.kind])


def _objects(page: Page, kind: Kind) -> list[dict[str, Any]]:
    return next((found for key in _SCRIPT_MARKERS[kind] if (found := _objects_of(page, kind, key))), [])


def _objects_of(page: Page, kind: Kind, key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    pending = [state.value for state in reversed(page.embedded(key=key))]
    if (body := page.json()) is not None:
        pending.insert(0, body)
    for _ in range(MAX_OBJECTS):
        if not pending:
            break
        value = pending.pop()
        if type(value) is dict:
            if len(value) > 1 and _is_promising(tuple(value), kind):
                found.append(value)
            value = value.values()
        deeper = [each for each in value if (kind_of_value := type(each)) is dict or kind_of_value is list]
        if deeper:
            deeper.reverse()
            pending += deeper
    return found


_OBJECTS = {kind: partial(_objects, kind=kind) for kind in Kind}


@lru_cache(maxsize=8_192)
def _is_promising(keys: tuple[str, ...], kind: Kind) -> bool:
    """Whether an object with these keys has a title and the fields that a record of that kind needs."""
    names = {_normalized_key(key) for key in keys}
    needed = _PRICED if _REQUIRED_FIELD[kind] == "price" else _NAMES[_REQUIRED_FIELD[kind]]
    return not names.isdisjoint(_TITLES) and not names.isdisjoint(needed)


@lru_cache(maxsize=8_192)
def _normalized_key(key: str) -> str:
    """The common form of a key: `sale_price`, `salePrice` and `Sale-Price` are one name."""
    return _KEY.sub("", key.lower())


def _fields(node: dict[str, Any], task: ExtractionTask) -> Fields:
    keys = {_normalized_key(key): value for key, value in node.items()}
    title = _title(keys)
    if not title or len(title) > MAX_TITLE or not _field_value(_REQUIRED_FIELD[task.kind], keys, task):
        return {}
    names = (*_BY_KIND[task.kind], *(_ROW_FIELDS if task.wants_rows and task.kind is not Kind.EVENT else ()))
    fields = without_empty({name: _field_value(name, keys, task) for name in names})
    status = status_in_state(keys, task.kind)
    return {
        "title": title,
        **_currency_in_price(keys),
        **_shared_variant_code(keys),
        **fields,
        **_price_in_cents(keys),
        **status,
    }


def _currency_in_price(keys: dict[str, Any]) -> Fields:
    """The currency within the price."""
    names = ("price", *_PRICE_OBJECT_KEYS)
    price, depth = first_value(next((keys[name] for name in names if name in keys), None)), 0
    while isinstance(price, dict) and depth < MAX_PRICE_DEPTH:
        inner = {_normalized_key(key): value for key, value in price.items()}
        texts = (json_text(inner.get(name)) for name in _NAMES["currency"])
        if found := next(filter(None, texts), ""):
            return {"currency": found}
        price, depth = next((value for value in price.values() if isinstance(value, dict)), None), depth + 1
    return {}


def _shared_variant_code(keys: dict[str, Any]) -> Fields:
    """The code shared by all variants of a thing."""
    variants = keys.get("variants")
    listed = [each for each in variants[:200] if isinstance(each, dict)] if isinstance(variants, list) else []
    codes = {code for each in listed if (code := json_text(each.get("sku")))}
    return {"sku": codes.pop()} if len(codes) == 1 else {}


def _price_in_cents(keys: dict[str, Any]) -> Fields:
    """A price in whole cents: shops that identify a thing by its `handle` store it so."""
    price = keys.get("price")
    if not isinstance(price, int) or isinstance(price, bool) or "handle" not in keys:
        return {}
    return {} if keys.keys().isdisjoint(_CENTS) else {"price": f"{price / 100:.2f}"}


def _title(node: dict[str, Any]) -> str:
    keys = {plain: value for key, value in node.items() if (plain := _normalized_key(key)) in _TITLES}
    return next((shown for name in _TITLE if (shown := json_text(keys.get(name)))), "")


def _field_value(field: str, keys: dict[str, Any], task: ExtractionTask) -> Any:
    for name in _NAMES[field]:
        if name in keys and (value := _value(field, keys[name], task)) not in (None, "", []):
            return value
    return _nested_price(keys) if field == "price" else None


def _nested_price(keys: dict[str, Any]) -> str | None:
    """A price in whole cents, or in an object with another name."""
    prices = (_agreed_price(keys[name]) for name in _PRICE_OBJECT_KEYS if type(keys.get(name)) in _NESTED)
    return _price_in_minor_units(keys) or next(filter(None, prices), None)


def _agreed_price(value: Any) -> str | None:
    """The price of an object, or the one that a list of them agrees on."""
    found = {_price(each) for each in as_list(value)[:MAX_TIERS] if type(each) is dict}
    return found.pop() if len(found) == 1 else None


def _price_in_minor_units(keys: dict[str, Any]) -> str | None:
    """A price in whole cents, by its name; `fractionDigits` tells if they are no hundredths."""
    amounts = (keys[name] for name in _CENT_KEYS if type(keys.get(name)) is int)
    cents = next((each for each in amounts if 0 < each < MAX_CENTS), None)
    digits = keys.get("fractiondigits", 2)
    if cents is None or type(digits) is not int or not 0 <= digits <= 3:
        return None
    return f"{Decimal(cents).scaleb(-digits):.{min(digits, 2)}f}"


def _single_price_of_range(keys: dict[str, Any]) -> str | None:
    """The price of a range with two equal ends."""
    low, high = (_price(keys.get(f"{end}variantprice"), 1) for end in ("min", "max"))
    return low if low == high else None


def _value(field: str, value: Any, task: ExtractionTask) -> Any:
    if field == "price":
        return _price(value)
    if field == "images":
        return image_urls(value, task.page.url)
    if field in ("starts_at", "ends_at"):
        return _date_value(value)
    if field in ("brand", "venue"):
        return name_in(value)
    if field == "url":
        return join(task.page.url, json_text(value)) if json_text(value) else None
    if field == "availability" and isinstance(value, bool):
        return "InStock" if value else "OutOfStock"
    return json_text(value) if isinstance(value, str | int | float) else None


def _date_value(value: Any) -> str | None:
    """A machine-readable date, also within the object that calendars use."""
    if isinstance(value, dict):
        value = value.get("dateTime") or value.get("date")
    return value if isinstance(value, str) and _ISO.match(value) else None


def _price(value: Any, depth: int = 0) -> str | None:
    """A number or text with digits; of an object, its current amount."""
    if isinstance(value, bool) or depth > 3:
        return None
    if isinstance(value, int | float):
        return json_amount(value) if value > 0 else None
    if isinstance(value, str):
        return value.strip() if any(char.isdigit() for char in value) and len(value) < 40 else None
    if isinstance(value, dict):
        keys = {_normalized_key(key): inner for key, inner in value.items()}
        amounts = (found for name in _AMOUNTS if (found := _price(keys.get(name), depth + 1)))
        return _price_in_minor_units(keys) or next(amounts, None) or _single_price_of_range(keys)
    return None
