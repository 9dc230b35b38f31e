"""Recognizes the format of a feed and parses it. A document in no known format is no feed."""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from larder.sdk.page import MAX_BYTES, Page
from larder.sdk.urls import is_http, join
from larder.stages.parse.extraction_task import MAX_ITEMS
from larder.stages.parse.feeds import icalendar, json_feed, product_table, xml_feeds
from larder.stages.parse.feeds.rows import FeedRows
from larder.stages.parse.feeds.sitemaps import item_rows

HEAD = 4_000
MAX_ROWS = 5_000
"""Maximum rows of one document; the largest shops split their sitemaps there."""

_GZIP = b"\x1f\x8b"
_XML_ROOT = re.compile(
    rb"\A[\s\xef\xbb\xbf]*+(?>(?:<\?[^>]{0,500}\?>|<!--.{0,1500}?-->|<!DOCTYPE[^>]{0,300}>)\s*+)*+"
    rb"<(?:\w+:)?(?:rss|feed|RDF|urlset|sitemapindex)[\s>]",
    re.DOTALL,
)
_CALENDAR = re.compile(rb"\A[\s\xef\xbb\xbf]*BEGIN:VCALENDAR", re.IGNORECASE)
_JSON_FEED = re.compile(rb"jsonfeed\.org/version/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """The content of a feed, with absolute addresses."""

    rows: tuple[Mapping[str, Any], ...] = ()
    next_url: str = ""
    """Its next page, if it has several."""
    indexes: tuple[str, ...] = ()
    """Further documents that it names: the sitemaps of a sitemap index."""
    addresses: tuple[str, ...] = ()
    """The addresses of all its rows, also of those that are no things."""
    total: int = 0
    """The number of rows, also those past the limit."""
    cut: str = ""
    """Why the rest could not be read."""


def is_feed(page: Page) -> bool:
    """Whether the document begins like a feed."""
    head = page.markup.body[:HEAD]
    return bool(
        head.startswith(_GZIP)
        or _XML_ROOT.match(head)
        or _CALENDAR.match(head)
        or _JSON_FEED.search(head)
        or product_table.is_table(page)
    )


def feed_of(page: Page, *, most: int = MAX_ROWS) -> Feed | None:
    """The feed in a page, with at most so many rows; None if it is none."""
    if not page.cached(is_feed):
        return None
    body = page.markup.body
    text = _unzipped(body) if body.startswith(_GZIP) else page.text
    found = _read_by_format(page, text, text[:HEAD].encode())
    if found is None:
        return None
    listed = [_absolute(row, page.base) for row in found.rows]
    rows = item_rows(listed) if found.sitemap else listed
    indexes = (join(page.base, url) or "" for url in found.indexes[:MAX_ITEMS])
    return Feed(
        rows=tuple(row for row in rows[:most] if row),
        next_url=(join(page.base, found.next_url) or "") if found.next_url else "",
        indexes=tuple(url for url in indexes if is_http(url)),
        addresses=tuple(row["url"] for row in listed[:most] if row.get("url")),
        total=len(rows),
        cut=found.cut,
    )


def _read_by_format(page: Page, text: str, head: bytes) -> FeedRows | None:
    if _XML_ROOT.match(head):
        return xml_feeds.read(text)
    if _CALENDAR.match(head):
        return icalendar.read(text)
    if _JSON_FEED.search(head):
        return json_feed.read(page.json())
    return product_table.read(text) if product_table.is_table(page) else None


def _unzipped(body: bytes) -> str:
    """The content of a gzipped document, up to the limit of a page; empty if it is broken."""
    try:
        return zlib.decompressobj(wbits=31).decompress(body, MAX_BYTES).decode("utf-8", "replace")
    except zlib.error:
        return ""


def _absolute(row: Mapping[str, Any], base: str) -> Mapping[str, Any]:
    url = (join(base, row["url"]) or row["url"]) if row.get("url") else ""
    images = [join(base, each) or each for each in row.get("images", ())]
    return {**row, **({"url": url} if url else {}), **({"images": images} if images else {})}
