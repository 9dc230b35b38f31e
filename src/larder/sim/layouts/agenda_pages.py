"""Pages of a simulated agenda: its facts as JSON-LD, or in plain HTML with dates as people write them."""

from collections.abc import Mapping
from html import escape
from typing import Any

from larder.sim.agenda import Announcement
from larder.sim.classifieds.truth import ListingPage
from larder.sim.event_catalogue import date_in_words
from larder.sim.layouts.document_frame import Heading, html_document, index_document, item_list, json_script
from larder.sim.wording import SiteBrand, decimal, iso_time, slug

SELECTORS: Mapping[str, Any] = {
    "index": {
        "row": "li.item",
        "fields": {
            "title": "h2 a",
            "url": "h2 a@href",
            "starts_at": ".date",
            "venue": ".venue",
            "location_text": ".city",
            "category": ".kind",
            "price": ".price",
            "platform_id": "@data-id",
        },
        "next": "a.next@href",
        "total": ".count",
        "empty": ".none",
    },
    "detail": {
        "fields": {
            "title": "h1",
            "starts_at": ".date",
            "venue": ".venue",
            "address": ".address",
            "category": ".kind",
            "price": ".price",
            "platform_id": "article.item@data-id",
            "description": ".story",
        },
    },
}

_STYLE = """
:root{--accent:#9d174d}
.items{list-style:none;padding:0;margin:1.25rem 0 0;display:grid;gap:.7rem}
li.item{background:#fff;border:1px solid var(--line);border-radius:.7rem;padding:.8rem 1rem;
display:grid;grid-template-columns:11rem 1fr auto;gap:.3rem 1rem;align-items:baseline}
.item h2{font-size:1.05rem;margin:0}.date{font-weight:600;color:var(--accent)}
.place,.kind{color:var(--soft);font-size:.92rem}
@media(max-width:45rem){li.item{grid-template-columns:1fr}}
"""

_KIND = 'type="application/ld+json"'
_TYPES = {"muziek": "MusicEvent", "theater": "TheaterEvent", "film": "ScreeningEvent"}


def url(brand: SiteBrand, announcement: Announcement) -> str:
    """The URL of an announcement's page."""
    return f"{brand.base}/event/{announcement.platform_id}-{slug(announcement.title)}"


def index(brand: SiteBrand, page: ListingPage[Announcement], *, marked: bool) -> str:
    """An index page; `marked`: with JSON-LD."""
    rows = "\n".join(_row(brand, announcement) for announcement in page.rows)
    heading = Heading(title="Agenda", counted=f"{page.total} evenementen", order="op datum")
    script = json_script(item_list(page, [_event(brand, row) for row in page.rows]), _KIND) if marked else ""
    return index_document(
        brand, page, f'<ul class="items">\n{rows}\n</ul>', style=_STYLE, script=script, heading=heading
    )


def detail(brand: SiteBrand, announcement: Announcement, *, marked: bool) -> str:
    """The page of one event."""
    of = announcement.of
    script = (
        json_script({"@context": "https://schema.org", **_event(brand, announcement)}, _KIND)
        if marked
        else ""
    )
    body = f"""<article class="item" data-id="{announcement.platform_id}">
<h1>{escape(announcement.title)}</h1>
<p class="date">{date_in_words(of)}</p><p class="kind">{of.category}</p>
<p class="place"><span class="venue">{escape(announcement.venue)}</span>,
<span class="address">{escape(of.venue.street)}, {escape(of.venue.city)}</span></p>
<p class="price">{cost(announcement)}</p><p class="story" lang="nl">{escape(of.description)}</p></article>
{script}"""
    head = f'<link rel="canonical" href="{url(brand, announcement)}">\n'
    return html_document(brand, title=announcement.title, body=body, style=_STYLE, head=head)


def cost(announcement: Announcement) -> str:
    """`€ 12,00` or `gratis`."""
    price = announcement.of.price
    return f"€ {price // 100},{price % 100:02}" if price else "gratis"


def _row(brand: SiteBrand, announcement: Announcement) -> str:
    of = announcement.of
    return (
        f'<li class="item" data-id="{announcement.platform_id}"><span class="date">{date_in_words(of)}</span>'
        f'<div><h2><a href="{url(brand, announcement)}">{escape(announcement.title)}</a></h2>'
        f'<span class="place"><span class="venue">{escape(announcement.venue)}</span>, '
        f'<span class="city">{escape(of.venue.city)}</span></span> '
        f'<span class="kind">{of.category}</span></div>'
        f'<span class="price">{cost(announcement)}</span></li>'
    )


def _event(brand: SiteBrand, announcement: Announcement) -> dict[str, Any]:
    of = announcement.of
    return {
        "@type": _TYPES.get(of.category, "Event"),
        "identifier": announcement.platform_id,
        "name": announcement.title,
        "url": url(brand, announcement),
        "startDate": iso_time(of.starts_at),
        "endDate": iso_time(of.ends_at),
        "description": of.description,
        "category": of.category,
        "location": _place(announcement),
        "offers": {"@type": "Offer", "price": decimal(of.price), "priceCurrency": "EUR"},
    }


def _place(announcement: Announcement) -> dict[str, Any]:
    venue = announcement.of.venue
    return {
        "@type": "Place",
        "name": announcement.venue,
        "address": {
            "@type": "PostalAddress",
            "streetAddress": venue.street,
            "addressLocality": venue.city,
        },
        "geo": {"@type": "GeoCoordinates", "latitude": venue.latitude, "longitude": venue.longitude},
    }
