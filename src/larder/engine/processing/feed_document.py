"""Reads the addresses on its source's site from a document of a feed, within bounds."""

from collections.abc import Iterable
from dataclasses import dataclass

from larder.core.model.item import Extracted, Failed, NextEvidence, NextPage
from larder.core.model.outcome import FailReason
from larder.core.model.page import FeedAddress, Fetched
from larder.core.model.source import Source
from larder.engine.work_items import FeedDocument
from larder.sdk.page import Page
from larder.sdk.urls import canonical_url, is_http, registrable_domain
from larder.stages.parse.feeds import Feed, feed_of
from larder.stages.parse.feeds.sitemaps import wanted_sitemaps

MAX_ADDRESSES = 50_000
"""Maximum addresses of one document: as many as a sitemap may have."""
MAX_URL = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRead:
    """The document as its run sees it, and the addresses in it."""

    reading: Extracted | Failed
    document: FeedDocument | None = None


def read_document(fetched: Fetched, source: Source) -> FeedRead:
    """The addresses of one document; `last` is False if the rest of it could not be read."""
    page = Page(fetched.final_url, fetched.body, content_type=fetched.headers.get("content-type"))
    feed = feed_of(page, most=MAX_ADDRESSES)
    if feed is None:
        details = "it is not a product feed (XML or CSV), a sitemap, RSS, Atom or JSON Feed"
        return FeedRead(reading=Failed(reason=FailReason.PAGE_STRUCTURE_CHANGED, details=details))
    site = registrable_domain(source.url)
    document = _document(feed, site)
    indexes = (url for url in wanted_sitemaps(feed.indexes, source.kind) if registrable_domain(url) == site)
    reading = Extracted(
        last=not feed.cut and feed.total <= MAX_ADDRESSES,
        next_page=_next_page(feed, site),
        indexes=tuple(indexes),
        advertised=len(document.things),
    )
    return FeedRead(reading=reading, document=document)


def _document(feed: Feed, site: str | None) -> FeedDocument:
    urls = [row["url"] for row in feed.rows if row.get("url")]
    things = _addresses(urls, site)
    seen = set(things)
    others = [address for address in _addresses(feed.addresses, site) if address not in seen]
    elsewhere = sum(registrable_domain(url) != site for url in urls)
    return FeedDocument(things=things, others=others, elsewhere=elsewhere)


def _addresses(urls: Iterable[str], site: str | None) -> list[FeedAddress]:
    """Each canonical URL once."""
    own = (url for url in urls if len(url) <= MAX_URL and is_http(url) and registrable_domain(url) == site)
    return list(
        {canonical: FeedAddress(url, canonical) for url in own if (canonical := canonical_url(url))}.values()
    )


def _next_page(feed: Feed, site: str | None) -> NextPage | None:
    if not feed.next_url or registrable_domain(feed.next_url) != site:
        return None
    return NextPage(url=feed.next_url, evidence=NextEvidence.REL, because="the feed names its next page")
