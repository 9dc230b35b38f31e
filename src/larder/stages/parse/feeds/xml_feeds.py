"""RSS, Atom, RDF, product feeds in Google's terms, and sitemaps."""

from collections.abc import Iterator, Mapping
from typing import Any

from larder.sdk.raw_fields import without_empty
from larder.stages.parse.feeds.rows import FeedRows
from larder.stages.parse.feeds.safe_xml import Document, Entry, read_entries
from larder.stages.parse.json_values import json_text

_ENTRIES = frozenset({"item", "entry", "url", "sitemap"})
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "title": ("title",),
    "description": ("description", "summary", "content", "encoded"),
    "posted_at": ("pubDate", "published", "date"),
    "price": ("sale_price", "price"),
    "brand": ("brand",),
    "gtin": ("gtin", "ean", "isbn"),
    "mpn": ("mpn",),
    "availability": ("availability",),
    "condition": ("condition",),
    "category": ("product_type", "google_product_category", "category"),
    "starts_at": ("startdate", "dtstart", "startDate", "start_date"),
    "ends_at": ("enddate", "dtend", "endDate", "end_date"),
    "location_text": ("location", "where"),
    "currency": ("currency",),
}
_PICTURES = ("image_link", "additional_image_link", "thumbnail", "image")


def read(source: str) -> FeedRows:
    """The rows of an XML feed, or the sitemaps that a sitemap index names."""
    document = read_entries(source, _ENTRIES)
    if document.root == "sitemapindex":
        return FeedRows(indexes=tuple(_locations(document)), cut=document.broken)
    if document.root == "urlset":
        rows = (_sitemap_row(entry) for entry in document.entries if entry.name == "url")
        return FeedRows(rows=tuple(row for row in rows if "url" in row), sitemap=True, cut=document.broken)
    rows = (_row(entry) for entry in document.entries if entry.name in ("item", "entry"))
    usable = tuple(row for row in rows if "url" in row or "title" in row)
    return FeedRows(rows=usable, next_url=_next(document), cut=document.broken)


def _locations(document: Document) -> Iterator[str]:
    return (entry.text("loc") for entry in document.entries if entry.name == "sitemap" and entry.text("loc"))


def _sitemap_row(entry: Entry) -> dict[str, Any]:
    """The address in a sitemap; its fields are on the page itself."""
    images = [value.text for value in entry.values.get("loc", ())[1:] if value.text]
    return without_empty(
        {"url": entry.text("loc"), "title": json_text(entry.text("title")), "images": images[:10]}
    )


def _next(document: Document) -> str:
    """The next page of a paged feed (RFC 5005)."""
    links = (link for name, link in document.head if name == "link" and link.get("rel") == "next")
    return next((link.get("href", "") for link in links), "")


def _row(entry: Entry) -> dict[str, Any]:
    known = {field: json_text(entry.text(*names)) for field, names in _TEXTS.items()}
    code = json_text(entry.text("id")) if "link" in entry.values and _is_product(entry) else ""
    fields = {**known, "url": _link(entry), "images": _images(entry), "sku": code, "platform_id": code}
    return without_empty(fields | _coordinates(entry))


def _is_product(entry: Entry) -> bool:
    return any(name in entry.values for name in ("price", "availability", "image_link"))


def _link(entry: Entry) -> str:
    """The address of an entry: an Atom entry's alternate link, an RSS item's link, or a permanent id."""
    links = entry.values.get("link", [])
    atom = [value for value in links if value.attributes.get("href")]
    alternate = [value for value in atom if value.attributes.get("rel", "alternate") == "alternate"]
    if alternate:
        return alternate[0].attributes["href"]
    link = json_text(entry.text("link")) or entry.attributes.get("rdf:about", "")
    guid = next((value for value in entry.values.get("guid", ()) if value.text.startswith("http")), None)
    permanent = guid is not None and guid.attributes.get("isPermaLink", "true") != "false"
    return link or (guid.text if guid is not None and permanent else "")


def _images(entry: Entry) -> list[str]:
    texts = [value.text for name in _PICTURES for value in entry.values.get(name, ()) if value.text]
    media = [
        value.attributes.get("url") or value.attributes.get("resource") or ""
        for name in ("enclosure", "content", "thumbnail")
        for value in entry.values.get(name, ())
        if "image" in (value.attributes.get("type") or value.attributes.get("medium") or "image")
    ]
    return list(dict.fromkeys(url for url in (*texts, *media) if url.startswith(("http", "/"))))[:10]


def _coordinates(entry: Entry) -> dict[str, str]:
    """Coordinates in the notation of GeoRSS or the W3C's vocabulary."""
    pair = entry.text("point").replace(",", " ").split()
    latitude, longitude = pair if len(pair) == 2 else (entry.text("lat"), entry.text("long"))
    return {"latitude": latitude, "longitude": longitude} if latitude and longitude else {}
