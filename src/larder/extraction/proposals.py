"""Proposes how to configure a source from its page: plan, language, currency, and feeds to read instead.

Each proposal has its evidence; nothing is decided here.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Plan
from larder.sdk import Page
from larder.sdk.urls import is_http, join
from larder.stages.parse.feeds import is_feed
from larder.stages.parse.page_currency import country_currency

MAX_FEEDS = 10
_FEED_TYPES = re.compile(
    r"application/(?:rss\+xml|atom\+xml|feed\+json|rdf\+xml)|text/calendar", re.IGNORECASE
)
_COMMENTS = re.compile(r"comment|kommentar|reacties|commentaire", re.IGNORECASE)
_SITEMAP = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,2000})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A value for a field of the source, or a feed, with its evidence."""

    field: str
    """`plan`, `language`, `currency` or `feed`."""
    value: str
    because: str


def propose(
    page: Page, *, kind: Kind, purpose: str, items: Sequence[Mapping[str, Any]]
) -> tuple[Proposal, ...]:
    """The proposals of a page; `items` are its items as records would have them."""
    found = (_plan(kind, purpose, len(items)), _language(page), _currency(page, kind, items))
    return (*(proposal for proposal in found if proposal is not None), *_linked_feeds(page))


def sitemaps_in(robots_txt: str) -> list[Proposal]:
    """The sitemaps that a robots.txt names."""
    urls = dict.fromkeys(url for url in islice(_SITEMAP.findall(robots_txt), MAX_FEEDS) if is_http(url))
    return [Proposal(field="feed", value=url, because="robots.txt names it as a sitemap") for url in urls]


def _plan(kind: Kind, purpose: str, items: int) -> Proposal:
    if purpose == Purpose.DETAIL and items == 1:
        return Proposal(field="plan", value=Plan.MONITOR, because=f"the page shows a single {kind}")
    if kind is Kind.EVENT:
        return Proposal(field="plan", value=Plan.AGENDA, because=f"the page lists {items} events")
    return Proposal(field="plan", value=Plan.INDEX, because=f"the page lists {items} {kind}s")


def _language(page: Page) -> Proposal | None:
    language = page.language
    because = f'the page declares lang="{language}"'
    return Proposal(field="language", value=language, because=because) if language else None


def _currency(page: Page, kind: Kind, items: Sequence[Mapping[str, Any]]) -> Proposal | None:
    """The currency of most prices, else that of the page's country."""
    counts = Counter(str(item["currency"]) for item in items if item.get("currency"))
    if counts:
        currency, count = counts.most_common(1)[0]
        because = f"{count} of {sum(counts.values())} prices on the page are in it"
        return Proposal(field="currency", value=currency, because=because)
    country = "" if kind is Kind.EVENT else country_currency(page)
    because = "it is the currency of the page's country"
    return Proposal(field="currency", value=country, because=because) if country else None


def _linked_feeds(page: Page) -> Iterator[Proposal]:
    """Feeds that the page links as alternatives; feeds of comments are left out."""
    if page.cached(is_feed):
        return
    seen: set[str] = set()
    for link in page.css("link[rel~=alternate][href]")[: 10 * MAX_FEEDS]:
        kind, url = link.attr("type") or "", join(page.base, link.attr("href") or "") or ""
        wanted = _FEED_TYPES.match(kind) and not _COMMENTS.search(f"{url} {link.attr('title') or ''}")
        if wanted and is_http(url) and url not in seen and len(seen) < MAX_FEEDS:
            seen.add(url)
            yield Proposal(field="feed", value=url, because=f"the page links it as {kind.lower()}")
