"""Chooses the sitemaps of a sitemap index to read, and the addresses in them that are things.

Sites name their sitemaps after their content. If some are named after the source's kind, only those are read;
else all except those named after something else. Addresses are recognized by their pattern: a few pages of
another shape (about us, contact) beside many similar ones are no things.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from larder.core.model.source import Kind
from larder.stages.parse.index_rows.links import row_pattern

MIN_ADDRESSES = 5
"""With fewer addresses than this, all are taken: no pattern is frequent."""
MIN_PATTERN_SHARE = 0.1
"""A pattern with fewer addresses than this share of the most frequent one is something else."""

_KINDS: Mapping[Kind, re.Pattern[str]] = {
    Kind.PRODUCT: re.compile(
        r"products?\b|produ[kc]t|prodott|artikel|articoli|\bitems?\b|\bshop", re.IGNORECASE
    ),
    Kind.EVENT: re.compile(
        r"events?\b|evenement|événement|veranstaltung|eventos?\b|eventi\b|agenda|termine|concert|voorstelling",
        re.IGNORECASE,
    ),
    Kind.LISTING: re.compile(
        r"listing|propert(?:y|ies)|immobil|expose|wohnung|woning|annonce|annunci|anuncio|inserat|anzeige|advert"
        r"|\bads?\b|homes?\b|rental|apartment|classified",
        re.IGNORECASE,
    ),
}
_NON_ITEM_SITEMAP = re.compile(
    r"categor|kategor|\btags?\b|author|auteur|archive|image|video|news|blog|posts?\b|pages?[-_.]|seiten|static"
    r"|brand|merk|marke|collection|taxonom|landing|faq|help|media|press",
    re.IGNORECASE,
)


def wanted_sitemaps(urls: Sequence[str], kind: Kind) -> tuple[str, ...]:
    """The sitemaps that may list things of this kind."""
    names = {url: _name(url) for url in urls}
    named = [
        url for url in urls if _KINDS[kind].search(names[url]) and not _NON_ITEM_SITEMAP.search(names[url])
    ]
    if named:
        return tuple(named)
    others = [each for key, each in _KINDS.items() if key is not kind]
    rest = [
        url
        for url in urls
        if not _NON_ITEM_SITEMAP.search(names[url]) and not any(each.search(names[url]) for each in others)
    ]
    return tuple(rest or urls)


def item_rows(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows of a sitemap whose address has a frequent pattern, except the home page."""
    listed = [row for row in rows if urlsplit(row["url"]).path.strip("/") or urlsplit(row["url"]).query]
    patterns = [row_pattern(row["url"]) for row in listed]
    counts = Counter(patterns)
    if len(listed) < MIN_ADDRESSES:
        return listed
    least = max(counts.values()) * MIN_PATTERN_SHARE
    return [row for row, pattern in zip(listed, patterns, strict=True) if counts[pattern] >= least]


def _name(url: str) -> str:
    """The last parts of a sitemap's address: its name on the site."""
    parts = urlsplit(url)
    return f"{parts.path.rsplit('/', 2)[-1]} {parts.query}".replace("_", "-")
