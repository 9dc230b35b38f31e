"""Examples for the document: each made from its schema, with the values of one small made-up world.

An example is what a reader sees first. Made by hand, ninety of them would soon lie; made from the schemas,
they cannot: a test holds every one against its schema.
"""

from collections.abc import Mapping
from typing import Any

Schemas = Mapping[str, Any]

WORLD: Mapping[str, Any] = {
    "action": "source added",
    "adapter": "listing",
    "adapter_id": "listing",
    "adapter_version": "1.0.0",
    "address": "http://proxy.example:8080",
    "attempts": 1,
    "badge": {"colour": "green", "text": "recently verified"},
    "base": 100,
    "brand": "Kessel",
    "by": "ada",
    "candidate_id": 3,
    "category": "music",
    "change": "changed",
    "colour": "green",
    "confidence": 97,
    "confidence_min": 60,
    "content": {"title": "Three rooms by the canal", "rooms": 3, "area": 74},
    "cron": "0 6 * * *",
    "csv": "url,interval\nhttps://shop.example/kettle,6h\n",
    "currency": "EUR",
    "cursor": "0.4711",
    "details": {"price": [119000, "EUR"]},
    "domain": "homes.example",
    "fields": "id,title,price_minor,currency",
    "freshness_confidence": 97,
    "gate": "terms",
    "hint": "did you mean homes?",
    "id": 17,
    "interval": 86400.0,
    "key": "larder_0123abcd_" + "x" * 43,
    "kind": "listing",
    "language": "nl",
    "latitude": 52.37,
    "letter_id": 5,
    "link": "http://127.0.0.1:8321/enter?ticket=" + "x" * 43,
    "limit": 20,
    "longitude": 4.89,
    "method": "head",
    "more": False,
    "name": "ada",
    "near": "52.37,4.89",
    "outcome": "alive",
    "page_url": "https://homes.example/listing/17",
    "place": "Utrecht",
    "plan": "index",
    "platform_id": "17",
    "prefix": "0123abcd",
    "preset": "gentle",
    "price_max": 120000,
    "price_min": 80000,
    "price_minor": 119000,
    "purpose": "detail",
    "rate": 2,
    "rating": 4.5,
    "rating_min": 4,
    "reason": "asked for by letter of 12 March",
    "says": "nobody has read the terms of homes.example",
    "seller": "Canalside Homes",
    "severity": "P2",
    "since": "0.4711",
    "site": "homes.example",
    "slug": "homes",
    "source": "homes",
    "stage": "parse",
    "starts_after": "2026-05-01T00:00:00+02:00",
    "starts_before": "2026-06-01T00:00:00+02:00",
    "state": "ready",
    "strategy": "json-ld",
    "subject": "homes",
    "text": "three rooms canal",
    "tier": "standard",
    "title": "Three rooms by the canal",
    "todo": "larder site review homes.example",
    "type": "NoItems",
    "tz": "Europe/Amsterdam",
    "url": "https://homes.example/listing/17",
    "version": "1.0.0",
    "visibility": "public",
    "who": "ada",
    "within_km": 10,
    "yaml": "sources:\n  - {slug: homes, kind: listing, url: 'https://homes.example/rent'}\n",
}
"""What a field of that name holds in our examples."""

BODIES: Mapping[str, Any] = {
    "NewSource": {
        "url": "https://homes.example/rent",
        "slug": "homes",
        "kind": "listing",
        "visibility": "public",
        "site": {"terms_reviewed_by": "ada", "preset": "gentle"},
    },
    "SourceChange": {"tier": "hot", "visibility": "public"},
    "SiteChange": {"preset": "classifieds"},
    "NewTarget": {"source": "homes", "url": "https://homes.example/listing/17", "interval_seconds": 3600},
    "TargetChange": {"interval_seconds": 3600, "priority": 5},
    "Letters": {"stage": "parse", "type": "NoItems"},
    "Discarded": {"ids": [5], "note": "the page is gone for good"},
    "Release": {"set": {"price": "1,190.00"}, "note": "a thousand, not one"},
    "NewWatch": {"name": "three rooms", "query": {"text": "three rooms", "price_max": 120000}},
    "OnSite": {"site": "homes.example"},
    "Problem": {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "there is no source 'hmoes'",
        "hint": "did you mean homes?",
    },
}
"""Bodies that say only what belongs together."""

MOMENT = "2026-03-14T09:26:53Z"


def example(schema: Mapping[str, Any], schemas: Schemas, name: str = "") -> Any:
    """A value that the schema allows."""
    if "$ref" in schema:
        called = schema["$ref"].rsplit("/", 1)[-1]
        return BODIES[called] if called in BODIES else example(schemas[called], schemas, name)
    if "anyOf" in schema:
        return value_of(name, next(each for each in schema["anyOf"] if each.get("type") != "null"), schemas)
    if schema.get("type") == "object" and "properties" in schema:
        return {each: value_of(each, of, schemas) for each, of in schema["properties"].items()}
    if schema.get("type") == "array":
        return [value_of(name.removesuffix("s"), schema["items"], schemas)]
    return _scalar(schema)


def value_of(name: str, schema: Mapping[str, Any], schemas: Schemas) -> Any:
    """What a field of that name holds: from the world where it fits, else from the schema alone."""
    made = example(schema, schemas, name)
    known = WORLD.get(name)
    if known is None or "enum" in schema or "enum" in _resolved(schema, schemas):
        return made
    return known if type(known) is type(made) or {type(known), type(made)} == {int, float} else made


def _resolved(schema: Mapping[str, Any], schemas: Schemas) -> Mapping[str, Any]:
    options = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    called = options[0].get("$ref", "").rsplit("/", 1)[-1]
    found: Mapping[str, Any] = schemas.get(called, options[0])
    return found


def _scalar(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("format") == "date-time":
        return MOMENT
    if schema.get("examples"):
        return schema["examples"][0]
    least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    made: Mapping[str, Any] = {
        "string": "…",
        "integer": max(1, int(least)),
        "number": float(max(1, least)),
        "boolean": True,
        "object": {},
    }
    return made.get(schema.get("type", ""))
