"""An old board: one table with few class names, prices in a column. Read by position."""

from collections.abc import Mapping
from html import escape
from typing import Any

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts.document_frame import index_document, listing_document, time_element
from larder.sim.wording import SiteBrand, area, euros

SELECTORS: Mapping[str, Any] = {
    "index": {
        "row": "table.board tbody tr",
        "fields": {
            "title": "td:nth-child(2) a",
            "url": "td:nth-child(2) a@href",
            "price": "td:nth-child(5)",
            "platform_id": "td:nth-child(1)",
            "seller": "td:nth-child(6)",
        },
        "next": "a.next@href",
        "total": ".count",
        "empty": ".none",
    },
    "detail": {
        "fields": {
            "title": "h1",
            "price": "tr.rent td",
            "platform_id": "tr.number td",
            "seller": "tr.by td",
            "area": "tr.size td",
            "rooms": "tr.rooms td",
            "address": "tr.at td",
            "description": "h1 + p",
            "posted_at": "tr.since time@datetime",
        },
    },
}

_STYLE = """
:root{--accent:#1d4e89;--ground:#fff}
.board,.sheet{border-collapse:collapse;width:100%;margin-top:1.25rem;font-size:.95rem}
.board th,.board td{padding:.5rem .75rem;text-align:left;border-bottom:1px solid var(--line)}
.board thead th{border-bottom-width:2px;
font-size:.8rem;text-transform:uppercase;letter-spacing:.04em;color:var(--soft)}
.board tbody tr:nth-child(odd){background:#f7f9fc}
.board td:nth-child(5),.board th:nth-child(5){text-align:right;font-weight:600;white-space:nowrap}
.board td:nth-child(3){white-space:nowrap}.board td:first-child,.board td:last-child{color:var(--soft)}
.sheet{max-width:34rem}.sheet th{text-align:left;font-weight:500;color:var(--soft);width:9rem}
.sheet th,.sheet td{padding:.5rem 0;border-bottom:1px solid var(--line)}
.sheet .rent td{font-weight:700;font-size:1.2rem}
.scroll{overflow-x:auto}
"""

_COLUMNS = ("Ad", "Home", "Size", "Place", "Rent", "From", "Listed")


def index(brand: SiteBrand, page: ListingPage[Listing]) -> str:
    """The board."""
    head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
    rows = "\n".join(_row(brand, listing) for listing in page.rows)
    board = f'<table class="board"><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>'
    return index_document(brand, page, f'<div class="scroll">{board}</div>', style=_STYLE)


def detail(brand: SiteBrand, listing: Listing) -> str:
    """A sheet with one fact a line."""
    home = listing.home
    facts = (
        ("rent", "Rent a month", euros(listing.price)),
        ("size", "Size", area(listing)),
        ("rooms", "Rooms", str(home.rooms)),
        ("at", "Address", escape(listing.address)),
        ("by", "Offered by", escape(home.seller)),
        ("since", "Posted", time_element(listing.posted_at, "posted")),
        ("number", "Ad", listing.platform_id),
    )
    sheet = "\n".join(
        f'<tr class="{name}"><th>{label}</th><td>{shown}</td></tr>' for name, label, shown in facts
    )
    body = (
        f'<h1>{escape(home.title)}</h1>\n<p lang="{home.language}">{escape(home.description)}</p>\n'
        f'<table class="sheet">\n{sheet}\n</table>'
    )
    return listing_document(brand, listing, body, style=_STYLE)


def _row(brand: SiteBrand, listing: Listing) -> str:
    home = listing.home
    cells = (
        listing.platform_id,
        f'<a href="{brand.listing(listing)}">{escape(home.title)}</a>',
        f"{area(listing)}, {home.rooms} rm",
        escape(home.city),
        euros(listing.price),
        escape(home.seller),
        time_element(listing.refreshed_at, "when"),
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
