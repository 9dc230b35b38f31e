"""Records as Elasticsearch documents, and queries in its language.

Words are folded and stemmed here, so that the service needs no language plugin.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from larder.core.model.money import least_minor, most_minor
from larder.store.database import micros_or_none
from larder.store.reads.filters import price_bounds
from larder.store.reads.query import Query
from larder.store.reads.rows import RecordRow
from larder.store.search.document import search_document as words_of
from larder.store.search.words import forms, tokens

MAPPINGS: Mapping[str, Any] = {
    "dynamic": False,
    "properties": {
        **{name: {"type": "text"} for name in ("title", "names", "description", "stems")},
        **{
            name: {"type": "keyword"}
            for name in ("kind", "source", "currency", "availability", "brand", "category")
        },
        **{name: {"type": "long"} for name in ("id", "price_minor", "starts_at")},
        "rating": {"type": "float"},
        "rooms": {"type": "float"},
        "place": {"type": "geo_point"},
    },
}


def elastic_document(row: RecordRow) -> dict[str, Any]:
    """A public record as a document."""
    words = words_of(row.content)
    title, names, description = words.fields
    fields = {
        "id": row.id,
        "title": title,
        "names": names,
        "description": description,
        "stems": " ".join(sorted({form for word in (*words.title, *words.names) for form in forms(word)})),
        "kind": row.kind,
        "source": row.source,
        "price_minor": row.price_minor,
        "currency": row.currency,
        "availability": row.availability,
        "brand": row.brand.lower() if row.brand else None,
        "category": row.category,
        "rating": row.rating,
        "rooms": row.content.get("rooms"),
        "starts_at": micros_or_none(row.starts_at),
        "place": None if row.latitude is None else {"lat": row.latitude, "lon": row.longitude},
    }
    return {name: value for name, value in fields.items() if value is not None}


def search_body(query: Query, *, limit: int) -> dict[str, Any]:
    """The search body: words that may be misspelt, and filters."""
    text = " ".join(sorted({form for token in tokens(query.text or "") for form in forms(token)}))
    words = " ".join(tokens(query.text or ""))
    fields = ["title^3", "names^2", "description"]
    should = [
        {"multi_match": {"query": words, "fields": fields, "fuzziness": "AUTO", "operator": "and"}},
        {"match": {"stems": {"query": text}}},
    ]
    return {
        "query": {"bool": {"should": should, "minimum_should_match": 1, "filter": list(_filters(query))}},
        "sort": [{"_score": "desc"}, {"id": "desc"}],
        "size": limit,
        "_source": False,
        "track_scores": True,
    }


def _filters(query: Query) -> Iterable[dict[str, Any]]:
    exact = {
        "kind": query.kind,
        "source": query.source,
        "currency": query.currency and query.currency.upper(),
        "availability": query.availability,
        "brand": query.brand and query.brand.lower(),
        "category": query.category,
    }
    yield from ({"term": {name: str(value)}} for name, value in exact.items() if value is not None)
    yield from _range("price_minor", gte=query.price_min_minor, lte=query.price_max_minor)
    yield from _prices(query)
    yield from _range("rating", gte=query.rating_min)
    yield from _range("rooms", gte=query.rooms_min)
    yield from _range(
        "starts_at", gte=micros_or_none(query.starts_after), lt=micros_or_none(query.starts_before)
    )
    if query.near is not None:
        center = {"lat": query.near[0], "lon": query.near[1]}
        yield {"geo_distance": {"distance": f"{query.reach_km}km", "place": center}}


def _prices(query: Query) -> Iterable[dict[str, Any]]:
    """The widest price bounds over all currencies.

    The database then filters by each record's own currency.
    """
    code = query.currency and query.currency.upper()
    if query.price_min is not None:
        yield from _range("price_minor", gte=min(price_bounds(query.price_min, least_minor, code).values()))
    if query.price_max is not None:
        yield from _range("price_minor", lte=max(price_bounds(query.price_max, most_minor, code).values()))


def _range(name: str, **bounds: float | None) -> Iterable[dict[str, Any]]:
    values = {bound: value for bound, value in bounds.items() if value is not None}
    if values:
        yield {"range": {name: values}}
