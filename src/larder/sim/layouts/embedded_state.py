"""Pages of a JavaScript application: meaningless class names, and the values in its initial state."""

from collections.abc import Mapping
from html import escape
from typing import Any

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts.document_frame import index_document, json_script, listing_document, time_element
from larder.sim.wording import SiteBrand, area, euros, iso_time, listing_summary

SELECTORS: Mapping[str, Any] = {
    "index": {
        "row": ".r_8fk2 > a",
        "fields": {"title": ".r_t01x", "url": "@href", "price": ".r_p77c", "seller": ".r_s3vd"},
        "next": "a.next@href",
        "total": ".count",
        "empty": ".none",
    },
    "detail": {"fields": {"title": "h1", "price": ".r_p77c", "seller": ".r_s3vd"}},
}

_STYLE = """
:root{--accent:#0369a1;--ground:#eef2f6}
.r_8fk2{display:grid;gap:1px;margin-top:1.25rem;border-radius:1rem;overflow:hidden;background:var(--line)}
.r_8fk2>a{display:flex;gap:1rem;align-items:center;background:#fff;padding:.65rem 1rem;color:inherit}
.r_8fk2>a:hover{background:#f8fbff;text-decoration:none}
.r_8fk2 img{width:4.5rem;border-radius:.6rem}.r_g1lm{flex:1;display:grid}
.r_t01x{font-weight:600}.r_s3vd,.r_w9ab{color:var(--soft);font-size:.9rem}
.r_p77c{font-weight:700;color:var(--accent);white-space:nowrap}.side .r_p77c{font-size:1.7rem}
"""


def index(brand: SiteBrand, page: ListingPage[Listing]) -> str:
    """An index page, and the state that it is rendered from."""
    feed = "\n".join(_row(brand, listing) for listing in page.rows)
    props = {
        "page": page.page,
        "pages": page.pages,
        "total": page.total,
        "listings": [_brief(brand, listing) for listing in page.rows],
    }
    rows = f'<div class="r_8fk2">\n{feed}\n</div>'
    return index_document(brand, page, rows, style=_STYLE, script=_state(props))


def detail(brand: SiteBrand, listing: Listing) -> str:
    """The advert, and the state that it is rendered from."""
    home = listing.home
    body = f"""<div class="advert"><section><img class="photo" src="{brand.photo(listing)}" alt="">
<h1>{escape(home.title)}</h1><p lang="{home.language}">{escape(home.description)}</p></section>
<aside class="side"><span class="r_p77c">{euros(listing.price)}</span> <span class="period">a month</span>
<p class="r_w9ab">{area(listing)}, {home.rooms} rooms<br>{escape(listing.address)}</p>
<p class="r_s3vd">{escape(home.seller)}</p></aside></div>"""
    script = _state({"listing": _full(brand, listing)})
    return listing_document(brand, listing, body, style=_STYLE, script=script)


def _row(brand: SiteBrand, listing: Listing) -> str:
    home = listing.home
    return (
        f'<a href="{brand.listing(listing)}"><img src="{brand.photo(listing)}" alt="" loading="lazy">'
        f'<span class="r_g1lm"><span class="r_t01x">{escape(home.title)}</span>'
        f'<span class="r_w9ab">{escape(listing_summary(listing))}, '
        f"{time_element(listing.refreshed_at, 'r_d4q')}</span>"
        f'<span class="r_s3vd">{escape(home.seller)}</span></span>'
        f'<span class="r_p77c">{euros(listing.price)}</span></a>'
    )


def _brief(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    return {
        "id": listing.platform_id,
        "title": listing.home.title,
        "url": brand.listing(listing),
        "price": listing.price // 100,
        "currency": "EUR",
        "seller": {"name": listing.home.seller},
        "image": brand.photo(listing),
    }


def _full(brand: SiteBrand, listing: Listing) -> dict[str, Any]:
    home = listing.home
    return {
        **_brief(brand, listing),
        "description": home.description,
        "area": home.area,
        "rooms": home.rooms,
        "address": listing.address,
        "latitude": home.latitude,
        "longitude": home.longitude,
        "postedAt": iso_time(listing.posted_at),
    }


def _state(props: dict[str, Any]) -> str:
    state = {"props": {"pageProps": props}, "buildId": "k3Vd81"}
    return json_script(state, 'id="__NEXT_DATA__" type="application/json"')
